import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useHotkeys } from "../app/hotkeys.ts";
import { rangeOf, toggleMarks } from "./selection.ts";

const NONE: ReadonlySet<number> = new Set();

/** Which rows of a list are selected. Those that are not shown any more are not. */
export interface Selection<Row extends { id: number }> {
  rows: readonly Row[];
  /** Rows are being selected, though maybe none is yet. */
  isOn: boolean;
  areAll: boolean;
  has: (id: number) => boolean;
  /** Selects a row, or lets it go; with `withRange` all from the row chosen before. It is always the same function. */
  toggle: (id: number, withRange: boolean) => void;
  /** Selects all that are shown, or lets all go. */
  toggleAll: () => void;
  start: () => void;
  clear: () => void;
}

/**
 * The rows that the reader selects for what is done next: `x` the focused one, `X` all, Escape none. A row has its id as `data-id`. Where
 * `isEnabled` is false there is nothing to select for.
 */
export function useSelection<Row extends { id: number }>(shown: readonly Row[], isEnabled = true): Selection<Row> {
  const [marked, setMarked] = useState(NONE);
  const [isOn, setOn] = useState(false);
  const latest = useRef({ shown, marked });
  const anchor = useRef<number>(undefined);
  useLayoutEffect(() => {
    latest.current = { shown, marked };
  });

  const toggle = useCallback((id: number, withRange: boolean) => {
    const ids = latest.current.shown.map((row) => row.id);
    const range = withRange ? rangeOf(ids, anchor.current, id) : undefined;
    anchor.current = id;
    setMarked((before) => toggleMarks(before, id, range));
  }, []);

  const rows = useMemo(() => (marked.size === 0 ? [] : shown.filter(({ id }) => marked.has(id))), [shown, marked]);
  const areAll = shown.length > 0 && rows.length === shown.length;
  const isSelecting = isEnabled && (isOn || rows.length > 0);

  function toggleAll(): void {
    setMarked(areAll ? NONE : new Set(shown.map(({ id }) => id)));
  }

  function clear(): void {
    setMarked(NONE);
    setOn(false);
  }

  useHotkeys(
    isEnabled
      ? {
          x() {
            const id = focusedId();
            if (id !== undefined && shown.some((row) => row.id === id)) toggle(id, false);
          },
          X: toggleAll,
          ...(isSelecting && { Escape: clear }),
        }
      : {},
  );

  return {
    rows: isEnabled ? rows : [],
    isOn: isSelecting,
    areAll,
    has: (id) => isEnabled && marked.has(id),
    toggle,
    toggleAll,
    start: () => setOn(true),
    clear,
  };
}

function focusedId(): number | undefined {
  const id = document.activeElement?.closest("[data-id]")?.getAttribute("data-id");
  return id === null || id === undefined ? undefined : Number(id);
}
