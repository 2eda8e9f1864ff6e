import { z } from "zod";
import { ENDPOINT_STATUSES, type EndpointStatus } from "../../contract/endpoint.ts";
import { compareNames } from "../../contract/words.ts";
import type { Order } from "../../http/cursor.ts";
import { sortedPage, type SortValue } from "../../http/sorting.ts";
import type { ContainerEndpoints, EndpointList, EndpointRecord, Sparklines } from "./answers.ts";
import type { ListFilter, ListQuery, SortKey } from "./api.ts";
import { shownTarget } from "./definition.ts";
import { keyOf, listedStatus, longestMs, type SavedEndpoint } from "./endpoint.ts";
import { endpointRecord } from "./records.ts";
import { newTally, pointsOf, type Tally, uptime24h } from "./tally.ts";

interface Entry {
  endpoint: SavedEndpoint;
  tally: Tally;
}

/**
 * All endpoints as they were last saved, with what was counted of them, in memory. Rebuilt from the database at start; changed only
 * after a commit.
 */
export interface Projection {
  get(id: number): SavedEndpoint | undefined;
  /** By the name that its host's results have. */
  find(agentId: string | null, key: string): SavedEndpoint | undefined;
  /** Whichever host checked them last: a container may move to another. */
  ofContainer(containerId: number): SavedEndpoint[];
  /** Those of a host that labels ask for, or asked for. */
  labelledOf(agentId: string | null): ReadonlySet<number>;
  all(): Iterable<SavedEndpoint>;
  /** The one that is kept, to count in. */
  tally(id: number): Tally;
  put(endpoint: SavedEndpoint, tally: Tally): void;
  remove(id: number): void;
  /** The status by which lists filter and count. */
  listedStatus(endpoint: SavedEndpoint): EndpointStatus;
  /** By name. */
  matching(filter: ListFilter): SavedEndpoint[];
  /** Throws `unusable_values` for a cursor that is none. */
  list(query: ListQuery, now: Date): EndpointList;
  recordsOfContainer(containerId: number, now: Date): ContainerEndpoints;
  /** Of a host, `local` or an agent's; undefined: of all. */
  sparklines(host: string | undefined, now: Date): Sparklines;
}

/** `isHostLost`: whether nothing comes from a host. */
export function createProjection(isHostLost: (agentId: string | null) => boolean = () => false): Projection {
  const entries = new Map<number, Entry>();
  const byKey = new Map<string, number>();
  const byContainer = new Map<number, Set<number>>();
  const labelled = new Map<string | null, Set<number>>();
  /** By name; undefined after one came, went or was renamed. */
  let sorted: Entry[] | undefined;

  const statusOf = (endpoint: SavedEndpoint): EndpointStatus => listedStatus(endpoint, isHostLost(endpoint.agentId));
  const place = (agentId: string | null, key: string): string => `${agentId ?? ""} ${key}`;

  function forget({ endpoint }: Entry): void {
    const { id, agentId, container, labelKey } = endpoint;
    byKey.delete(place(agentId, keyOf(endpoint)));
    if (labelKey !== null) drop(labelled, agentId, id);
    if (container?.id != null) drop(byContainer, container.id, id);
  }

  function remember({ endpoint }: Entry): void {
    const { id, agentId, container, labelKey } = endpoint;
    byKey.set(place(agentId, keyOf(endpoint)), id);
    if (labelKey !== null) add(labelled, agentId, id);
    if (container?.id != null) add(byContainer, container.id, id);
  }

  function inOrder(): Entry[] {
    return (sorted ??= [...entries.values()].sort((a, b) => BY_NAME.compare(BY_NAME.placeOf(a), BY_NAME.placeOf(b))));
  }

  function found(filter: ListFilter): Entry[] {
    return inOrder().filter(({ endpoint }) => matches(endpoint, filter, statusOf));
  }

  /** An entry lives as long as its endpoint, so that its place in the order is found once. */
  function put(endpoint: SavedEndpoint, tally: Tally): void {
    const known = entries.get(endpoint.id);
    if (known === undefined) {
      const entry = { endpoint, tally };
      entries.set(endpoint.id, entry);
      remember(entry);
      sorted = undefined;
      return;
    }
    if (known.endpoint.name !== endpoint.name) sorted = undefined;
    const before = known.endpoint;
    const isMoved =
      keyOf(before) !== keyOf(endpoint) || before.agentId !== endpoint.agentId || before.container?.id !== endpoint.container?.id;
    if (isMoved) forget(known);
    Object.assign(known, { endpoint, tally });
    if (isMoved) remember(known);
  }

  return {
    get: (id) => entries.get(id)?.endpoint,
    find(agentId, key) {
      const id = byKey.get(place(agentId, key));
      return id === undefined ? undefined : entries.get(id)?.endpoint;
    },
    ofContainer: (containerId) => [...(byContainer.get(containerId) ?? [])].flatMap((id) => entries.get(id)?.endpoint ?? []),
    labelledOf: (agentId) => labelled.get(agentId) ?? new Set(),
    *all() {
      for (const { endpoint } of entries.values()) yield endpoint;
    },
    tally: (id) => entries.get(id)?.tally ?? newTally(),
    put,
    remove(id) {
      const entry = entries.get(id);
      if (entry === undefined) return;
      forget(entry);
      entries.delete(id);
      sorted = undefined;
    },
    listedStatus: statusOf,
    matching: (filter) => found(filter).map(({ endpoint }) => endpoint),
    list(query, now) {
      const shown = found(query);
      const counts: Record<EndpointStatus, number> = { up: 0, down: 0, degraded: 0, unknown: 0 };
      for (const { endpoint } of shown) counts[statusOf(endpoint)] += 1;
      const { page, next } = sortedPage(shown, query, BY_NAME, sortedBy(now, statusOf));
      return { endpoints: page.map((entry) => recordOf(entry, now)), total: shown.length, counts, next_cursor: next };
    },
    recordsOfContainer(containerId, now) {
      const shown = inOrder().filter(({ endpoint }) => endpoint.container?.id === containerId && endpoint.inactiveSince === null);
      return { container_id: containerId, endpoints: shown.map((entry) => recordOf(entry, now)), total: shown.length };
    },
    sparklines(host, now) {
      const endpoints: Sparklines["endpoints"] = {};
      for (const { endpoint, tally } of entries.values()) {
        if (endpoint.inactiveSince !== null || (host !== undefined && (endpoint.agentId ?? "local") !== host)) continue;
        const { status } = endpoint.state;
        endpoints[endpoint.id] = {
          points: pointsOf(tally),
          status,
          uptime_24h: uptime24h(tally, now.getTime(), longestMs(endpoint.check)),
        };
      }
      return { endpoints };
    },
  };
}

