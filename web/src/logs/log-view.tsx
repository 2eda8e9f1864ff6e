import { ArrowDown } from "lucide-react";
import { useEffect, useMemo, useRef, useState, type ReactNode, useLayoutEffect, type RefObject } from "react";
import { useHotkeys } from "../app/hotkeys.ts";
import { usePreference } from "../app/preference.ts";
import { usePreferences } from "../app/preferences.ts";
import { useMedia } from "../app/use-media.ts";
import { countOf } from "../format/number.ts";
import { copyText } from "../ui/copy-text.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { useNow } from "../ui/ticker.tsx";
import { downloadLog, textOf } from "./download.ts";
import { LogList, type LogListHandle } from "./log-list.tsx";
import type { LogFilter } from "./log-model.ts";
import type { RowLook } from "./log-row.tsx";
import { LogState, NoLines } from "./log-state.tsx";
import { LogToolbar } from "./log-toolbar.tsx";
import type { FollowedLog } from "./use-log.ts";
import { useFind } from "./use-find.ts";
import { useJump } from "./use-jump.ts";

interface Properties {
  /** Whose log it is. */
  name: string;
  log: FollowedLog;
  filter: LogFilter;
  onFilter: (filter: LogFilter) => void;
  query: string;
  onQuery: (query: string) => void;
  /** The moment at which it is opened; by default its end. */
  at?: string | undefined;
  /** Says why the log has ended, when it has. */
  end: ReactNode;
  /** The container by which its older lines, which are not loaded, can be searched. */
  containerId?: number | undefined;
}

/** A log: its tools, its lines, and how it goes. */
export function LogView({ name, log, filter, onFilter, query, onQuery, at, end, containerId }: Properties) {
  const { model, snapshot, state } = log;
  const frame = useRef<HTMLDivElement>(null);
  const top = useTopOffset(frame);
  const list = useRef<LogListHandle>(null);
  const [selectedId, setSelectedId] = useState<number | null>(null);
  const [isFollowing, setFollowing] = useState(at === undefined);
  const [leftAt, setLeftAt] = useState(0);
  const find = useFind({ address: query, model, snapshot, list, selectedId, onSelect: setSelectedId });
  const { look, toggleTimes, toggleWrap } = useLook(find.finder, snapshot.hasBothStreams);

  useJump({
    ...{ at, finder: find.finder, model, snapshot },
    onFound(id) {
      setSelectedId(id);
      setLeftAt(snapshot.lines + snapshot.dropped);
      list.current?.show(id, "center");
    },
  });
  useEffect(() => model.setFilter(filter), [model, filter]);
  useEffect(() => onQuery(find.query), [onQuery, find.query]);

  function follow(next: boolean): void {
    if (!next && isFollowing) setLeftAt(snapshot.lines + snapshot.dropped);
    setFollowing(next);
  }

  function toEnd(): void {
    setFollowing(true);
    list.current?.toEnd();
  }

  function selectNext(by: 1 | -1): void {
    const index = selectedId === null ? snapshot.shown - (by === 1 ? 1 : 0) : model.indexFrom(selectedId) + by;
    const entry = model.entryAt(Math.min(Math.max(index, 0), snapshot.shown - 1));
    if (entry === undefined) return;
    setSelectedId(entry.id);
    list.current?.show(entry.id, "auto");
  }

  function copySelected(): void {
    const entry = selectedId === null ? undefined : model.entryAt(model.indexFrom(selectedId));
    if (entry?.id === selectedId && entry !== undefined) void copyText("note" in entry ? textOf(entry) : entry.plain);
  }

  useHotkeys({ End: toEnd, w: toggleWrap, t: toggleTimes, j: () => selectNext(1), k: () => selectNext(-1), c: copySelected });

  const arrived = snapshot.lines + snapshot.dropped - leftAt;
  return (
    <div
      ref={frame}
      style={{ height: `max(25rem, calc(100dvh - ${top}px - var(--below)))` }}
      className="-mb-5 flex flex-col [--below:0px] max-md:[--below:calc(3.5rem+env(safe-area-inset-bottom))]"
    >
      <LogToolbar
        find={find}
        filter={filter}
        onFilter={onFilter}
        hasBothStreams={snapshot.hasBothStreams}
        times={look.times !== null}
        onTimes={toggleTimes}
        wrap={look.wrap}
        onWrap={toggleWrap}
        onDownload={() => downloadLog(model, name)}
        isFollowing={isFollowing}
        isOver={state.phase === "ended" || state.phase === "failed"}
        onFollow={() => (isFollowing ? follow(false) : toEnd())}
      />
      <div className="relative min-h-0 flex-1 overflow-hidden rounded border border-line bg-sunken">
        {snapshot.shown === 0 ? (
          <Blank isLoading={state.phase === "loading"}>
            <NoLines log={log} end={end} onShowAll={() => onFilter({ level: "any", stream: "any" })} />
          </Blank>
        ) : (
          <LogList
            ref={list}
            label={`Log of ${name}`}
            model={model}
            snapshot={snapshot}
            look={look}
            selectedId={selectedId}
            isFollowing={isFollowing}
            onFollow={follow}
          />
        )}
        {!isFollowing && arrived > 0 && <NewLines count={arrived} onPress={toEnd} />}
      </div>
      <LogState log={log} end={end} containerId={containerId} query={find.query} />
    </div>
  );
}

