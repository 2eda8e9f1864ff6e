import { takeFocus } from "../app/focus-place.ts";
import { useHotkeys } from "../app/hotkeys.ts";

/** The rows of all lists of a page; lists have names. Heads of columns and groups are none. */
const ROWS = ["ul[aria-label] > li", "table[aria-label] > tbody > tr", "[role=row]:not(:has(> [role=columnheader], > [role=rowheader]))"]
  .map((row) => `main ${row}`)
  .join();
/** The element of a row that takes the focus: the first of these. */
const STOPS = "a[href], button:not(:disabled), summary, [tabindex='0']";
/** The height of the top bar: what is below it can be read. */
const TOP_PX = 52;

/** `j` and `k` go through the rows of the page, one list after the other. Enter then opens what has the focus. Long lists have {@link VirtualTable}. */
export function useRowKeys(): void {
  useHotkeys({ j: () => move(1), k: () => move(-1) });
}

function move(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)].filter(isRow);
  const focused = rows.findIndex((row) => row.contains(document.activeElement));
  const outside = step === 1 ? rows.find((row) => row.getBoundingClientRect().top >= TOP_PX) : rows.at(-1);
  const row = focused === -1 ? outside : rows[focused + step];
  if (row === undefined) return;
  const stop = [...row.querySelectorAll<HTMLElement>(STOPS)].find((element) => element.checkVisibility());
  takeFocus(stop ?? row);
  row.scrollIntoView({ block: "nearest" });
}

/** A list within a row is part of it. */
function isRow(element: HTMLElement): boolean {
  return element.parentElement?.closest(ROWS) === null && element.checkVisibility();
}
