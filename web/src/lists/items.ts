/** A line of a list: the head of a group, or a row. */
export interface ListItem {
  kind: "group" | "row";
  key: string;
}

/** The lines that are shown: of a folded group only its head. */
export function shownItems<Item extends ListItem>(items: readonly Item[], isFolded: (key: string) => boolean): readonly Item[] {
  let hides = false;
  return items.filter((item) => {
    if (item.kind === "row") return !hides;
    hides = isFolded(item.key);
    return true;
  });
}

/**
 * The place of the next (`step` 1) or previous (-1) line beside `from` that keys stop at: rows, and heads with nothing shown below them, as
 * those of folded groups. Undefined when there is none.
 */
export function nextStop(items: readonly ListItem[], from: number, step: 1 | -1): number | undefined {
  for (let index = from + step; index >= 0 && index < items.length; index += step) {
    if (items[index]?.kind === "row" || items[index + 1]?.kind !== "row") return index;
  }
  return undefined;
}
