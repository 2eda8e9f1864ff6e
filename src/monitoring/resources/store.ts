import { type Generated, type Kysely, sql } from "kysely";
import { toDate } from "../../contract/time.ts";
import type { ResourceMetric } from "../../events.ts";
import type { Database } from "../../storage/database.ts";
import { inTables, type Unit } from "../../storage/statements.ts";
import { SCOPES } from "../../contract/scope.ts";
import {
  type Breach,
  type BreachChange,
  type LimitChange,
  readThresholds,
  type ScopeThresholds,
  type SpelledThresholds,
  spellThresholds,
  type Thresholds,
} from "./limits.ts";

export type { SeriesFigures, SeriesStore } from "../../storage/series/index.ts";

/** The columns of this feature's tables; see storage/migrations/002-resources.ts and 047-scope-thresholds.ts for their meaning. */
interface ResourceTables {
  resource_thresholds: SpelledThresholds & { container_id: number };
  resource_scope_thresholds: SpelledThresholds & { scope_type: string; scope_id: string };
  resource_breaches: BreachRow;
}

interface BreachRow {
  id: Generated<number>;
  container_id: number;
  metric: string;
  threshold: number;
  peak: number;
  fired_at: number;
  resolved_at: number | null;
}

/** Rows deleted in one unit: small enough not to hold up the writer. */
const PRUNE_BATCH = 1000;
/** Breaches answered at once: one a minute would be 1,440 a day. */
const MAX_BREACHES = 2000;

export type ResourceStore = ReturnType<typeof createResourceStore>;

