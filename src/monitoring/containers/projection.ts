import type { z } from "zod";
import type { RuntimeKind } from "../../observations.ts";
import type { ContainerRecord, listQuery } from "./api.ts";
import { usesResources } from "./container.ts";
import { type Group, joinGroup, leaveGroup } from "./groups.ts";
import { containerFacts } from "./records.ts";
import type { SavedContainer } from "./rows.ts";

export type ListFilter = z.infer<typeof listQuery>;

interface ListEntry {
  container: SavedContainer;
  uptime24h: number | null;
}

interface Entry extends ListEntry {
  /** The record as JSON without what it uses and the closing brace, made when it changes, so that a list has only to join them. */
  json: string;
}

/** What a container of one host uses by its last tick, by the container's id; null when that is not known. */
export type ReadResources = (id: number) => ContainerRecord["resources"];

/** Bodies kept of the lists last asked for. */
const MAX_BODIES = 32;

/** Who is there, for those who measure it. */
export interface PresentContainers {
  get(id: number): SavedContainer | undefined;
  find(agentId: string | null, externalId: string): SavedContainer | undefined;
  /** Another number after anything about who is there, or about one of them, changed. */
  version(): number;
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
  /** Some of the list, in its order. */
  listPage(filter: ListFilter, page: PlaceInList): ListPage;
}

/** A container with what its row in a list says besides. */
export interface ListedContainer extends ListEntry {
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

export function createProjection(): Projection {
  const byId = new Map<number, Entry>();
  const byHost = new Map<string | null, Map<string, Entry>>();
  const groups: Group<Entry>[] = [];
  const bodies = new Map<string, Buffer>();
  const resources = new Map<string | null, ReadResources>();
  let archivedCount = 0;
  let version = 0;

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
    version += 1;
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
    version: () => version,
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
    listPage: (filter, page) => pageOf({ groups, filter, page, usedBy }),
  };
}

/** The list body of containers that are not in memory, such as archived ones. */
export function listBodyOf(containers: readonly SavedContainer[], filter: ListFilter, archivedCount: number): Buffer {
  const groups: Group<Entry>[] = [];
  for (const container of containers) joinGroup(groups, { container, uptime24h: null, json: openJson(container, null) });
  return bodyOf({ groups, filter, archivedCount, usedBy: () => null });
}

/** Some of the list of containers that are not in memory. */
export function listPageOf(containers: readonly SavedContainer[], filter: ListFilter, page: PlaceInList): ListPage {
  const groups: Group<ListEntry>[] = [];
  for (const container of containers) joinGroup(groups, { container, uptime24h: null });
  return pageOf({ groups, filter, page, usedBy: () => null });
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
  groups: readonly Group<Entry>[];
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

function pageOf({
  groups,
  filter,
  page: { offset, limit },
  usedBy,
}: {
  groups: readonly Group<ListEntry>[];
  filter: ListFilter;
  page: PlaceInList;
  usedBy(container: SavedContainer): ContainerRecord["resources"];
}): ListPage {
  const rows: ListedContainer[] = [];
  let total = 0;
  for (const { entries } of groups) {
    for (const { container, uptime24h } of entries) {
      if (!matches(container, filter)) continue;
      if (total >= offset && rows.length < limit) rows.push({ container, uptime24h, resources: usedBy(container) });
      total += 1;
    }
  }
  return { rows, total };
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
