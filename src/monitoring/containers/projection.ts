import type { z } from "zod";
import type { RuntimeKind } from "../../observations.ts";
import type { ContainerRecord, listQuery } from "./api.ts";
import { type GroupSource, usesResources } from "./container.ts";
import { containerFacts } from "./records.ts";
import type { SavedContainer } from "./rows.ts";

export type ListFilter = z.infer<typeof listQuery>;

interface Entry {
  container: SavedContainer;
  uptime24h: number | null;
  /** The record as JSON without what it uses and the closing brace, made when it changes, so that a list has only to join them. */
  json: string;
}

/** What a container of one host uses by its last tick, by the container's id; null when that is not known. */
export type ReadResources = (id: number) => ContainerRecord["resources"];

interface Group {
  name: string;
  source: GroupSource;
  /** By name. */
  entries: Entry[];
}

/** Bodies kept of the lists last asked for. */
const MAX_BODIES = 32;

/** Who is there, for those who measure it. */
export interface PresentContainers {
  get(id: number): SavedContainer | undefined;
  find(agentId: string | null, externalId: string): SavedContainer | undefined;
  ids(): Iterable<number>;
  /** Hosts that have containers. */
  hosts(): Iterable<string | null>;
  /** How many there are and run, without the ignored ones. */
  count(agentId: string | null): { running: number; total: number };
  /** What runs a host's containers; null while it has none. */
  runtimeOf(agentId: string | null): RuntimeKind | null;
  /** From now on rows of a host show these figures; undefined: none. Each is read when somebody looks. */
  setResources(agentId: string | null, read: ReadResources | undefined): void;
}

/**
 * The present containers as they were last saved, in memory: what a sighting is compared with, and the list of containers
 * as ready bytes. Rebuilt from the database at start; changed only after a commit.
 */
export interface Projection extends PresentContainers {
  all(): Iterable<SavedContainer>;
  ofHost(agentId: string | null): SavedContainer[];
  /** Keeps a saved container; an archived one leaves. */
  put(container: SavedContainer): void;
  setUptime24h(id: number, percent: number | null): void;
  uptime24h(id: number): number | null;
  resources(id: number): ContainerRecord["resources"];
  setArchivedCount(count: number): void;
  /** The list as JSON bytes, groups and names in order. */
  listBody(filter: ListFilter): Buffer;
}

export function createProjection(): Projection {
  const byId = new Map<number, Entry>();
  const byHost = new Map<string | null, Map<string, Entry>>();
  const groups: Group[] = [];
  const bodies = new Map<string, Buffer>();
  const resources = new Map<string | null, ReadResources>();
  let archivedCount = 0;

  function remove(entry: Entry): void {
    const { id, agentId, externalId } = entry.container;
    byId.delete(id);
    const ofHost = byHost.get(agentId);
    ofHost?.delete(externalId);
    if (ofHost?.size === 0) byHost.delete(agentId);
    leaveGroup(groups, entry);
  }

  function put(container: SavedContainer): void {
    bodies.clear();
    const known = byId.get(container.id);
    if (known !== undefined) remove(known);
    if (container.archivedAt !== null) return;
    const uptime24h = known?.uptime24h ?? null;
    const entry = { container, uptime24h, json: openJson(container, uptime24h) };
    byId.set(container.id, entry);
    let ofHost = byHost.get(container.agentId);
    if (ofHost === undefined) byHost.set(container.agentId, (ofHost = new Map()));
    ofHost.set(container.externalId, entry);
    joinGroup(groups, entry);
  }

  function usedBy({ id, agentId, state }: SavedContainer): ContainerRecord["resources"] {
    return usesResources(state) ? (resources.get(agentId)?.(id) ?? null) : null;
  }

  const ofHost = (agentId: string | null): SavedContainer[] => [...(byHost.get(agentId)?.values() ?? [])].map(({ container }) => container);

  return {
    get: (id) => byId.get(id)?.container,
    find: (agentId, externalId) => byHost.get(agentId)?.get(externalId)?.container,
    *all() {
      for (const { container } of byId.values()) yield container;
    },
    ids: () => byId.keys(),
    hosts: () => byHost.keys(),
    ofHost,
    count(agentId) {
      const shown = ofHost(agentId).filter(({ settings }) => !settings.ignored);
      return { running: shown.filter(({ state }) => state === "running").length, total: shown.length };
    },
    runtimeOf(agentId) {
      const [first] = byHost.get(agentId)?.values() ?? [];
      return first?.container.runtime ?? null;
    },
    put,
    setUptime24h(id, percent) {
      const entry = byId.get(id);
      if (entry === undefined || entry.uptime24h === percent) return;
      entry.uptime24h = percent;
      entry.json = openJson(entry.container, percent);
      bodies.clear();
    },
    uptime24h: (id) => byId.get(id)?.uptime24h ?? null,
    setResources(agentId, read) {
      if (read === undefined) resources.delete(agentId);
      else resources.set(agentId, read);
      bodies.clear();
    },
    resources(id) {
      const container = byId.get(id)?.container;
      return container === undefined ? null : usedBy(container);
    },
    setArchivedCount(count) {
      if (count === archivedCount) return;
      archivedCount = count;
      bodies.clear();
    },
    listBody(filter) {
      const key = JSON.stringify(filter);
      const kept = bodies.get(key);
      if (kept !== undefined) return kept;
      const body = bodyOf({ groups, filter, archivedCount, usedBy });
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
  for (const container of containers) joinGroup(groups, { container, uptime24h: null, json: openJson(container, null) });
  return bodyOf({ groups, filter, archivedCount, usedBy: () => null });
}

function openJson(container: SavedContainer, uptime24h: number | null): string {
  return JSON.stringify(containerFacts(container, uptime24h)).slice(0, -1);
}

function bodyOf({
  groups,
  filter,
  archivedCount,
  usedBy,
}: {
  groups: readonly Group[];
  filter: ListFilter;
  archivedCount: number;
  usedBy(container: SavedContainer): ContainerRecord["resources"];
}): Buffer {
  let total = 0;
  // All pieces are joined once at the end: texts made of texts made of texts would be copied as often.
  const pieces = ['{"groups":['];
  for (const { name, source, entries } of groups) {
    const shown = entries.filter(({ container }) => matches(container, filter));
    if (shown.length === 0) continue;
    pieces.push(total === 0 ? "" : ",", `{"name":${JSON.stringify(name)},"source":"${source}","containers":[`);
    for (const [index, { container, json }] of shown.entries())
      pieces.push(index === 0 ? "" : ",", json, ',"resources":', JSON.stringify(usedBy(container)), "}");
    pieces.push("]}");
    total += shown.length;
  }
  pieces.push(`],"total":${total},"archived_count":${archivedCount}}`);
  return Buffer.from(pieces.join(""));
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
