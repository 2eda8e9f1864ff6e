import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from "react";
import { classNames } from "../ui/class-names.ts";
import type { LogModel, LogSnapshot } from "./log-model.ts";
import { FOLD_AT, LogRow, type RowLook } from "./log-row.tsx";

const ROW_HEIGHT = 20;
/** So near the end counts as at the end. */
const END_PX = 24;

export interface LogListHandle {
  /** Brings an entry into sight: to the middle, or only as far as needed. */
  show(id: number, align: "center" | "auto"): void;
  toEnd(): void;
  /** The entry at the top of what is seen. */
  firstSeen(): number | undefined;
}

interface Properties {
  ref: Ref<LogListHandle>;
  label: string;
  model: LogModel;
  snapshot: LogSnapshot;
  look: RowLook;
  selectedId: number | null;
  isFollowing: boolean;
  onFollow: (isFollowing: boolean) => void;
}

/** The lines; only those in sight are drawn. It stays at the end while the reader is there, and else with the lines that are read. */
export function LogList({ ref, label, model, snapshot, look, selectedId, isFollowing, onFollow }: Properties) {
  const scrollRef = useRef<HTMLDivElement>(null);
  const lastScroll = useRef({ top: 0, height: 0 });
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const unfold = useCallback((id: number) => setUnfolded((ids) => new Set(ids).add(id)), []);

  const virtualizer = useVirtualizer({
    count: snapshot.shown,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: useCallback((index: number) => model.entryAt(index)?.id ?? -1 - index, [model]),
    overscan: 16,
    paddingStart: 8,
    paddingEnd: 8,
    anchorTo: "end",
    scrollEndThreshold: END_PX,
    useFlushSync: false,
  });

  useImperativeHandle(ref, () => ({
    show: (id, align) => virtualizer.scrollToIndex(model.indexFrom(id), { align }),
    toEnd: () => virtualizer.scrollToEnd(),
    firstSeen: () => {
      const offset = scrollRef.current?.scrollTop ?? 0;
      const item = virtualizer.getVirtualItemForOffset(offset);
      return item === undefined ? undefined : model.entryAt(item.index)?.id;
    },
  }));

  // Rows change their height with the wrapping, and the end moves away with them.
  useLayoutEffect(() => {
    virtualizer.measure();
  }, [virtualizer, look.wrap]);
  useLayoutEffect(() => {
    if (isFollowing) virtualizer.scrollToEnd();
  }, [virtualizer, isFollowing, snapshot, look.wrap]);

  /** Going up leaves the end, coming to the end stays there; rows that made room move the list too, and mean nothing. */
  function handleScroll(): void {
    const element = scrollRef.current;
    if (element === null) return;
    const { scrollTop: top, scrollHeight: height, clientHeight } = element;
    const isAtEnd = height - top - clientHeight <= END_PX;
    if (isAtEnd) onFollow(true);
    else if (top < lastScroll.current.top - 1 && height >= lastScroll.current.height) onFollow(false);
    lastScroll.current = { top, height };
  }

  const width = look.wrap ? "100%" : `max(100%, calc(${Math.min(snapshot.longest, FOLD_AT)}ch + 24ch))`;
  return (
    <div
      ref={scrollRef}
      role="region"
      aria-label={label}
      tabIndex={0}
      onScroll={handleScroll}
      className="h-full overflow-auto font-mono text-xs leading-5 [font-variant-ligatures:none] [overflow-anchor:none] focus-visible:-outline-offset-2"
    >
      <div className="relative" style={{ height: virtualizer.getTotalSize(), width }}>
        {virtualizer.getVirtualItems().map((item) => {
          const entry = model.entryAt(item.index);
          if (entry === undefined) return null;
          const isSelected = entry.id === selectedId;
          return (
            <div
              key={item.key}
              data-index={item.index}
              // Only wrapped lines differ in height, and measuring is what costs most.
              ref={look.wrap ? virtualizer.measureElement : undefined}
              className={classNames("absolute top-0 left-0 w-full", !look.wrap && "h-5")}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <LogRow entry={entry} look={look} isSelected={isSelected} isUnfolded={unfolded.has(entry.id)} onUnfold={unfold} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
