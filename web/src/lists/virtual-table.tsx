import { defaultRangeExtractor, useWindowVirtualizer, type Range } from "@tanstack/react-virtual";
import { useCallback, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useHotkeys } from "../app/hotkeys.ts";
import { usePreference } from "../app/preference.ts";
import { usePreferences } from "../app/preferences.ts";
import { useMedia } from "../app/use-media.ts";
import { classNames } from "../ui/class-names.ts";
import type { ColumnAttributes } from "./columns.ts";
import type { Fold } from "./group-head.tsx";
import { nextStop, shownItems, type ListItem } from "./items.ts";
import { ROWS_CLASS } from "./row-class.ts";
import type { Folds } from "./use-folds.ts";

interface Properties<Item extends ListItem> {
  label: string;
  items: readonly Item[];
  /** The columns' heads, of role `columnheader`. */
  head: ReactNode;
  /** Below 768 px the heads are left out altogether, and not only out of sight. */
  hidesHead?: boolean;
  /** The columns of head and rows, by class. */
  columns: string;
  /** Which of the columns are shown, for the classes of head and rows. */
  attributes?: ColumnAttributes;
  /** Rows can be selected by a finger: they make room for it. */
  isSelecting?: boolean;
  /** Which groups are folded; undefined while groups do not fold. */
  folds?: Folds | undefined;
  /** Heads of groups are as high as rows; they stick only while rows stand below them. */
  groupsAsRows?: boolean;
  /** All of it is how it was last seen. */
  stale?: boolean;
  /** What a line shows, filling its height; of a row its link has `data-row={index}`. `fold` is of heads alone. */
  render: (item: Item, index: number, fold: Fold | undefined) => ReactNode;
}

/** Heights that are known beforehand need no measuring, and nothing jumps. On a phone a finger folds groups. */
const GROUP_PX = { wide: 34, narrow: 40 };
/** As `--row` and `--row-narrow` say. */
const ROW_PX = { comfortable: { wide: 36, narrow: 58 }, compact: { wide: 28, narrow: 48 } };
/** What sticks above the rows: the top bar, and on wide screens the heads of the columns. */
const STICKY_PX = { wide: 84, narrow: 52 };
/** In the margin beside the heads no row shows its box either. */
const HEAD = "sticky top-13 z-10 bg-bg md:before:absolute md:before:inset-y-0 md:before:-left-6 md:before:w-6 md:before:bg-bg";
/** A list without groups has none. */
const NO_GROUP = -1;

/**
 * A long list: only the rows near the window are in the page, `j` and `k` go through them, and the head of the group that is being read stays
 * in view. `f` folds that group, `F` all of them.
 */