/** Leads to the lines that arrived since the reader looked elsewhere. */
function NewLines({ count, onPress }: { count: number; onPress: () => void }) {
  return (
    <button
      type="button"
      onClick={onPress}
      className="absolute bottom-3 left-1/2 inline-flex h-8 -translate-x-1/2 items-center gap-2 rounded-full bg-accent px-3 font-[550] whitespace-nowrap text-on-accent tabular-nums shadow-lg shadow-black/15"
    >
      <ArrowDown size={14} aria-hidden />
      {countOf(count, "new line")}
    </button>
  );
}

/** How lines are drawn, as this reader likes it. */
function useLook(finder: RowLook["finder"], hasBothStreams: boolean): { look: RowLook; toggleTimes: () => void; toggleWrap: () => void } {
  const { logTimes, logWrap } = usePreferences();
  const times = usePreference(logTimes) === "shown";
  const isNarrow = useMedia("(max-width: 639px)");
  const wrapping = usePreference(logWrap);
  const wrap = wrapping === "auto" ? isNarrow : wrapping === "on";
  const nowMs = useNow((now) => new Date(now).setHours(12, 0, 0, 0));
  const look = useMemo(
    (): RowLook => ({
      wrap,
      times: times ? (isNarrow ? "second" : "millisecond") : null,
      nowMs,
      streams: hasBothStreams ? (isNarrow ? "inline" : "column") : null,
      finder,
    }),
    [wrap, times, isNarrow, nowMs, hasBothStreams, finder],
  );
  return {
    look,
    toggleTimes: () => logTimes.set(times ? "hidden" : "shown"),
    toggleWrap: () => logWrap.set(wrap ? "off" : "on"),
  };
}

function Blank({ isLoading, children }: { isLoading: boolean; children: ReactNode }) {
  if (!isLoading) return children;
  return (
    <div role="status" aria-label="Loading log" className="flex flex-col gap-2 p-3">
      {WIDTHS.map((width, index) => (
        <Skeleton key={index} className={`h-3 ${width}`} />
      ))}
    </div>
  );
}

const WIDTHS = ["w-1/2", "w-2/3", "w-2/5", "w-3/5", "w-1/3", "w-1/2", "w-3/4", "w-2/5"];

/** How far down the page an element begins, kept right as what stands above it grows: to fill the rest of the window with it. */
function useTopOffset(ref: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = (): void => setTop(Math.round(element.getBoundingClientRect().top + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    for (const sibling of element.parentElement?.children ?? []) if (sibling !== element) observer.observe(sibling);
    window.addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", measure);
    };
  }, [ref]);
  return top;
}
