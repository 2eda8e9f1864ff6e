/** A line of the table: the head of a group, or a row. */
export interface TableItem {
  kind: "group" | "row";
  key: string;
}

/** The place of the next (`step` 1) or previous (-1) row beside `from`; undefined when there is none. */
export function nextRow(items: readonly TableItem[], from: number, step: 1 | -1): number | undefined {
  for (let index = from + step; index >= 0 && index < items.length; index += step) if (items[index]?.kind === "row") return index;
  return undefined;
}