function recordOf({ endpoint, tally }: Entry, now: Date): EndpointRecord {
  return endpointRecord(endpoint, tally, now);
}

function add<Key>(sets: Map<Key, Set<number>>, key: Key, id: number): void {
  const ids = sets.get(key);
  if (ids === undefined) sets.set(key, new Set([id]));
  else ids.add(id);
}

function drop<Key>(sets: Map<Key, Set<number>>, key: Key, id: number): void {
  const ids = sets.get(key);
  ids?.delete(id);
  if (ids?.size === 0) sets.delete(key);
}

type StatusOf = Projection["listedStatus"];

function matches(endpoint: SavedEndpoint, filter: ListFilter, statusOf: StatusOf): boolean {
  if ((endpoint.inactiveSince !== null) !== filter.inactive) return false;
  if (filter.status !== undefined && statusOf(endpoint) !== filter.status) return false;
  if (filter.type !== undefined && endpoint.check.type !== filter.type) return false;
  if (filter.source !== undefined && (endpoint.container === null ? "standalone" : "label") !== filter.source) return false;
  if (filter.container_id !== undefined && endpoint.container?.id !== filter.container_id) return false;
  if (filter.agent_id !== undefined && (endpoint.agentId ?? "local") !== filter.agent_id) return false;
  if (filter.search === undefined) return true;
  const wanted = filter.search.toLowerCase();
  const texts = [endpoint.name, shownTarget(endpoint.check), endpoint.container?.name ?? ""];
  return texts.some((text) => text.toLowerCase().includes(wanted));
}

function sortedBy(now: Date, statusOf: StatusOf): Readonly<Record<SortKey, (entry: Entry) => SortValue>> {
  return {
    name: ({ endpoint }) => endpoint.name,
    target: ({ endpoint }) => shownTarget(endpoint.check),
    status: ({ endpoint }) => ENDPOINT_STATUSES.indexOf(statusOf(endpoint)),
    response_time: ({ endpoint }) => endpoint.state.lastResponseTimeMs,
    uptime: ({ endpoint, tally }) => uptime24h(tally, now.getTime(), longestMs(endpoint.check)),
    since: ({ endpoint }) => endpoint.state.statusSince.getTime(),
  };
}

const BY_NAME: Order<Entry, [name: string, id: number]> = {
  place: z.tuple([z.string(), z.number()]),
  placeOf: ({ endpoint: { name, id } }) => [name, id],
  compare: ([name, id], [otherName, otherId]) => compareNames(name, otherName) || id - otherId,
};
