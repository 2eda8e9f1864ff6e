import { z } from "zod";
import { compareNames } from "../../contract/words.ts";
import type { HeartbeatStatus } from "../../events.ts";
import type { Order } from "../../http/cursor.ts";
import { sortedPage, type SortValue } from "../../http/sorting.ts";
import type { ListFilter, ListQuery, SortKey } from "./api.ts";
import type { SavedHeartbeat } from "./changes.ts";
import { heartbeatRecord } from "./records.ts";

interface Entry {
  heartbeat: SavedHeartbeat;
  /** The record as JSON, made when somebody looks. */
  json: string | undefined;
}

/**
 * The heartbeats as they were last saved, in memory: what a ping is applied to, by which an unknown uuid is refused at no cost, and the list. Rebuilt
 * from the database at start; changed only after a commit.
 */
export interface Projection {
  get(id: number): SavedHeartbeat | undefined;
  /** By the uuid of its ping URL, in lower case. */
  find(uuid: string): SavedHeartbeat | undefined;
  all(): Iterable<SavedHeartbeat>;
  count(): number;
  /** Whether any of them has something to judge by now. */
  isAnyDue(now: Date): boolean;
  put(heartbeat: SavedHeartbeat): void;
  /** Called when there is a heartbeat and was none before. */
  onFirst(listener: () => void): void;
  remove(id: number): void;
  /** By name. */
  matching(filter: ListFilter): SavedHeartbeat[];
  /** A page of them as JSON bytes. Throws `unusable_values` for a cursor that is none. */
  listBody(query: ListQuery): Buffer;
}

export function createProjection(baseUrl: string): Projection {
  const byId = new Map<number, Entry>();
  const byUuid = new Map<string, Entry>();
  const firstListeners: (() => void)[] = [];
  let sorted: Entry[] | undefined;
  /** Nothing is due before that. */
  let firstDueMs = Infinity;

  function found(filter: ListFilter): Entry[] {
    sorted ??= [...byId.values()].sort((a, b) => BY_NAME.compare(BY_NAME.placeOf(a), BY_NAME.placeOf(b)));
    return sorted.filter(({ heartbeat }) => fits(heartbeat, filter));
  }

  return {
    get: (id) => byId.get(id)?.heartbeat,
    find: (uuid) => byUuid.get(uuid)?.heartbeat,
    *all() {
      for (const { heartbeat } of byId.values()) yield heartbeat;
    },
    count: () => byId.size,
    isAnyDue(now) {
      const nowMs = now.getTime();
      if (nowMs < firstDueMs) return false;
      firstDueMs = Infinity;
      for (const { heartbeat } of byId.values()) firstDueMs = Math.min(firstDueMs, heartbeat.dueAt?.getTime() ?? Infinity);
      return nowMs >= firstDueMs;
    },
    put(heartbeat) {
      firstDueMs = Math.min(firstDueMs, heartbeat.dueAt?.getTime() ?? Infinity);
      const known = byId.get(heartbeat.id);
      if (known === undefined) {
        const entry: Entry = { heartbeat, json: undefined };
        byId.set(heartbeat.id, entry);
        byUuid.set(heartbeat.uuid, entry);
        sorted = undefined;
        if (byId.size === 1) for (const listener of firstListeners) listener();
        return;
      }
      if (known.heartbeat.name !== heartbeat.name) sorted = undefined;
      known.heartbeat = heartbeat;
      known.json = undefined;
    },
    onFirst: (listener) => void firstListeners.push(listener),
    remove(id) {
      const known = byId.get(id);
      if (known === undefined) return;
      byId.delete(id);
      byUuid.delete(known.heartbeat.uuid);
      sorted = undefined;
    },
    matching: (filter) => found(filter).map(({ heartbeat }) => heartbeat),
    listBody(query) {
      const shown = found(query);
      const { page, next } = sortedPage(shown, query, BY_NAME, SORTED_BY);
      const jsons = page.map((entry) => (entry.json ??= JSON.stringify(heartbeatRecord(entry.heartbeat, baseUrl))));
      return Buffer.from(`{"heartbeats":[${jsons.join(",")}],"total":${shown.length},"next_cursor":${JSON.stringify(next)}}`);
    },
  };
}

function fits({ status, agentId, name, tags }: SavedHeartbeat, filter: ListFilter): boolean {
  if (filter.status !== undefined && status !== filter.status) return false;
  if (filter.agent_id !== undefined && (agentId ?? "local") !== filter.agent_id) return false;
  const wanted = filter.search?.toLowerCase();
  return wanted === undefined || [name, ...tags].some((text) => text.toLowerCase().includes(wanted));
}

/** The worst first. */
const STATUSES: readonly HeartbeatStatus[] = ["down", "started", "new", "paused", "up"];

const SORTED_BY: Readonly<Record<SortKey, (entry: Entry) => SortValue>> = {
  name: ({ heartbeat }) => heartbeat.name,
  status: ({ heartbeat }) => STATUSES.indexOf(heartbeat.status),
  last_ping: ({ heartbeat }) => heartbeat.lastPingAt?.getTime() ?? null,
  next_expected: ({ heartbeat }) => heartbeat.expectedAt?.getTime() ?? null,
  duration: ({ heartbeat }) => heartbeat.lastDurationMs,
};

const BY_NAME: Order<Entry, [name: string, id: number]> = {
  place: z.tuple([z.string(), z.number()]),
  placeOf: ({ heartbeat: { name, id } }) => [name, id],
  compare: ([name, id], [otherName, otherId]) => compareNames(name, otherName) || id - otherId,
};
