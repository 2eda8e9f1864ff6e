import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import type { PastChanges } from "../../../platform/look-back.ts";
import type { Database } from "../../../storage/database.ts";
import { pastChanges } from "../../../storage/look-back.ts";
import { inBatches } from "../../../storage/statements.ts";
import type { IncidentStatus } from "../vocabulary.ts";
import type { KeptIncident, KeptUpdate } from "./incident.ts";
import { incidentFromRow, incidentToRow, updateFromRow, updateToRow, type IncidentTables } from "./rows.ts";

export type Tx = Kysely<IncidentTables>;
type Query = SelectQueryBuilder<IncidentTables, "status_incidents", object>;

/** Read or deleted in one statement. */
const BATCH = 500;

export type IncidentStore = ReturnType<typeof createIncidentStore>;

export function createIncidentStore(database: Database) {
  const tables = database.tables<IncidentTables>();

  /** What a query chooses, with its updates, in its order. */
  async function read(query: Query): Promise<KeptIncident[]> {
    const rows = await query.selectAll().execute();
    const updates = new Map<number, KeptUpdate[]>(rows.map(({ id }) => [id, []]));
    for (const ids of inBatches([...updates.keys()], BATCH)) {
      const found = await tables.read
        .selectFrom("status_incident_updates")
        .selectAll()
        .where("incident_id", "in", ids)
        .orderBy("id")
        .execute();
      for (const row of found) updates.get(row.incident_id)?.push(updateFromRow(row));
    }
    return rows.map((row) => incidentFromRow(row, updates.get(row.id) ?? []));
  }

  function all(): Query {
    return tables.read.selectFrom("status_incidents");
  }

  function inState(state: "open" | "resolved" | "all"): Query {
    if (state === "all") return all();
    return all().where("resolved_at", state === "open" ? "is" : "is not", null);
  }

  return {
    write: tables.write,

    /** Answers it with its ids. */
    async insert(tx: Tx, incident: KeptIncident): Promise<KeptIncident> {
      const { id } = await tx.insertInto("status_incidents").values(incidentToRow(incident)).returning("id").executeTakeFirstOrThrow();
      return withIds(tx, { ...incident, id });
    },

    /** Saves what differs; answers it with its ids, or undefined when another process has deleted it. */
    async update(tx: Tx, before: KeptIncident, after: KeptIncident): Promise<KeptIncident | undefined> {
      const { numUpdatedRows } = await tx
        .updateTable("status_incidents")
        .set(incidentToRow(after))
        .where("id", "=", after.id)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return undefined;
      const kept = new Map(after.updates.map((update) => [update.id, update]));
      for (const update of before.updates) {
        const now = kept.get(update.id);
        if (now === update) continue;
        if (now === undefined) await tx.deleteFrom("status_incident_updates").where("id", "=", update.id).execute();
        else await tx.updateTable("status_incident_updates").set(updateToRow(now, after.id)).where("id", "=", update.id).execute();
      }
      return withIds(tx, after);
    },

    async remove(tx: Tx, id: number): Promise<void> {
      await tx.deleteFrom("status_incidents").where("id", "=", id).execute();
    },

    /** Ties alerts to an incident; false when one of them is tied already, by another process. */
    async link(tx: Tx, alertIds: readonly number[], incidentId: number): Promise<boolean> {
      let linked = 0;
      for (const ids of inBatches(alertIds, BATCH)) {
        const rows = await tx
          .insertInto("status_incident_alerts")
          .values(ids.map((id) => ({ alert_id: id, incident_id: incidentId })))
          .onConflict((conflict) => conflict.column("alert_id").doNothing())
          .returning("alert_id")
          .execute();
        linked += rows.length;
      }
      return linked === alertIds.length;
    },

    /** False when one of them is not tied any more. */
    async unlink(tx: Tx, alertIds: readonly number[]): Promise<boolean> {
      let unlinked = 0;
      for (const ids of inBatches(alertIds, BATCH)) {
        const { numDeletedRows } = await tx.deleteFrom("status_incident_alerts").where("alert_id", "in", ids).executeTakeFirstOrThrow();
        unlinked += Number(numDeletedRows);
      }
      return unlinked === alertIds.length;
    },

    async links(): Promise<Map<number, number>> {
      const rows = await tables.read.selectFrom("status_incident_alerts").selectAll().execute();
      return new Map(rows.map((row) => [row.alert_id, row.incident_id]));
    },

    open: (): Promise<KeptIncident[]> => read(inState("open").orderBy("id")),

    resolvedSince: (since: Date, most: number): Promise<KeptIncident[]> =>
      read(inState("resolved").where("resolved_at", ">=", since.getTime()).orderBy("resolved_at", "desc").limit(most)),

    /** Open ones first, then the latest. */
    page: (state: "open" | "resolved" | "all", { limit, offset }: { limit: number; offset: number }): Promise<KeptIncident[]> =>
      read(
        inState(state)
          .orderBy(sql`CASE WHEN resolved_at IS NULL THEN 0 ELSE 1 END`)
          .orderBy("created_at", "desc")
          .orderBy("id", "desc")
          .limit(limit)
          .offset(offset),
      ),

    async count(state: "open" | "resolved" | "all"): Promise<number> {
      const { total } = await inState(state)
        .select((row) => row.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return Number(total);
    },

    /** Those that were open within a span of time, the latest first. */
    within: ({ from, until }: { from: Date; until: Date }, most: number): Promise<KeptIncident[]> =>
      read(
        all()
          .where("created_at", "<", until.getTime())
          .where((where) => where.or([where("resolved_at", "is", null), where("resolved_at", ">=", from.getTime())]))
          .orderBy("created_at", "desc")
          .orderBy("id", "desc")
          .limit(most),
      ),

    /** Those that changed last, first. */
    latest: (count: number): Promise<KeptIncident[]> => read(all().orderBy("updated_at", "desc").orderBy("id", "desc").limit(count)),

    async find(id: number): Promise<KeptIncident | undefined> {
      const [found] = await read(all().where("id", "=", id));
      return found;
    },

    async oldest(): Promise<Date | undefined> {
      const row = await all().select("created_at").orderBy("created_at").limit(1).executeTakeFirst();
      return row === undefined ? undefined : new Date(row.created_at);
    },

    /** Deletes some of those resolved before, and of those beyond so many; answers whether there may be more. */
    async prune(before: Date, most: number): Promise<boolean> {
      const last = await inState("resolved").select("resolved_at").orderBy("resolved_at", "desc").limit(1).offset(most).executeTakeFirst();
      const limit = Math.max(before.getTime() - 1, last?.resolved_at ?? 0);
      const rows = await inState("resolved").select("id").where("resolved_at", "<=", limit).orderBy("resolved_at").limit(BATCH).execute();
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return false;
      await tables.write((tx) => tx.deleteFrom("status_incidents").where("id", "in", ids).where("resolved_at", "<=", limit).execute());
      return ids.length === BATCH;
    },
  };

  async function withIds(tx: Tx, incident: KeptIncident): Promise<KeptIncident> {
    const updates: KeptUpdate[] = [];
    for (const update of incident.updates) updates.push(update.id === 0 ? await insertUpdate(tx, update, incident.id) : update);
    return { ...incident, updates };
  }

  async function insertUpdate(tx: Tx, update: KeptUpdate, incidentId: number): Promise<KeptUpdate> {
    const row = tx.insertInto("status_incident_updates").values(updateToRow(update, incidentId));
    return { ...update, ...(await row.returning("id").executeTakeFirstOrThrow()) };
  }
}

/** An update of an incident, as a past change. */
export interface IncidentChange {
  /** Of the update. */
  id: number;
  at: Date;
  incidentId: number;
  title: string;
  status: IncidentStatus;
  automatic: boolean;
}

/** The updates of incidents, newest first; the first one of an incident opens it. */
export function createPastStore(database: Database): PastChanges<IncidentChange> {
  const tables = database.tables<IncidentTables>();
  return pastChanges({
    from: (since) =>
      tables.read
        .selectFrom("status_incident_updates as posted")
        .innerJoin("status_incidents as incident", "incident.id", "posted.incident_id")
        // An incident is as new as the latest of its updates, and has an index by that.
        .where("incident.updated_at", ">=", since.getTime()),
    at: "posted.created_at",
    id: "posted.id",
    select: (query) =>
      query.select(["posted.id", "posted.created_at", "posted.incident_id", "posted.status", "incident.title", "incident.automatic"]),
    read: (row) => ({
      id: row.id,
      at: new Date(row.created_at),
      incidentId: row.incident_id,
      title: row.title,
      // This column holds what was written of this type.
      status: row.status as IncidentStatus,
      automatic: row.automatic === 1,
    }),
  });
}
