import { type ExpressionBuilder, type Insertable, type Kysely, type Selectable, sql, type SqlBool, type Generated } from "kysely";
import type { Database } from "../../storage/database.ts";
import { inTables, type Unit, keptRows } from "../../storage/statements.ts";
import type { KubernetesEvent } from "../../observations/kubernetes.ts";
import type { ClusterEventRecord } from "./objects.ts";
import type { EventQuery } from "./api.ts";

/** Rows deleted in one unit: small enough not to hold up the writer. */
const DELETED_AT_ONCE = 500;

/** An event with what it is about. */
export interface RecordableEvent {
  event: KubernetesEvent;
  workloadId: string | null;
}

/** Where a row stands in the list, newest first. */
export interface PlaceInEvents {
  lastAt: number;
  id: number;
}

export interface EventFilter extends Omit<EventQuery, "cluster_id" | "agent_id" | "cursor" | "limit"> {
  clusterIds: readonly string[];
}

export interface EventPage extends EventFilter {
  before: PlaceInEvents | undefined;
  limit: number;
}

export interface ListedEvent {
  record: ClusterEventRecord;
  place: PlaceInEvents;
}

export type ClusterEventStore = ReturnType<typeof createClusterEventStore>;

export function createClusterEventStore(database: Database) {
  const tables = database.tables<ClusterEventTables>();
  type Row = Insertable<ClusterEventRow>;

  /** What was recorded stays as it is unless it happened again: what a host shows late is older. */
  const upsert = keptRows((tx: Kysely<ClusterEventTables>, rows: readonly Row[]) =>
    tx
      .insertInto("kubernetes_events")
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(["cluster_id", "uid"])
          .doUpdateSet(({ ref }) => ({
            agent_id: ref("excluded.agent_id"),
            message: ref("excluded.message"),
            workload_id: sql<string | null>`COALESCE(${ref("excluded.workload_id")}, ${ref("kubernetes_events.workload_id")})`,
            count: ref("excluded.count"),
            first_at: sql<number>`CASE WHEN ${ref("excluded.first_at")} < ${ref("kubernetes_events.first_at")}
            THEN ${ref("excluded.first_at")} ELSE ${ref("kubernetes_events.first_at")} END`,
            last_at: ref("excluded.last_at"),
          }))
          .where(({ eb, ref }) => eb(ref("excluded.last_at"), ">=", ref("kubernetes_events.last_at"))),
      ),
  );

  return {
    /** Adds those that are new, and what became of those that happened again. No event may be there twice. */
    async record(events: readonly RecordableEvent[], of: { clusterId: string; agentId: string | null }): Promise<void> {
      const rows = events.map((each) => rowOf(each, of));
      await tables.write((tx) => upsert(tx, rows));
    },

    /** Newest first. */
    async list({ before, limit, ...filter }: EventPage): Promise<ListedEvent[]> {
      if (filter.clusterIds.length === 0) return [];
      let query = tables.read.selectFrom("kubernetes_events").selectAll().where(matching(filter));
      if (before !== undefined) {
        const { lastAt, id } = before;
        query = query.where(({ eb, or, and }) => or([eb("last_at", "<", lastAt), and([eb("last_at", "=", lastAt), eb("id", "<", id)])]));
      }
      const rows = await query.orderBy("last_at", "desc").orderBy("id", "desc").limit(limit).execute();
      return rows.map((row) => ({ record: recordOf(row), place: { lastAt: row.last_at, id: row.id } }));
    },

    async count(filter: EventFilter): Promise<number> {
      if (filter.clusterIds.length === 0) return 0;
      const counted = tables.read.selectFrom("kubernetes_events").select(({ fn }) => fn.countAll<number>().as("events"));
      return Number((await counted.where(matching(filter)).executeTakeFirstOrThrow()).events);
    },

    /** Clusters with stored events. */
    async clusters(): Promise<string[]> {
      const rows = await tables.read.selectFrom("kubernetes_events").select("cluster_id").distinct().execute();
      return rows.map(({ cluster_id: id }) => id);
    },

    /** Deletes a bounded number of those before a time; true while there are more. */
    purge: (before: Date): Promise<boolean> =>
      tables.write(async (tx) => {
        const old = tx.selectFrom("kubernetes_events").select("id").where("last_at", "<", before.getTime()).limit(DELETED_AT_ONCE);
        const deleted = await tx.deleteFrom("kubernetes_events").where("id", "in", old).returning("id").execute();
        return deleted.length === DELETED_AT_ONCE;
      }),

    /** Deletes a bounded number of the oldest of one type beyond so many of a cluster; true while there are more. */
    trim: (clusterId: string, type: KubernetesEvent["type"], most: number): Promise<boolean> =>
      tables.write(async (tx) => {
        const beyond = tx
          .selectFrom("kubernetes_events")
          .select("id")
          .where("cluster_id", "=", clusterId)
          .where("type", "=", type)
          .orderBy("last_at", "desc")
          .orderBy("id", "desc")
          .limit(DELETED_AT_ONCE)
          .offset(most);
        const deleted = await tx.deleteFrom("kubernetes_events").where("id", "in", beyond).returning("id").execute();
        return deleted.length === DELETED_AT_ONCE;
      }),

    /** Deletes what only an agent showed; what others show too goes to one of them. */
    async purgeHost(unit: Unit, agentId: string, others: ReadonlyMap<string, string | null>): Promise<void> {
      const tx = inTables<ClusterEventTables>(unit);
      for (const [clusterId, other] of others)
        await tx
          .updateTable("kubernetes_events")
          .set({ agent_id: other })
          .where("cluster_id", "=", clusterId)
          .where("agent_id", "=", agentId)
          .execute();
      for (;;) {
        const some = tx.selectFrom("kubernetes_events").select("id").where("agent_id", "=", agentId).limit(DELETED_AT_ONCE);
        const deleted = await tx.deleteFrom("kubernetes_events").where("id", "in", some).returning("id").execute();
        if (deleted.length < DELETED_AT_ONCE) return;
      }
    },
  };
}

