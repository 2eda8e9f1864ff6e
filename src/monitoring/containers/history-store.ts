import { sql } from "kysely";
import type { HealthFailure } from "../../observations.ts";
import type { PastChanges } from "../../platform/look-back.ts";
import type { Database } from "../../storage/database.ts";
import { isOf, pastChanges } from "../../storage/look-back.ts";
import { AGENT } from "./generations-store.ts";
import { healthFailureFromText, type SavedTransition, stateFromColumns, transitionFromRow, type ContainerTables } from "./rows.ts";
import type { Span, StateChange } from "./uptime.ts";

export interface TransitionPage {
  containerId: number;
  since: Date;
  until: Date;
  limit: number;
  offset: number;
}

/** The changes of one container, with the state it had before the first of them. */
interface History {
  before: Omit<StateChange, "at"> | null;
  changes: StateChange[];
}

/** A column of the transition before one. An end and the start after it may have the same time. */
const ofEarlier = (column: "stop_requested" | "occurred_at") => sql<number>`(
  SELECT earlier.${sql.ref(column)} FROM transitions AS earlier
  WHERE earlier.container_id = transitions.container_id AND earlier.occurred_at <= transitions.occurred_at
    AND (earlier.occurred_at < transitions.occurred_at OR earlier.id < transitions.id)
  ORDER BY earlier.occurred_at DESC, earlier.id DESC LIMIT 1
)`;

/** Whether the end before a transition was asked for; 0 or null where none was before it. */
const wasStopped = sql<number | null>`CASE WHEN previous_state = 'exited' THEN ${ofEarlier("stop_requested")} END`;

/** The container whose place another took between a transition and the one before it. */
const replaced = sql`container_generations AS past
  WHERE past.container_id = transitions.container_id AND past.ended_at <= transitions.occurred_at
    AND past.ended_at >= COALESCE(${ofEarlier("occurred_at")}, 0)`;

/** Whether a transition is the first of a container that took the place of another. */
const wasRecreated = sql<boolean>`EXISTS (SELECT 1 FROM ${replaced})`;

/** When the one was gone that had failed before it was re-created; null for other transitions. */
const goneAt = sql<number | null>`CASE WHEN previous_state IN ('exited', 'dead') THEN (
  SELECT past.archived_at FROM ${replaced} ORDER BY past.ended_at DESC LIMIT 1
) END`;

/** A container that does not exist is nothing that somebody expects to run. */
const GONE = { state: "exited", health: null, stopRequested: true } as const;

export type HistoryStore = ReturnType<typeof createHistoryStore>;

/** Looks back on what happened to containers, and on when their hosts were watched. */
export function createHistoryStore(database: Database) {
  const tables = database.tables<ContainerTables>();

  const restartsWithin = ({ from, to }: Span) =>
    tables.read
      .selectFrom("transitions")
      .where("occurred_at", ">=", from)
      .where("occurred_at", "<=", to)
      .where("new_state", "=", "running")
      .where("previous_state", "in", ["exited", "dead", "restarting"])
      .where(sql<boolean>`COALESCE(${wasStopped}, 0) = 0`)
      .where(({ not }) => not(wasRecreated));

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
        .select([wasStopped.as("was_stopped"), goneAt.as("gone_at")])
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
        if (row.gone_at !== null && row.gone_at < row.occurred_at) history.changes.push({ at: row.gone_at, ...GONE });
        const became = stateFromColumns(row.new_state, row.new_health);
        if (became !== null) history.changes.push({ at: row.occurred_at, ...became, stopRequested: row.stop_requested === 1 });
      }
      return histories;
    },

    /** How often these containers ran again after an end that nobody had asked for, without another container in their place. */
    async countRestarts(containerIds: readonly number[], span: Span): Promise<number> {
      if (containerIds.length === 0) return 0;
      const { restarts } = await restartsWithin(span)
        .select(({ fn }) => fn.countAll<number>().as("restarts"))
        .where("container_id", "in", containerIds)
        .executeTakeFirstOrThrow();
      return Number(restarts);
    },

    /** The same of each container that did. */
    async restartsByContainer(span: Span): Promise<Map<number, number>> {
      const rows = await restartsWithin(span)
        .select(({ fn }) => ["container_id", fn.countAll<number>().as("restarts")])
        .groupBy("container_id")
        .execute();
      return new Map(rows.map((row) => [row.container_id, Number(row.restarts)]));
    },

    /** When one host was watched within a stretch of time: apart from each other, oldest first. */
    async watchedOf(agentId: string | null, { from, to }: Span): Promise<Span[]> {
      const rows = await tables.read
        .selectFrom("watched_spans")
        .select(["started_at", "ended_at"])
        .where(AGENT, "=", agentId ?? "")
        .where("started_at", "<", to)
        .where("ended_at", ">", from)
        .orderBy("started_at")
        .execute();
      const spans: Span[] = [];
      for (const row of rows) joinSpan(spans, { from: row.started_at, to: row.ended_at });
      return spans;
    },

    /** When a host was watched since then: apart from each other, oldest first. */
    async watched(since: Date): Promise<Map<string | null, Span[]>> {
      const rows = await tables.read
        .selectFrom("watched_spans")
        .selectAll()
        .where("ended_at", ">=", since.getTime())
        .orderBy("started_at")
        .execute();
      const watched = new Map<string | null, Span[]>();
      for (const { agent_id: agentId, started_at: from, ended_at: to } of rows) {
        const spans = watched.get(agentId) ?? [];
        watched.set(agentId, spans);
        joinSpan(spans, { from, to });
      }
      return watched;
    },
  };
}

