import { createKeptBodies } from "../../http/kept-bodies.ts";
import type { RuntimeKind } from "../../observations.ts";
import type { ContainerRecord, ListFilter, ListQuery } from "./api.ts";
import { usesResources, isBeside } from "./container.ts";
import { fittingRows, inOrder, type ListPage, type ListRow, pageBody, type PlaceInList } from "./list.ts";
import type { SavedContainer } from "./rows.ts";

interface Host {
  byExternalId: Map<string, ListRow>;
  byIdentity: Map<string, ListRow>;
  /** Removed, and may be re-created. */
  awaited: Set<ListRow>;
  beside: Set<ListRow>;
}

/** What a row of the list shows, and what is summed. */
export type Usage = NonNullable<ContainerRecord["resources"]> & { cpu_cores_used: number | null };

/** What a container of one host uses by its last tick, by the container's id; null when that is not known. */
export type ReadResources = (id: number) => Usage | null;

/** Who is there, for those who measure it. One that was removed a moment ago, and may be re-created, can be got and found, but is in no list or count. */
export interface PresentContainers {
  get(id: number): SavedContainer | undefined;
  /** By the runtime's identifier of the container that is there now. */
  find(agentId: string | null, externalId: string): SavedContainer | undefined;
  /** Another number after anything about who is there, or about one of them, changed. */
  version(): number;
  ids(): Iterable<number>;
  /** Those too that were removed and may be re-created. */
  knownIds(): Iterable<number>;
  /** What it uses by the last tick; null when that is not known. */
  usage(id: number): Usage | null;
  /** As its row in the list shows it. */
  resources(id: number): ContainerRecord["resources"];
  /** Hosts that have containers. */
  hosts(): Iterable<string | null>;
  ofHost(agentId: string | null): SavedContainer[];
  /** How many there are and run, without the ignored ones. */
  count(agentId: string | null): { running: number; total: number };
  /** What runs a host's containers; null while it has none. */
  runtimeOf(agentId: string | null): RuntimeKind | null;
  /** From now on rows of a host show these figures; undefined: none. Each is read when somebody looks. */
  setResources(agentId: string | null, read: ReadResources | undefined): void;
}

/**
 * The present containers as they were last saved, in memory: what a sighting is compared with, and the list of containers,
 * whose order and JSON are made when somebody looks. Rebuilt from the database at start; changed only after a commit.
 */
export interface Projection extends PresentContainers {
  all(): Iterable<SavedContainer>;
  /** Those that were removed and may be re-created. */
  awaited(agentId: string | null): SavedContainer[];
  /** Those that are there beside another of their identity. */
  beside(agentId: string | null): SavedContainer[];
  /** How many of a host are kept, and how many of these were removed and may be re-created. */
  size(agentId: string | null): { known: number; awaited: number };
  /** Who has an identity, be it awaited. */
  holder(agentId: string | null, identity: string): SavedContainer | undefined;
  /** Keeps a saved container; one that was given up leaves. */
  put(container: SavedContainer): void;
  /** Calls back after each container that is kept, or leaves. */
  onPut(listener: (container: SavedContainer) => void): void;
  setUptime24h(id: number, percent: number | null): void;
  uptime24h(id: number): number | null;
  setArchivedCount(count: number): void;
  /** How many containers there have been in one's place, by id. */
  setGenerations(generations: ReadonlyMap<number, number>): void;
  /** A page of the list as JSON bytes, groups and names in order. Throws `unusable_values` for a cursor that is none. */
  listBody(query: ListQuery): Buffer;
  /** Some of the list, in its order. */
  listPage(filter: ListFilter, page: PlaceInList): ListPage;
}