function matching({ clusterIds, namespace, type, kind, name, workload_id: workload, since, search }: EventFilter) {
  return ({ eb, and }: ExpressionBuilder<ClusterEventTables, "kubernetes_events">) => {
    const wanted = [eb("cluster_id", "in", clusterIds)];
    if (namespace !== undefined) wanted.push(eb("namespace", "=", namespace));
    if (type !== undefined) wanted.push(eb("type", "=", type));
    if (kind !== undefined) wanted.push(eb("about_kind", "=", kind));
    if (name !== undefined) wanted.push(eb("about_name", "=", name));
    if (workload !== undefined) wanted.push(eb("workload_id", "=", workload));
    if (since !== undefined) wanted.push(eb("last_at", ">=", Date.parse(since)));
    if (search === undefined) return and(wanted);
    const pattern = `%${search.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`;
    return and([...wanted, sql<SqlBool>`LOWER(message || ' ' || reason || ' ' || about_name) LIKE ${pattern} ESCAPE '\\'`]);
  };
}

function rowOf(
  { event, workloadId }: RecordableEvent,
  { clusterId, agentId }: { clusterId: string; agentId: string | null },
): Insertable<ClusterEventRow> {
  const { id, namespace, type, reason, message, about, source, count, firstAt, lastAt } = event;
  return {
    ...{ cluster_id: clusterId, uid: id, agent_id: agentId, namespace, type, reason, message },
    ...{ about_kind: about.kind, about_name: about.name, about_id: about.id, workload_id: workloadId, source, count },
    ...{ first_at: firstAt.getTime(), last_at: lastAt.getTime() },
  };
}

function recordOf(row: Selectable<ClusterEventRow>): ClusterEventRecord {
  return {
    ...{ id: row.uid, cluster_id: row.cluster_id, namespace: row.namespace, reason: row.reason, message: row.message },
    // This column holds what rowOf wrote.
    type: row.type as ClusterEventRecord["type"],
    about: { kind: row.about_kind, name: row.about_name, id: row.about_id },
    ...{ workload_id: row.workload_id, source: row.source, count: row.count },
    first_at: new Date(row.first_at).toISOString(),
    last_at: new Date(row.last_at).toISOString(),
  };
}

/** The columns of this feature's table; see storage/migrations/039-kubernetes-events.ts for their meaning. */
interface ClusterEventTables {
  kubernetes_events: ClusterEventRow;
}

interface ClusterEventRow {
  id: Generated<number>;
  cluster_id: string;
  uid: string;
  agent_id: string | null;
  namespace: string;
  type: string;
  reason: string;
  message: string;
  about_kind: string;
  about_name: string;
  about_id: string | null;
  workload_id: string | null;
  source: string | null;
  count: number;
  first_at: number;
  last_at: number;
}
