import { type Selectable, sql, type SqlBool } from "kysely";
import { toDate } from "../../contract/time.ts";
import type { PastChanges, Whose } from "../../platform/look-back.ts";
import type { Database } from "../../storage/database.ts";
import { isOf, pastChanges } from "../../storage/look-back.ts";
import { type AlertSource, SEVERITIES, type Severity } from "../vocabulary.ts";
import type { AlertTables } from "./rows.ts";

/** A change of one alert. */
export interface AlertChange {
  /** The id of the alert. */
  id: number;
  at: Date;
  source: AlertSource;
  event: string;
  severity: Severity;
  agentId: string | null;
  entityType: string;
  entityId: string;
  entityName: string;
}

/** When alerts were raised, ended and acknowledged, newest first. */
export interface PastOfAlerts {
  raised: PastChanges<AlertChange>;
  resolved: PastChanges<AlertChange>;
  acknowledged: PastChanges<AlertChange>;
  /** The alerts of a source that were active within a period, latest first, at most `most`. */
  active(within: { from: Date; to: Date; source: AlertSource; most: number }): Promise<AlertSpan[]>;
  /** The alerts that were active at a moment, worst first, then latest, at most `most`; with how many there were. */
  activeAt(at: Date, of: { whose: Whose; most: number }): Promise<{ alerts: AlertAt[]; total: number }>;
}

/** For how long an alert was active. */
export interface AlertSpan extends AlertChange {
  /** null while it is active. */
  resolvedAt: Date | null;
}

/** An alert at a moment, as far as that is known: severity and texts are the latest ones. */
export interface AlertAt extends AlertSpan {
  message: string;
  cause: string | null;
  /** null when it was not acknowledged at that moment. */
  acknowledgedAt: Date | null;
}

const COLUMNS = ["id", "source", "event", "severity", "agent_id", "entity_type", "entity_id", "entity_name"] as const;
const AS_IT_WAS = [...COLUMNS, "fired_at as at", "resolved_at", "acknowledged_at", "message", "cause"] as const;

export function createPastStore(database: Database): PastOfAlerts {
  const tables = database.tables<AlertTables>();

  function by(column: "fired_at" | "resolved_at" | "acknowledged_at"): PastChanges<AlertChange> {
    return pastChanges({
      from: (_since, whose) => tables.read.selectFrom("alerts").where(column, "is not", null).where(isOf("agent_id", whose)),
      at: column,
      id: "id",
      select: (query) => query.select(COLUMNS).select(`${column} as at` as const),
      read: changeFromRow,
    });
  }

  /** The first alerts, worst first, then latest, each with the number of all. */
  function first({ whose, most }: { whose: Whose; most: number }) {
    return tables.read
      .selectFrom("alerts")
      .where(isOf("agent_id", whose))
      .select("id")
      .select(sql<number>`COUNT(*) OVER ()`.as("total"))
      .orderBy(sql`CASE severity WHEN 'critical' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END`)
      .orderBy("fired_at", "desc")
      .orderBy("id", "desc")
      .limit(most);
  }

  return {
    raised: by("fired_at"),
    resolved: by("resolved_at"),
    acknowledged: by("acknowledged_at"),
    async active({ from, to, source, most }) {
      const rows = await tables.read
        .selectFrom("alerts")
        .select(COLUMNS)
        .select(["fired_at as at", "resolved_at"])
        .where("source", "=", source)
        .where("fired_at", "<=", to.getTime())
        .where((eb) => eb.or([eb("resolved_at", "is", null), eb("resolved_at", ">=", from.getTime())]))
        .orderBy("fired_at", "desc")
        .limit(most)
        .execute();
      return rows.map((row) => ({ ...changeFromRow(row), resolvedAt: toDate(row.resolved_at) }));
    },
    async activeAt(at, of) {
      const atMs = at.getTime();
      // Two queries, since each has an index: `+ 0` makes the planner use that of the active alerts, not that of the many that fired until then.
      const still = first(of)
        .select(AS_IT_WAS)
        .where("status", "=", "active")
        .where(sql<SqlBool>`fired_at + 0 <= ${atMs}`);
      // Found by the index alone, and then read.
      const resolvedSince = first(of).where("resolved_at", ">", atMs).where("fired_at", "<=", atMs);
      const [active, found] = await Promise.all([still.execute(), resolvedSince.execute()]);
      const ids = found.map(({ id }) => id);
      const resolved = ids.length === 0 ? [] : await tables.read.selectFrom("alerts").select(AS_IT_WAS).where("id", "in", ids).execute();
      const alerts = [...active, ...resolved].map((row) => alertAt(row, atMs)).toSorted(byRank);
      return { alerts: alerts.slice(0, of.most), total: totalOf(active) + totalOf(found) };
    },
  };
}

type RowAt = Parameters<typeof changeFromRow>[0] &
  Pick<Selectable<AlertTables["alerts"]>, "resolved_at" | "acknowledged_at" | "message" | "cause">;

function alertAt(row: RowAt, atMs: number): AlertAt {
  return {
    ...changeFromRow(row),
    resolvedAt: toDate(row.resolved_at),
    message: row.message,
    cause: row.cause,
    acknowledgedAt: row.acknowledged_at !== null && row.acknowledged_at <= atMs ? new Date(row.acknowledged_at) : null,
  };
}

function byRank(a: AlertAt, b: AlertAt): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || b.at.getTime() - a.at.getTime() || b.id - a.id;
}

function totalOf(rows: readonly { total: number }[]): number {
  return Number(rows[0]?.total ?? 0);
}

function changeFromRow(row: Selectable<Pick<AlertTables["alerts"], (typeof COLUMNS)[number]>> & { at: number | null }): AlertChange {
  return {
    id: row.id,
    at: new Date(Number(row.at)),
    // These columns were written from values of these types.
    source: row.source as AlertSource,
    severity: row.severity as Severity,
    event: row.event,
    agentId: row.agent_id,
    entityType: row.entity_type,
    entityId: row.entity_id,
    entityName: row.entity_name,
  };
}
