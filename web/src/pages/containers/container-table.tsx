import { defaultRangeExtractor, useWindowVirtualizer, type Range } from "@tanstack/react-virtual";
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { SparkLine } from "../../api/spark-series.ts";
import { hostId } from "../../app/host-id.ts";
import { useLostHosts, useLostRuntimes } from "../../app/hosts.ts";
import { useHotkeys } from "../../app/hotkeys.ts";
import { useMedia } from "../../app/use-media.ts";
import { classNames } from "../../ui/class-names.ts";
import { COLUMNS, ContainerRow } from "./container-row.tsx";
import { GroupRow } from "./group-row.tsx";
import { nextRow, type ListItem } from "./items.ts";
import { SortHead } from "./sort-head.tsx";

/** Heights that are known beforehand need no measuring, and nothing jumps. */
const GROUP_PX = 34;
const ROW_PX = { wide: 36, narrow: 58 };
/** What sticks above the rows: the top bar, and on wide screens the heads of the columns. */
const STICKY_PX = { wide: 84, narrow: 52 };

const NUMERIC = ["cpu", "memory", "uptime", "restarts", "since"] as const;
/** A sorted list has none. */
const NO_GROUP = -1;

interface Properties {
  items: readonly ListItem[];
  /** What each container used over the last hour; undefined while that is not known, or not shown. */
  lines: ReadonlyMap<number, SparkLine> | undefined;
  /** Whether all of it is how it was last seen. */
  stale: boolean;
  isHostStale: (host: string) => boolean;
  withHosts: boolean;
}

/** The list itself: only the rows near the window are in the page, and the head of the group that is being read stays in view. */
export function ContainerTable({ items, lines, stale, isHostStale, withHosts }: Properties) {
  const wide = useMedia("(min-width: 768px)");
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const width = wide ? "wide" : "narrow";
  const groupIndexes = useMemo(() => items.flatMap((item, index) => (item.kind === "group" ? [index] : [])), [items]);
  const reading = useRef(NO_GROUP);
  const lost = useLostHosts();
  const lostRuntimes = useLostRuntimes();

  useLayoutEffect(() => {
    const offset = body.current === null ? 0 : body.current.getBoundingClientRect().top + window.scrollY;
    setTop(Math.round(offset));
  }, [stale, wide]);

  const rangeExtractor = useCallback(
    (range: Range) => {
      reading.current = groupIndexes.findLast((index) => index <= range.startIndex) ?? NO_GROUP;
      const sticky = reading.current === NO_GROUP ? [] : [reading.current];
      return [...new Set([...sticky, ...defaultRangeExtractor(range)])].sort((a, b) => a - b);
    },
    [groupIndexes],
  );

  const margin = top - STICKY_PX[width];
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: (index) => (items[index]?.kind === "group" ? GROUP_PX : ROW_PX[width]),
    getItemKey: (index) => items[index]?.key ?? index,
    rangeExtractor,
    overscan: 8,
    // Rows are counted from below what sticks: the first in range is the first that can be read.
    scrollMargin: margin,
    scrollPaddingStart: GROUP_PX,
    scrollPaddingEnd: STICKY_PX[width] + 56,
  });

  useLayoutEffect(() => virtualizer.measure(), [virtualizer, wide]);

  function move(step: 1 | -1): void {
    const focused = document.activeElement?.getAttribute("data-row");
    const from = focused === null || focused === undefined ? (step === 1 ? reading.current : items.length) : Number(focused);
    const index = nextRow(items, from, step);
    virtualizer.scrollToIndex(index, { align: "auto" });
    // The row may only now come into the page.
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-row="${index}"]`)?.focus({ preventScroll: true }));
  }

  useHotkeys({ j: () => move(1), k: () => move(-1) });

  return (
    <div role="table" aria-label="Containers" aria-rowcount={items.length + 1} data-stale={stale || undefined} className="mt-3">
      <div className="sticky top-13 z-10 bg-bg max-md:hidden">
        <div role="row" aria-rowindex={1} className={classNames(COLUMNS, "h-8 px-2.5 text-xs font-medium text-ink-3")}>
          <SortHead by="name" />
          <SortHead by="image" className="max-xl:hidden" />
          <SortHead by="state">{stale && "Last known state"}</SortHead>
          <span role="columnheader" className="max-[90rem]:hidden">
            Ports
          </span>
          {NUMERIC.map((key) => (
            <SortHead key={key} by={key} numeric />
          ))}
        </div>
      </div>
      <div role="rowgroup" ref={body} className="relative border-b border-line" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start, size }) => {
          const item = items[index];
          if (item === undefined) return null;
          const sticks = index === reading.current;
          return (
            <div
              key={key}
              data-stale={(item.kind === "container" && isHostStale(hostId(item.container))) || undefined}
              className={classNames(
                "inset-x-0 top-0 w-full",
                item.kind === "group" && "z-[5]",
                sticks ? "sticky top-13 md:top-21" : "absolute",
              )}
              style={sticks ? { height: size } : { height: size, transform: `translateY(${start - margin}px)` }}
            >
              {item.kind === "group" ? (
                <GroupRow
                  group={item}
                  index={index}
                  withHost={withHosts}
                  lostSince={withHosts ? lost[item.host] : undefined}
                  runtimeLostSince={withHosts ? lostRuntimes[item.host] : undefined}
                />
              ) : (
                <ContainerRow
                  container={item.container}
                  index={index}
                  line={lines?.get(item.container.id)}
                  withGroup={groupIndexes.length === 0}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