export function createResourceStore(database: Database) {
  const tables = database.tables<ResourceTables>();

  return {
    async thresholds(): Promise<Map<number, Thresholds>> {
      const rows = await tables.read.selectFrom("resource_thresholds").selectAll().execute();
      return new Map(rows.map((row) => [row.container_id, readThresholds(row)]));
    },

    /** Those of groups and hosts. */
    async scopeThresholds(): Promise<ScopeThresholds[]> {
      const rows = await tables.read.selectFrom("resource_scope_thresholds").selectAll().orderBy("scope_id").execute();
      return rows.map((row) => ({
        scope: { type: row.scope_type === SCOPES.host ? SCOPES.host : SCOPES.group, id: row.scope_id },
        thresholds: readThresholds(row),
      }));
    },

    /** Sets thresholds or takes them away, and saves what that makes of breaches, together. */
    async saveLimit(limit: LimitChange, changes: readonly BreachChange[], also: (unit: object) => Promise<void>): Promise<void> {
      await tables.write(async (tx) => {
        if (limit.kind === "container") await saveOwn(tx, limit);
        else await saveOfScope(tx, limit);
        for (const change of changes) await saveChange(tx, change);
        await also(tx);
      });
    },

    /** Saves which breaches began and ended; the same again changes nothing. */
    async saveChanges(changes: readonly BreachChange[], also: (unit: object) => Promise<void>): Promise<void> {
      await tables.write(async (tx) => {
        for (const change of changes) await saveChange(tx, change);
        await also(tx);
      });
    },

    async savePeaks(breaches: readonly Breach[]): Promise<void> {
      await tables.write(async (tx) => {
        for (const { containerId, metric, peak } of breaches) {
          await tx
            .updateTable("resource_breaches")
            .set({ peak })
            .where("container_id", "=", containerId)
            .where("metric", "=", metric)
            .where("resolved_at", "is", null)
            .execute();
        }
      });
    },

    /** Those that last. */
    async openBreaches(): Promise<Breach[]> {
      const rows = await tables.read.selectFrom("resource_breaches").selectAll().where("resolved_at", "is", null).orderBy("id").execute();
      return rows.map(breachFromRow);
    },

    /** Those of a container that lasted at some time between two times, oldest first; when there are too many, the newest of them. */
    async breaches(containerId: number, { from, to }: { from: Date; to: Date }): Promise<Breach[]> {
      const rows = await tables.read
        .selectFrom("resource_breaches")
        .selectAll()
        .where("container_id", "=", containerId)
        .where("fired_at", "<", to.getTime())
        .where(({ eb, or }) => or([eb("resolved_at", "is", null), eb("resolved_at", ">=", from.getTime())]))
        .orderBy("fired_at", "desc")
        .orderBy("id", "desc")
        .limit(MAX_BREACHES)
        .execute();
      return rows.toReversed().map(breachFromRow);
    },

    /** The ids of an agent's containers, archived ones too, inside of a unit. */
    async containersOf(unit: Unit, agentId: string): Promise<number[]> {
      const tx = inTables<{ containers: { id: number; agent_id: string | null } }>(unit);
      const rows = await tx
        .selectFrom("containers")
        .select("id")
        .where(sql<string>`COALESCE(agent_id, '')`, "=", agentId)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Deletes the thresholds of a host, inside of a unit. What is kept of its containers goes with their rows. */
    async purge(unit: Unit, agentId: string): Promise<void> {
      await deleteOfScope(inTables<ResourceTables>(unit), { type: SCOPES.host, id: agentId });
    },

    /** Deletes what ended before a time, a bounded number of rows a call; true while there is more. */
    async prune(endedBefore: Date): Promise<boolean> {
      return tables.write(async (tx) => {
        const old = await tx
          .selectFrom("resource_breaches")
          .select("id")
          .where("resolved_at", "<", endedBefore.getTime())
          .limit(PRUNE_BATCH)
          .execute();
        const ids = old.map(({ id }) => id);
        if (ids.length > 0) await tx.deleteFrom("resource_breaches").where("id", "in", ids).execute();
        return old.length === PRUNE_BATCH;
      });
    },
  };
}

type Of<Kind extends LimitChange["kind"]> = Extract<LimitChange, { kind: Kind }>;

async function saveOwn(tx: Kysely<ResourceTables>, { id, thresholds }: Of<"container">): Promise<void> {
  if (thresholds === null) {
    await tx.deleteFrom("resource_thresholds").where("container_id", "=", id).execute();
    return;
  }
  const row = spellThresholds(thresholds);
  await tx
    .insertInto("resource_thresholds")
    .values({ container_id: id, ...row })
    .onConflict((conflict) => conflict.column("container_id").doUpdateSet(row))
    .execute();
}

async function saveOfScope(tx: Kysely<ResourceTables>, { scope, thresholds }: Of<"scope">): Promise<void> {
  if (thresholds === null) return deleteOfScope(tx, scope);
  const row = spellThresholds(thresholds);
  await tx
    .insertInto("resource_scope_thresholds")
    .values({ scope_type: scope.type, scope_id: scope.id, ...row })
    .onConflict((conflict) => conflict.columns(["scope_type", "scope_id"]).doUpdateSet(row))
    .execute();
}

async function deleteOfScope(tx: Kysely<ResourceTables>, { type, id }: ScopeThresholds["scope"]): Promise<void> {
  await tx.deleteFrom("resource_scope_thresholds").where("scope_type", "=", type).where("scope_id", "=", id).execute();
}

async function saveChange(tx: Kysely<ResourceTables>, { breach }: BreachChange): Promise<void> {
  const { containerId, metric, peak, resolvedAt } = breach;
  if (resolvedAt !== null) {
    await tx
      .updateTable("resource_breaches")
      .set({ peak, resolved_at: resolvedAt.getTime() })
      .where("container_id", "=", containerId)
      .where("metric", "=", metric)
      .where("resolved_at", "is", null)
      .execute();
    return;
  }
  await tx
    .insertInto("resource_breaches")
    .values({ container_id: containerId, metric, threshold: breach.threshold, peak, fired_at: breach.firedAt.getTime(), resolved_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function breachFromRow(row: Pick<BreachRow, "container_id" | "metric" | "threshold" | "peak" | "fired_at" | "resolved_at">): Breach {
  return {
    containerId: row.container_id,
    // This column holds what saveChange wrote.
    metric: row.metric as ResourceMetric,
    threshold: row.threshold,
    peak: row.peak,
    firedAt: new Date(row.fired_at),
    resolvedAt: toDate(row.resolved_at),
  };
}