/** Adds a stretch that begins after the others did. A clock that was set back makes stretches that overlap. */
function joinSpan(spans: Span[], { from, to }: Span): void {
  const last = spans.at(-1);
  if (last === undefined || from > last.to) spans.push({ from, to });
  else last.to = Math.max(last.to, to);
}

/** Which container something happened to. */
interface OfContainer {
  containerId: number;
  name: string;
  agentId: string | null;
}

/** What happened to containers of a host or of all, newest first. */
export interface PastOfContainers {
  /** The first one of a container has no state before it. Without the end of the log. */
  transitions: PastChanges<SavedTransition & OfContainer>;
  removals: PastChanges<OfContainer & { id: number; at: Date }>;
  /** The last end of a container since then whose last log lines are stored. */
  lastEnd(containerId: number, since: Date): Promise<SavedTransition | undefined>;
}

export function createPastStore(database: Database): PastOfContainers {
  const tables = database.tables<ContainerTables>();
  return {
    transitions: pastChanges({
      from: (_since, whose) =>
        tables.read
          .selectFrom("transitions")
          .innerJoin("containers", "containers.id", "transitions.container_id")
          .where(isOf("containers.agent_id", whose)),
      at: "transitions.occurred_at",
      id: "transitions.id",
      select: (query) =>
        query.select([
          "transitions.id",
          "transitions.container_id",
          "transitions.previous_state",
          "transitions.new_state",
          "transitions.previous_health",
          "transitions.new_health",
          "transitions.exit_code",
          "transitions.oom_killed",
          "transitions.stop_requested",
          "transitions.replayed",
          "transitions.occurred_at",
          "containers.name",
          "containers.agent_id",
        ]),
      read: ({ name, agent_id: agentId, ...row }) => ({
        ...transitionFromRow({ ...row, log_snippet: null, health_failure: null }),
        name,
        agentId,
      }),
    }),
    removals: pastChanges({
      from: (_since, whose) => tables.read.selectFrom("containers").where("is_ignored", "=", 0).where(isOf("agent_id", whose)),
      at: "archived_at",
      id: "id",
      select: (query) => query.select(["id", "name", "agent_id", "archived_at"]),
      read: ({ id, name, agent_id: agentId, archived_at }) => ({ id, containerId: id, name, agentId, at: new Date(archived_at ?? 0) }),
    }),
    async lastEnd(containerId, since) {
      const row = await tables.read
        .selectFrom("transitions")
        .selectAll()
        .where("container_id", "=", containerId)
        .where("occurred_at", ">=", since.getTime())
        .where("log_snippet", "is not", null)
        .where("log_snippet", "!=", "")
        .orderBy("occurred_at", "desc")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? undefined : transitionFromRow(row);
    },
  };
}
