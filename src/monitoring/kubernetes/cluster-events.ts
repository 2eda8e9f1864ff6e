import { z } from "zod";
import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import { KEPT_DAYS } from "../../contract/retention.ts";
import { MOST_ROWS, readCursor, writeCursor } from "../../http/cursor.ts";
import type { KubernetesEvent } from "../../observations/kubernetes.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import type { ClusterEventRecord } from "./objects.ts";
import type { EventQuery } from "./api.ts";
import type { ClusterEventStore, RecordableEvent } from "./event-store.ts";

/** Of each type, of one cluster. */
const MOST_OF_TYPE = 10_000;
const MOST_KNOWN = 20_000;

const place = z.tuple([z.number(), z.number()]);

/** Events of clusters, kept for 30 days: a cluster itself forgets them after an hour. */
export interface ClusterEvents {
  /** Records those that are new or happened again; answers which. Throws `storage_unavailable`. */
  record(events: readonly RecordableEvent[], of: { clusterId: string; agentId: string | null }): Promise<KubernetesEvent[]>;
  /** Newest first. Throws `unusable_values` for a cursor that is none. */
  list(
    query: Omit<EventQuery, "cluster_id" | "agent_id">,
    clusterIds: readonly string[],
  ): Promise<{ events: ClusterEventRecord[]; next_cursor: string | null }>;
  /** How many there are, on whatever page. */
  count(query: Omit<EventQuery, "cluster_id" | "agent_id" | "cursor" | "limit">, clusterIds: readonly string[]): Promise<number>;
  /** `others` are hosts that show a cluster of the agent too, by cluster. */
  purgeHost: ClusterEventStore["purgeHost"];
  /** A cluster's events went with its last host: shown again, they are recorded again. */
  forgetCluster(clusterId: string): void;
  start(): void;
}

interface ClusterEventsParts {
  store: ClusterEventStore;
  clock: Clock;
  scheduler: Scheduler;
}

export function createClusterEvents({ store, clock, scheduler }: ClusterEventsParts): ClusterEvents {
  /** How often what was recorded had happened, so that what is shown again is not written again. */
  const known = new Map<string, Pick<KubernetesEvent, "count" | "lastAt">>();

  function remember(key: string, { count, lastAt }: KubernetesEvent): void {
    known.delete(key);
    known.set(key, { count, lastAt });
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  }

  return {
    async record(events, of) {
      const newest = new Map(events.map((each) => [each.event.id, each]));
      const keyOf = ({ event }: RecordableEvent): string => `${of.clusterId} ${event.id}`;
      const news = [...newest.values()].filter((each) => isNewer(each.event, known.get(keyOf(each))));
      if (news.length === 0) return [];
      await store.record(news, of);
      for (const each of news) remember(keyOf(each), each.event);
      return news.map(({ event }) => event);
    },
    async list({ cursor, limit = MOST_ROWS, ...query }, clusterIds) {
      const after = readCursor(cursor, place);
      const before = after && { lastAt: after[0], id: after[1] };
      const found = await store.list({ ...query, clusterIds, before, limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = page.at(-1)?.place;
      return {
        events: page.map(({ record }) => record),
        next_cursor: found.length > limit && last !== undefined ? writeCursor([last.lastAt, last.id]) : null,
      };
    },
    count: (query, clusterIds) => store.count({ ...query, clusterIds }),
    purgeHost: store.purgeHost,
    forgetCluster(clusterId) {
      for (const key of known.keys()) if (key.startsWith(`${clusterId} `)) known.delete(key);
    },
    start() {
      scheduler.every({
        name: "events of clusters",
        everyMs: HOUR_MS,
        firstAfterMs: 150_000,
        async run(signal) {
          const before = new Date(clock.now().getTime() - KEPT_DAYS.clusterEvents * DAY_MS);
          while (!signal.aborted && (await store.purge(before)));
          for (const clusterId of await store.clusters())
            for (const type of ["Normal", "Warning"] as const) while (!signal.aborted && (await store.trim(clusterId, type, MOST_OF_TYPE)));
        },
      });
    },
  };
}

/** Whether it happened again since then. Of several hosts of a cluster one may be behind. */
function isNewer({ count, lastAt }: KubernetesEvent, before: Pick<KubernetesEvent, "count" | "lastAt"> | undefined): boolean {
  if (before === undefined) return true;
  return lastAt > before.lastAt || (lastAt.getTime() === before.lastAt.getTime() && count > before.count);
}
