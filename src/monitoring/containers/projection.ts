import type { z } from "zod";
import type { listQuery } from "./api.ts";
import type { GroupSource } from "./container.ts";
import { containerRecord } from "./records.ts";
import type { SavedContainer } from "./rows.ts";

export type ListFilter = z.infer<typeof listQuery>;

interface Entry {
  container: SavedContainer;
  uptime24h: number | null;
  /** The record as JSON, made when it changes, so that a list has only to join them. */
  json: string;
}

interface Group {
  name: string;
  source: GroupSource;
  /** By name. */
  entries: Entry[];
}

/** Bodies kept of the lists last asked for. */
const MAX_BODIES = 32;

/**
 * The present containers as they were last saved, in memory: what a sighting is compared with, and the list of containers
 * as ready bytes. Rebuilt from the database at start; changed only after a commit.
 */
export interface Projection {
  get(id: number): SavedContainer | undefined;
  find(agentId: string | null, externalId: string): SavedContainer | undefined;
  all(): Iterable<SavedContainer>;
  ofHost(agentId: string | null): SavedContainer[];
  /** Keeps a saved container; an archived one leaves. */
  put(container: SavedContainer): void;
  setUptime24h(id: number, percent: number | null): void;
  uptime24h(id: number): number | null;
  setArchivedCount(count: number): void;
  /** The list as JSON bytes, groups and names in order. */
  listBody(filter: ListFilter): Buffer;
}

export function createProjection(): Projection {
  const byId = new Map<number, Entry>();
  const byIdentity = new Map<string, Entry>();
  const groups: Group[] = [];
  const bodies = new Map<string, Buffer>();
  let archivedCount = 0;

  const identity = ({ agentId, externalId }: Pick<SavedContainer, "agentId" | "externalId">): string => `${agentId ?? ""}/${externalId}`;

  function remove(entry: Entry): void {
    byId.delete(entry.container.id);
    byIdentity.delete(identity(entry.container));
    leaveGroup(groups, entry);
  }

  function put(container: SavedContainer): void {
    bodies.clear();
    const known = byId.get(container.id);
    if (known !== undefined) remove(known);
    if (container.archivedAt !== null) return;
    const uptime24h = known?.uptime24h ?? null;
    const entry = { container, uptime24h, json: JSON.stringify(containerRecord(container, uptime24h)) };
    byId.set(container.id, entry);
    byIdentity.set(identity(container), entry);
    joinGroup(groups, entry);
  }

  return {
    get: (id) => byId.get(id)?.container,
    find: (agentId, externalId) => byIdentity.get(identity({ agentId, externalId }))?.container,
    *all() {
      for (const { container } of byId.values()) yield container;
    },
    ofHost: (agentId) => [...byId.values()].map(({ container }) => container).filter((container) => container.agentId === agentId),
    put,
    setUptime24h(id, percent) {
      const entry = byId.get(id);
      if (entry === undefined || entry.uptime24h === percent) return;
      entry.uptime24h = percent;
      entry.json = JSON.stringify(containerRecord(entry.container, percent));
      bodies.clear();
    },
    uptime24h: (id) => byId.get(id)?.uptime24h ?? null,
    setArchivedCount(count) {
      if (count === archivedCount) return;
      archivedCount = count;
      bodies.clear();
    },
    listBody(filter) {
      const key = JSON.stringify(filter);
      const kept = bodies.get(key);
      if (kept !== undefined) return kept;
      const body = bodyOf(groups, filter, archivedCount);
      const [oldest] = bodies.keys();
      if (bodies.size >= MAX_BODIES && oldest !== undefined) bodies.delete(oldest);
      bodies.set(key, body);
      return body;
    },
  };
}

/** The list body of containers that are not in memory, such as archived ones. */
export function listBodyOf(containers: readonly SavedContainer[], filter: ListFilter, archivedCount: number): Buffer {
  const groups: Group[] = [];
  for (const container of containers)
    joinGroup(groups, { container, uptime24h: null, json: JSON.stringify(containerRecord(container, null)) });
  return bodyOf(groups, filter, archivedCount);
}

function bodyOf(groups: readonly Group[], filter: ListFilter, archivedCount: number): Buffer {
  let total = 0;
  const parts: string[] = [];
  for (const { name, source, entries } of groups) {
    const jsons = entries.filter(({ container }) => matches(container, filter)).map(({ json }) => json);
    if (jsons.length === 0) continue;
    total += jsons.length;
    parts.push(`{"name":${JSON.stringify(name)},"source":"${source}","containers":[${jsons.join(",")}]}`);
  }
  return Buffer.from(`{"groups":[${parts.join(",")}],"total":${total},"archived_count":${archivedCount}}`);
}

function matches(container: SavedContainer, filter: ListFilter): boolean {
  if (container.settings.ignored && !filter.ignored) return false;
  if (filter.state !== undefined && container.state !== filter.state) return false;
  if (filter.health !== undefined && (container.health ?? "none") !== filter.health) return false;
  if (filter.group !== undefined && container.group !== filter.group) return false;
  if (filter.agent_id !== undefined && (container.agentId ?? "local") !== filter.agent_id) return false;
  if (filter.search === undefined) return true;
  const wanted = filter.search.toLowerCase();
  return container.name.toLowerCase().includes(wanted) || container.image.toLowerCase().includes(wanted);
}

const compareText = new Intl.Collator("en", { numeric: true }).compare;

/** Groups by name, that of those without one last. */
function compareGroups(a: Pick<Group, "name" | "source">, b: Pick<Group, "name" | "source">): number {
  return (
    Number(a.source === "default") - Number(b.source === "default") || compareNames(a.name, b.name) || compareNames(a.source, b.source)
  );
}

function compareEntries(a: Entry, b: Entry): number {
  return compareNames(a.container.name, b.container.name) || a.container.id - b.container.id;
}

/** As people sort; 0 only for the same text, though they would sort `1` and `01` alike. */
function compareNames(a: string, b: string): number {
  return compareText(a, b) || Number(a > b) - Number(a < b);
}

function joinGroup(groups: Group[], entry: Entry): void {
  const { group: name, groupSource: source } = entry.container;
  const wanted: Group = { name, source, entries: [] };
  const at = firstNotBefore(groups, wanted, compareGroups);
  const found = groups[at];
  const group = found !== undefined && compareGroups(found, wanted) === 0 ? found : wanted;
  if (group === wanted) groups.splice(at, 0, wanted);
  group.entries.splice(firstNotBefore(group.entries, entry, compareEntries), 0, entry);
}

function leaveGroup(groups: Group[], entry: Entry): void {
  const { group: name, groupSource: source } = entry.container;
  const at = firstNotBefore(groups, { name, source, entries: [] }, compareGroups);
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
