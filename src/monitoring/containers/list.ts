import { z } from "zod";
import type { ContainerState } from "../../events.ts";
import type { Order } from "../../http/cursor.ts";
import { sortedPage, type SortValue } from "../../http/sorting.ts";
import { container as schema, type ContainerRecord, type ListFilter, type ListQuery, type SortKey } from "./api.ts";
import { compareEntries, compareGroups, type Group } from "./groups.ts";
import { containerFacts } from "./records.ts";
import type { SavedContainer } from "./rows.ts";

/** A container with what its row in a list says besides. */
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
export const place = z.tuple([schema.shape.group_source, z.string(), z.string(), z.number()]);
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