export function VirtualTable<Item extends ListItem>(properties: Properties<Item>) {
  const { label, items, head, columns, attributes, folds, render } = properties;
  const { hidesHead = false, isSelecting = false, groupsAsRows = false, stale = false } = properties;
  const wide = useMedia("(min-width: 768px)");
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const shown = useMemo(() => (folds === undefined ? items : shownItems(items, folds.isFolded)), [items, folds]);
  const { groupIndexes, reading, sticksAt, rangeExtractor } = useReadGroup(shown, groupsAsRows);
  /** The row that is about to get the focus: keys may be pressed faster than frames are painted. */
  const heading = useRef<number>(undefined);
  /** The line that gets the focus once folding has moved it. */
  const wanted = useRef<string>(undefined);
  const width = wide ? "wide" : "narrow";
  const rowPx = ROW_PX[usePreference(usePreferences().density)][width];
  const groupPx = groupsAsRows ? rowPx : GROUP_PX[width];
  const stickyPx = STICKY_PX[width];

  // What stands above, as a notice, comes and goes with the data.
  useLayoutEffect(() => {
    const offset = body.current === null ? 0 : body.current.getBoundingClientRect().top + window.scrollY;
    setTop(Math.round(offset));
  }, [items, wide]);

  // Another function would have all lines measured again.
  const keyOf = useCallback((index: number) => shown[index]?.key ?? index, [shown]);
  const margin = top - stickyPx;
  const virtualizer = useWindowVirtualizer({
    count: shown.length,
    estimateSize: (index) => (shown[index]?.kind === "group" ? groupPx : rowPx),
    getItemKey: keyOf,
    rangeExtractor,
    overscan: 8,
    // Rows are counted from below what sticks: the first in range is the first that can be read.
    scrollMargin: margin,
    scrollPaddingStart: groupPx,
    scrollPaddingEnd: stickyPx + 56,
  });

  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowPx, groupPx]);

  function focusRow(index: number): void {
    virtualizer.scrollToIndex(index, { align: "auto" });
    const row = (): HTMLElement | null | undefined => body.current?.querySelector<HTMLElement>(`[data-row="${index}"]`);
    heading.current = row() ? undefined : index;
    row()?.focus({ preventScroll: true });
    // It may only now come into the page.
    if (heading.current === undefined) return;
    requestAnimationFrame(() => {
      if (heading.current === index) heading.current = undefined;
      row()?.focus({ preventScroll: true });
    });
  }

  function focusedIndex(): number | undefined {
    if (heading.current !== undefined) return heading.current;
    const row = body.current?.contains(document.activeElement) === true && document.activeElement?.getAttribute("data-row");
    return row ? Number(row) : undefined;
  }

  function move(step: 1 | -1): void {
    // The head that is being read is a stop itself when its group is folded.
    const outside = step === 1 ? Math.max(reading.current, 0) - 1 : shown.length;
    const index = nextStop(shown, focusedIndex() ?? outside, step);
    if (index !== undefined) focusRow(index);
  }

  function toggle(index: number): void {
    const item = shown[index];
    if (folds === undefined || item === undefined) return;
    // The head of what is being read stays where it is: what is below it moves.
    if (index === reading.current) virtualizer.scrollToOffset(Math.min(window.scrollY, margin + offsetOf(index)));
    folds.toggle(item.key);
  }

  function offsetOf(index: number): number {
    return shown.slice(0, index).reduce((sum, { kind }) => sum + (kind === "group" ? groupPx : rowPx), 0);
  }

  function groupOf(index: number): number | undefined {
    return groupIndexes.findLast((group) => group <= index);
  }

  function toggleRead(): void {
    const index = groupOf(focusedIndex() ?? reading.current);
    if (index === undefined) return;
    wanted.current = shown[index]?.key;
    toggle(index);
  }

  function toggleAll(): void {
    if (folds === undefined) return;
    const index = groupOf(focusedIndex() ?? NO_GROUP);
    wanted.current = index === undefined ? undefined : shown[index]?.key;
    folds.setAll(groupIndexes.some((group) => !folds.isFolded(shown[group]?.key ?? "")));
  }

  useLayoutEffect(() => {
    const key = wanted.current;
    if (key === undefined) return;
    wanted.current = undefined;
    const index = shown.findIndex((item) => item.key === key);
    if (index !== -1) focusRow(index);
  });

  const folding = folds !== undefined && groupIndexes.length > 0;
  useHotkeys({ j: () => move(1), k: () => move(-1), ...(folding && { f: toggleRead, F: toggleAll }) });

  return (
    <div
      role="table"
      aria-label={label}
      aria-rowcount={shown.length + 1}
      data-stale={stale || undefined}
      data-selecting={isSelecting || undefined}
      {...attributes}
      className="mt-3"
    >
      <Head cells={head} columns={columns} isLeftOut={hidesHead} />
      <div role="rowgroup" ref={body} className={ROWS_CLASS} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start, size }) => {
          const item = shown[index];
          if (item === undefined) return null;
          return (
            <Line key={key} isHead={item.kind === "group"} sticks={sticksAt(index)} height={size} top={start - margin}>
              {render(
                item,
                index,
                folding && item.kind === "group" ? { isFolded: folds.isFolded(item.key), toggle: () => toggle(index) } : undefined,
              )}
            </Line>
          );
        })}
      </div>
    </div>
  );
}

/** Which group is being read: the last that begins at or above the first line in range. Its head stays in view. */
function useReadGroup(shown: readonly ListItem[], groupsAsRows: boolean) {
  const reading = useRef(NO_GROUP);
  const groupIndexes = useMemo(() => shown.flatMap((item, index) => (item.kind === "group" ? [index] : [])), [shown]);
  const sticksAt = useCallback(
    (index: number) => index === reading.current && index !== NO_GROUP && (!groupsAsRows || shown[index + 1]?.kind === "row"),
    [groupsAsRows, shown],
  );
  const rangeExtractor = useCallback(
    (range: Range) => {
      reading.current = groupIndexes.findLast((index) => index <= range.startIndex) ?? NO_GROUP;
      const sticking = sticksAt(reading.current) ? [reading.current] : [];
      return [...new Set([...sticking, ...defaultRangeExtractor(range)])].sort((a, b) => a - b);
    },
    [groupIndexes, sticksAt],
  );
  return { groupIndexes, reading, sticksAt, rangeExtractor };
}

/** The heads of the columns. On a phone, where rows have two lines, they are only read out, or left out. */
function Head({ cells, columns, isLeftOut }: { cells: ReactNode; columns: string; isLeftOut: boolean }) {
  return (
    <div className={classNames(HEAD, isLeftOut ? "max-md:hidden" : "max-md:sr-only")}>
      <div role="row" aria-rowindex={1} className={classNames(columns, "h-8 px-2.5 text-xs font-medium text-ink-3")}>
        {cells}
      </div>
    </div>
  );
}

interface LineProperties {
  isHead: boolean;
  /** It stays in view, as the head of what is being read. */
  sticks: boolean;
  height: number;
  top: number;
  children: ReactNode;
}

function Line({ isHead, sticks, height, top, children }: LineProperties) {
  return (
    <div
      className={classNames("inset-x-0 top-0 w-full", isHead && "z-[5]", sticks ? "sticky top-13 md:top-21" : "absolute")}
      style={sticks ? { height } : { height, transform: `translateY(${top}px)` }}
    >
      {children}
    </div>
  );
}
