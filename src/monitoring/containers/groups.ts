import { compareNames } from "../../contract/names.ts";
import type { GroupSource } from "./container.ts";
import type { SavedContainer } from "./rows.ts";

interface GroupName {
  name: string;
  source: GroupSource;
}

interface Grouped {
  container: SavedContainer;
}

interface Named {
  container: Pick<SavedContainer, "name" | "id">;
}

/** What is shown under one heading. */
export interface Group<Entry> extends GroupName {
  /** By name. */
  entries: Entry[];
}

/** Groups by name, that of those without one last. */
export function compareGroups(a: GroupName, b: GroupName): number {
  return (
    Number(a.source === "default") - Number(b.source === "default") || compareNames(a.name, b.name) || compareNames(a.source, b.source)
  );
}

export function compareEntries(a: Named, b: Named): number {
  return compareNames(a.container.name, b.container.name) || a.container.id - b.container.id;
}

/** Puts one into its group, in order; begins the group when there is none. */
export function joinGroup<Entry extends Grouped>(groups: Group<Entry>[], entry: Entry): void {
  const { group: name, groupSource: source } = entry.container;
  const wanted: Group<Entry> = { name, source, entries: [] };
  const at = firstNotBefore(groups, wanted, compareGroups);
  const found = groups[at];
  const group = found !== undefined && compareGroups(found, wanted) === 0 ? found : wanted;
  if (group === wanted) groups.splice(at, 0, wanted);
  group.entries.splice(firstNotBefore(group.entries, entry, compareEntries), 0, entry);
}

/** The last one takes the group along. */
export function leaveGroup<Entry extends Grouped>(groups: Group<Entry>[], entry: Entry): void {
  const { group: name, groupSource: source } = entry.container;
  const at = firstNotBefore(groups, { name, source }, compareGroups);
  const group = groups[at];
  if (group === undefined) return;
  const index = group.entries.indexOf(entry);
  if (index !== -1) group.entries.splice(index, 1);
  if (group.entries.length === 0) groups.splice(at, 1);
}

/** The first place in a sorted list whose item does not come before the wanted one. */
function firstNotBefore<Item>(sorted: readonly Item[], wanted: Item, compare: (a: Item, b: Item) => number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = sorted[middle];
    if (item !== undefined && compare(item, wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
