import { defaultRangeExtractor, useWindowVirtualizer, type Range } from "@tanstack/react-virtual";
import { useCallback, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useHotkeys } from "../../app/hotkeys.ts";
import { useMedia } from "../../app/use-media.ts";
import { classNames } from "../../ui/class-names.ts";
import { nextRow, type TableItem } from "./table-items.ts";

interface Properties<Item extends TableItem> {
  label: string;
  items: readonly Item[];
  /** The columns' heads, of role `columnheader`. */
  head: ReactNode;
  /** The columns of head and rows, by class. */
  columns: string;
  /** Height of a row below 768 px; above it is 36 px. */
  narrowRowPx?: number;
  /** What a line shows, filling its height; of a row its link has `data-row={index}`. */
  render: (item: Item, index: number) => ReactNode;
}

/** Heights that are known beforehand need no measuring, and nothing jumps. */
const GROUP_PX = 34;
const WIDE_ROW_PX = 36;
/** What sticks above the rows: the top bar, and on wide screens the heads of the columns. */
const STICKY_PX = { wide: 84, narrow: 52 };

/** A long table: only the rows near the window are in the page, `j` and `k` go through them, and the head of the group that is being read stays in view. */
export function VirtualTable<Item extends TableItem>({ label, items, head, columns, narrowRowPx = 58, render }: Properties<Item>) {
  const wide = useMedia("(min-width: 768px)");
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const groupIndexes = useMemo(() => items.flatMap((item, index) => (item.kind === "group" ? [index] : [])), [items]);
  const reading = useRef(-1);
  const rowPx = wide ? WIDE_ROW_PX : narrowRowPx;
  const stickyPx = wide ? STICKY_PX.wide : STICKY_PX.narrow;

  // What stands above, as a notice, comes and goes with the data.
  useLayoutEffect(() => {
    const offset = body.current === null ? 0 : body.current.getBoundingClientRect().top + window.scrollY;
    setTop(Math.round(offset));
  }, [items, wide]);

  const rangeExtractor = useCallback(
    (range: Range) => {
      reading.current = groupIndexes.findLast((index) => index <= range.startIndex) ?? -1;
      const sticking = reading.current === -1 ? [] : [reading.current];
      return [...new Set([...sticking, ...defaultRangeExtractor(range)])].sort((a, b) => a - b);
    },
    [groupIndexes],
  );

  const margin = top - stickyPx;
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: (index) => (items[index]?.kind === "group" ? GROUP_PX : rowPx),
    getItemKey: (index) => items[index]?.key ?? index,
    rangeExtractor,
    overscan: 8,
    // Rows are counted from below what sticks: the first in range is the first that can be read.
    scrollMargin: margin,
    scrollPaddingStart: GROUP_PX,
    scrollPaddingEnd: stickyPx + 56,
  });

  useLayoutEffect(() => virtualizer.measure(), [virtualizer, wide]);

  function move(step: 1 | -1): void {
    const focused = document.activeElement?.getAttribute("data-row");
    const from = focused === null || focused === undefined ? (step === 1 ? reading.current : items.length) : Number(focused);
    const index = nextRow(items, from, step);
    if (index === undefined) return;
    virtualizer.scrollToIndex(index, { align: "auto" });
    // The row may only now come into the page.
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-row="${index}"]`)?.focus({ preventScroll: true }));
  }

  useHotkeys({ j: () => move(1), k: () => move(-1) });

  return (
    <div role="table" aria-label={label} aria-rowcount={items.length + 1} className="mt-3">
      <div className="sticky top-13 z-10 bg-bg max-md:sr-only">
        <div role="row" aria-rowindex={1} className={classNames(columns, "h-8 px-2.5 text-xs font-medium text-ink-3")}>
          {head}
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
              className={classNames(
                "inset-x-0 top-0 w-full",
                item.kind === "group" && "z-[5]",
                sticks ? "sticky top-13 md:top-21" : "absolute",
              )}
              style={sticks ? { height: size } : { height: size, transform: `translateY(${start - margin}px)` }}
            >
              {render(item, index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
