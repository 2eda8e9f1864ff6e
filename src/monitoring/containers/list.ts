import { z } from "zod";
import { compareNames } from "../../contract/words.ts";
import { type ContainerState, CONTAINER_STATES } from "../../events.ts";
import type { Order } from "../../http/cursor.ts";
import { sortedPage, type SortValue } from "../../http/sorting.ts";
import type { ContainerRecord, ListFilter, ListQuery, SortKey } from "./api.ts";
import { GROUP_SOURCES } from "./container.ts";
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

/** A row of the list. */
export interface ListRow {
  container: SavedContainer;
  uptime24h: number | null;
  /** The record as JSON without what it uses and the closing brace; made when somebody looks. */
  json: string | undefined;
}

/** Where a container stands in the list: the source and name of its group, its own name and id. */
export const place = z.tuple([z.enum(GROUP_SOURCES), z.string(), z.string(), z.number()]);
type Place = z.infer<typeof place>;

/** The worst first; an unhealthy one stands after those that do not run. */
const STATES: readonly ContainerState[] = ["dead", "restarting", "exited", "paused", "running", "created", "completed"];

function sortedBy(
  usedBy: (container: SavedContainer) => ContainerRecord["resources"],
): Readonly<Record<SortKey, (row: ListRow) => SortValue>> {
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

/** By group and name, those without a group last. */
const BY_GROUP: Order<ListRow, Place> = {
  place,
  placeOf: (row) => placeOf(row.container),
  compare: ([source, group, name, id], [otherSource, otherGroup, otherName, otherId]) =>
    Number(source === "default") - Number(otherSource === "default") ||
    compareNames(group, otherGroup) ||
    compareNames(source, otherSource) ||
    compareNames(name, otherName) ||
    id - otherId,
};

export function placeOf({ groupSource, group, name, id }: SavedContainer): Place {
  return [groupSource, group, name, id];
}

/** Rows in the order of the list. */
export function inOrder(rows: readonly ListRow[]): ListRow[] {
  return rows.toSorted((one, other) => BY_GROUP.compare(placeOf(one.container), placeOf(other.container)));
}

export function fittingRows(rows: readonly ListRow[], filter: ListFilter): ListRow[] {
  return rows.filter(({ container }) => fits(container, filter));
}

/** A page of the list as JSON bytes. Throws `unusable_values` for a cursor that is none. */
export function pageBody({
  rows,
  query,
  archivedCount,
  usedBy,
}: {
  /** In the order of the list. */
  rows: readonly ListRow[];
  query: ListQuery;
  archivedCount: number;
  usedBy(container: SavedContainer): ContainerRecord["resources"];
}): Buffer {
  const found = fittingRows(rows, query);
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
  for (const row of rows) {
    const { container } = row;
    const { group, groupSource: source } = container;
    if (last?.group === group && last.groupSource === source) pieces.push(",");
    else pieces.push(last === undefined ? "" : "]},", `{"name":${JSON.stringify(group)},"source":"${source}","containers":[`);
    row.json ??= JSON.stringify(containerFacts(container, row.uptime24h)).slice(0, -1);
    pieces.push(row.json, ',"resources":', JSON.stringify(usedBy(container)), "}");
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
