import { sql } from "kysely";
import type { HealthFailure } from "../../../observations.ts";
import type { Database } from "../../../storage/database.ts";
import { healthFailureFromText, type SavedTransition, stateFromColumns, transitionFromRow } from "../rows.ts";
import type { ContainerTables } from "../tables.ts";
import type { Span, StateChange } from "../uptime.ts";

export interface TransitionPage {
  containerId: number;
  since: Date;
  until: Date;
  limit: number;
  offset: number;
}

/** The changes of one container, with the state it had before the first of them. */
export interface History {
  before: Omit<StateChange, "at"> | null;
  changes: StateChange[];
}

/** Whether the end before a transition was asked for; 0 or null where none was before it. */
const wasStopped = sql<number | null>`CASE WHEN previous_state = 'exited' THEN (
  SELECT earlier.stop_requested FROM transitions AS earlier
  WHERE earlier.container_id = transitions.container_id AND earlier.occurred_at < transitions.occurred_at
  ORDER BY earlier.occurred_at DESC, earlier.id DESC LIMIT 1
) END`;

export type HistoryStore = ReturnType<typeof createHistoryStore>;

/** Looks back on what happened to containers, and on when their hosts were watched. */
export function createHistoryStore(database: Database) {
  const tables = database.tables<ContainerTables>();

  return {
    async transitions({
      containerId,
      since,
      until,
      limit,
      offset,
    }: TransitionPage): Promise<{ transitions: SavedTransition[]; total: number }> {
      const matching = tables.read
        .selectFrom("transitions")
        .where("container_id", "=", containerId)
        .where("occurred_at", ">=", since.getTime())
        .where("occurred_at", "<=", until.getTime());
      const { total } = await matching.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const rows = await matching.selectAll().orderBy("occurred_at", "desc").orderBy("id", "desc").limit(limit).offset(offset).execute();
      return { transitions: rows.map(transitionFromRow), total: Number(total) };
    },

    /** The failed run of its health check by which a container turned unhealthy last. */
    async healthFailure(containerId: number): Promise<HealthFailure | null> {
      const row = await tables.read
        .selectFrom("transitions")
        .select("health_failure")
        .where("container_id", "=", containerId)
        .where("new_health", "=", "unhealthy")
        .where(({ eb, or }) => or([eb("previous_health", "is", null), eb("previous_health", "!=", "unhealthy")]))
        .orderBy("occurred_at", "desc")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return healthFailureFromText(row?.health_failure ?? null);
    },

    /** Histories since then of those of the containers that changed since then. */
    async histories(since: Date, containerIds: readonly number[]): Promise<Map<number, History>> {
      const rows = await tables.read
        .selectFrom("transitions")
        .select(["container_id", "previous_state", "previous_health", "new_state", "new_health", "stop_requested", "occurred_at"])
        .select(wasStopped.as("was_stopped"))
        .where("container_id", "in", containerIds)
        .where("occurred_at", ">=", since.getTime())
        .orderBy("container_id")
        .orderBy("occurred_at")
        .orderBy("id")
        .execute();
      const histories = new Map<number, History>();
      for (const row of rows) {
        let history = histories.get(row.container_id);
        if (history === undefined) {
          const before = stateFromColumns(row.previous_state, row.previous_health);
          history = { before: before && { ...before, stopRequested: row.was_stopped === 1 }, changes: [] };
          histories.set(row.container_id, history);
        }
        const became = stateFromColumns(row.new_state, row.new_health);
        if (became !== null) history.changes.push({ at: row.occurred_at, ...became, stopRequested: row.stop_requested === 1 });
      }
      return histories;
    },

    /** When a host was watched since then, oldest first. */
    async watched(since: Date): Promise<Map<string | null, Span[]>> {
      const rows = await tables.read
        .selectFrom("watched_spans")
        .selectAll()
        .where("ended_at", ">=", since.getTime())
        .orderBy("started_at")
        .execute();
      return Map.groupBy(
        rows.map((row) => ({ agentId: row.agent_id, from: row.started_at, to: row.ended_at })),
        ({ agentId }) => agentId,
      );
    },
  };
}
