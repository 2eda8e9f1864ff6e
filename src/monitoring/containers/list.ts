import { z } from "zod";
import { compareNames } from "../../contract/words.ts";
import { type ContainerState, CONTAINER_STATES } from "../../events.ts";
import type { Order } from "../../http/cursor.ts";
import { sortedPage, type SortValue } from "../../http/sorting.ts";
import type { ContainerRecord, ListFilter, ListQuery, SortKey } from "./api.ts";
import { GROUP_SOURCES, type GroupSource } from "./container.ts";
import { containerFacts } from "./records.ts";
import type { SavedContainer } from "./rows.ts";

/** A container with the extra facts of its row in a list. */
export interface ListedContainer {
  container: SavedContainer;
  uptime24h: number | null;
  resources: ContainerRecord["resources"];
}

export interface PlaceInList {
  offset: number;
  limit: number;
}

export interface ListPage {
  rows: ListedContainer[];
  /** Of all pages. */
  total: number;
}

/** A row that can be sorted by. */
interface SortedRow extends ListRow {
  uptime24h: number | null;
}

/** A row of the list: a container, and the record as JSON without what it uses and the closing brace. */
export interface ListRow {
  container: SavedContainer;
  json: string;
}

/** Where a container stands in the list: the source and name of its group, its own name and id. */
export const place = z.tuple([z.enum(GROUP_SOURCES), z.string(), z.string(), z.number()]);
type Place = z.infer<typeof place>;

/** The worst first; an unhealthy one stands after those that do not run. */
const STATES: readonly ContainerState[] = ["dead", "restarting", "exited", "paused", "running", "created", "completed"];

function sortedBy(
  usedBy: (container: SavedContainer) => ContainerRecord["resources"],
): Readonly<Record<SortKey, (row: SortedRow) => SortValue>> {
  return {
    name: ({ container }) => container.name,
    image: ({ container }) => container.image,
    state: ({ container: { state, health } }) =>
      STATES.indexOf(state) + (state === "running" && health !== "unhealthy" ? STATES.length : 0),
    cpu: ({ container }) => usedBy(container)?.cpu_percent ?? null,
    memory: ({ container }) => usedBy(container)?.memory_bytes ?? null,
    uptime: ({ uptime24h }) => uptime24h,
    restarts: ({ container }) => container.restartCount,
    since: ({ container }) => container.lastStateChangeAt.getTime(),
  };
}

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
function compareGroups(a: GroupName, b: GroupName): number {
  return (
    Number(a.source === "default") - Number(b.source === "default") || compareNames(a.name, b.name) || compareNames(a.source, b.source)
  );
}

function compareEntries(a: Named, b: Named): number {
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

const BY_GROUP: Order<ListRow, Place> = {
  place,
  placeOf: (row) => placeOf(row.container),
  compare: ([source, group, name, id], [otherSource, otherGroup, otherName, otherId]) =>
    compareGroups({ source, name: group }, { source: otherSource, name: otherGroup }) ||
    compareEntries({ container: { name, id } }, { container: { name: otherName, id: otherId } }),
};

export function placeOf({ groupSource, group, name, id }: SavedContainer): Place {
  return [groupSource, group, name, id];
}

/** The record as JSON, but for what it uses and the closing brace. */
export function openJson(container: SavedContainer, uptime24h: number | null): string {
  return JSON.stringify(containerFacts(container, uptime24h)).slice(0, -1);
}

/** The containers that fit, group by group. */
export function* fittingRows<Row extends { container: SavedContainer }>(groups: readonly Group<Row>[], filter: ListFilter): Generator<Row> {
  for (const { entries } of groups) for (const row of entries) if (fits(row.container, filter)) yield row;
}

/** A page of the list as JSON bytes. Throws `unusable_values` for a cursor that is none. */
export function pageBody({
  groups,
  query,
  archivedCount,
  usedBy,
}: {
  groups: readonly Group<SortedRow>[];
  query: ListQuery;
  archivedCount: number;
  usedBy(container: SavedContainer): ContainerRecord["resources"];
}): Buffer {
  const found = [...fittingRows(groups, query)];
  const { page, next } = sortedPage(found, query, BY_GROUP, sortedBy(usedBy));
  return bodyOf(page, { total: found.length, archivedCount, next, usedBy });
}

/** Rows in the order of the list as JSON bytes. */
export function bodyOf(
  rows: readonly ListRow[],
  {
    total,
    archivedCount,
    next,
    usedBy,
  }: { total: number; archivedCount: number; next: string | null; usedBy(container: SavedContainer): ContainerRecord["resources"] },
): Buffer {
  // All pieces are joined once at the end: texts made of texts made of texts would be copied as often.
  const pieces = ['{"groups":['];
  let last: SavedContainer | undefined;
  for (const { container, json } of rows) {
    const { group, groupSource: source } = container;
    if (last?.group === group && last.groupSource === source) pieces.push(",");
    else pieces.push(last === undefined ? "" : "]},", `{"name":${JSON.stringify(group)},"source":"${source}","containers":[`);
    pieces.push(json, ',"resources":', JSON.stringify(usedBy(container)), "}");
    last = container;
  }
  if (last !== undefined) pieces.push("]}");
  pieces.push(`],"total":${total},"archived_count":${archivedCount},"next_cursor":${JSON.stringify(next)}}`);
  return Buffer.from(pieces.join(""));
}

function fits(container: SavedContainer, filter: ListFilter): boolean {
  if (container.settings.ignored && !filter.ignored) return false;
  if (filter.state !== undefined && container.state !== filter.state) return false;
  if (filter.health !== undefined && (container.health ?? "none") !== filter.health) return false;
  if (filter.group !== undefined && container.group !== filter.group) return false;
  if (filter.agent_id !== undefined && (container.agentId ?? "local") !== filter.agent_id) return false;
  if (filter.search === undefined) return true;
  const wanted = filter.search.toLowerCase();
  return container.name.toLowerCase().includes(wanted) || container.image.toLowerCase().includes(wanted);
}

/** How many containers there are, without the ignored ones. */
export interface ContainerCounts {
  total: number;
  byState: Record<ContainerState, number>;
  unhealthy: number;
  inRestartLoop: number;
}

export function countsOf(containers: Iterable<SavedContainer>): ContainerCounts {
  // One entry for each state is all that the type asks for.
  const byState = Object.fromEntries(CONTAINER_STATES.map((state) => [state, 0])) as Record<ContainerState, number>;
  const counts: ContainerCounts = { total: 0, byState, unhealthy: 0, inRestartLoop: 0 };
  for (const { settings, state, health, restartHistory } of containers) {
    if (settings.ignored) continue;
    counts.total += 1;
    byState[state] += 1;
    if (health === "unhealthy") counts.unhealthy += 1;
    if (restartHistory.loop !== null) counts.inRestartLoop += 1;
  }
  return counts;
}