export function createProjection(): Projection {
  const byId = new Map<number, ListRow>();
  const byHost = new Map<string | null, Host>();
  const resources = new Map<string | null, ReadResources>();
  const listeners: ((container: SavedContainer) => void)[] = [];
  /** Those that are there, in the order of the list; made when somebody looks. */
  let ordered: ListRow[] | undefined;
  let archivedCount = 0;
  let version = 0;
  /** Another number after anything changed that a list shows. */
  let listVersion = 0;
  const bodies = createKeptBodies(() => listVersion);

  function remove(row: ListRow): void {
    const { id, agentId, externalId, identity } = row.container;
    byId.delete(id);
    const host = byHost.get(agentId);
    if (host?.byExternalId.get(externalId) === row) host.byExternalId.delete(externalId);
    if (host?.byIdentity.get(identity) === row) host.byIdentity.delete(identity);
    host?.awaited.delete(row);
    host?.beside.delete(row);
    if (host?.byExternalId.size === 0) byHost.delete(agentId);
  }

  function put(container: SavedContainer): void {
    keep(container);
    for (const listener of listeners) listener(container);
  }

  function keep(container: SavedContainer): void {
    listVersion += 1;
    version += 1;
    const known = byId.get(container.id);
    if (known === undefined || !isSamePlace(known.container, container)) ordered = undefined;
    if (known !== undefined) remove(known);
    if (container.removedAt !== null) return;
    const row = known ?? { container, uptime24h: null, json: undefined };
    row.container = container;
    row.json = undefined;
    byId.set(container.id, row);
    let host = byHost.get(container.agentId);
    if (host === undefined) byHost.set(container.agentId, (host = newHost()));
    host.byExternalId.set(container.externalId, row);
    host.byIdentity.set(container.identity, row);
    if (isBeside(container)) host.beside.add(row);
    if (container.archivedAt !== null) host.awaited.add(row);
  }

  function rows(): ListRow[] {
    return (ordered ??= inOrder([...byId.values()].filter(({ container }) => container.archivedAt === null)));
  }

  function usageOf({ id, agentId, state }: SavedContainer): Usage | null {
    return usesResources(state) ? (resources.get(agentId)?.(id) ?? null) : null;
  }

  function usedBy(container: SavedContainer): ContainerRecord["resources"] {
    const usage = usageOf(container);
    if (usage === null) return null;
    const { cpu_cores_used: _, ...shown } = usage;
    return shown;
  }

  function* allOf(agentId: string | null): Generator<SavedContainer> {
    for (const { container } of byHost.get(agentId)?.byExternalId.values() ?? []) yield container;
  }
  const ofHost = (agentId: string | null): SavedContainer[] => [...allOf(agentId)].filter(({ archivedAt }) => archivedAt === null);

  return {
    get: (id) => byId.get(id)?.container,
    find: (agentId, externalId) => byHost.get(agentId)?.byExternalId.get(externalId)?.container,
    version: () => version,
    *all() {
      for (const { container } of byId.values()) if (container.archivedAt === null) yield container;
    },
    *ids() {
      for (const { container } of byId.values()) if (container.archivedAt === null) yield container.id;
    },
    knownIds: () => byId.keys(),
    hosts: () => byHost.keys(),
    ofHost,
    awaited: (agentId) => [...(byHost.get(agentId)?.awaited ?? [])].map(({ container }) => container),
    beside: (agentId) =>
      [...(byHost.get(agentId)?.beside ?? [])].map(({ container }) => container).filter(({ archivedAt }) => archivedAt === null),
    size(agentId) {
      const host = byHost.get(agentId);
      return { known: host?.byExternalId.size ?? 0, awaited: host?.awaited.size ?? 0 };
    },
    holder: (agentId, identity) => byHost.get(agentId)?.byIdentity.get(identity)?.container,
    count(agentId) {
      const shown = ofHost(agentId).filter(({ settings }) => !settings.ignored);
      return { running: shown.filter(({ state }) => state === "running").length, total: shown.length };
    },
    runtimeOf(agentId) {
      const [first] = allOf(agentId);
      return first?.runtime ?? null;
    },
    put,
    onPut: (listener) => void listeners.push(listener),
    setUptime24h(id, percent) {
      const row = byId.get(id);
      if (row === undefined || row.uptime24h === percent) return;
      row.uptime24h = percent;
      row.json = undefined;
      listVersion += 1;
    },
    uptime24h: (id) => byId.get(id)?.uptime24h ?? null,
    setResources(agentId, read) {
      if (read === undefined) resources.delete(agentId);
      else resources.set(agentId, read);
      listVersion += 1;
    },
    usage(id) {
      const container = byId.get(id)?.container;
      return container === undefined ? null : usageOf(container);
    },
    resources(id) {
      const container = byId.get(id)?.container;
      return container === undefined ? null : usedBy(container);
    },
    setArchivedCount(count) {
      if (count === archivedCount) return;
      archivedCount = count;
      listVersion += 1;
    },
    setGenerations(generations) {
      for (const [id, generation] of generations) {
        const known = byId.get(id)?.container;
        if (known !== undefined && known.generation < generation) put({ ...known, generation });
      }
    },
    listBody: (query) => bodies.get(query, () => pageBody({ rows: rows(), query, archivedCount, usedBy })),
    listPage(filter, { offset, limit }) {
      const found = fittingRows(rows(), filter);
      const page = found
        .slice(offset, offset + limit)
        .map(({ container, uptime24h }) => ({ container, uptime24h, resources: usedBy(container) }));
      return { rows: page, total: found.length };
    },
  };
}

/** Whether one that changed stands in the list where it stood. */
function isSamePlace(before: SavedContainer, after: SavedContainer): boolean {
  const isListed = ({ archivedAt, removedAt }: SavedContainer): boolean => archivedAt === null && removedAt === null;
  const { name, group, groupSource } = before;
  return isListed(before) === isListed(after) && name === after.name && group === after.group && groupSource === after.groupSource;
}

function newHost(): Host {
  return { byExternalId: new Map(), byIdentity: new Map(), awaited: new Set(), beside: new Set() };
}
