import { sql, type SqlBool } from "kysely";
import { toDate } from "../../contract/time.ts";
import type { ContainerState } from "../../events.ts";
import type { Health } from "../../observations.ts";
import type { Whose } from "../../platform/look-back.ts";
import type { Database } from "../../storage/database.ts";
import { isOf } from "../../storage/look-back.ts";
import { inBatches } from "../../storage/statements.ts";
import type { EndReason } from "./uptime.ts";
import { stateFromColumns, type ContainerTables } from "./rows.ts";

/** How a container was at a moment. Its name and group are those that it has now. */
export interface ContainerAt {
  id: number;
  /** Where it was then. */
  agentId: string | null;
  name: string;
  group: string;
  image: string;
  state: ContainerState;
  health: Health | null;
  /** null: since before what is kept. */
  since: Date | null;
  exitCode: number | null;
  oomKilled: boolean;
  stopRequested: boolean;
  /** null while it is there. */
  removedAt: Date | null;
}

/** Looks back on how all containers were at one moment. */
export interface MomentOfContainers {
  /** Those that were known and not removed then. Of those that were removed since only as many as are kept. */
  containers(at: Date, whose: Whose): Promise<ContainerAt[]>;
  /** When each host was last watched until then. */
  watchedUntil(at: Date): Promise<Map<string | null, Date>>;
  /** When the first of all hosts was watched first, as far as that is kept. */
  knownSince(): Promise<Date | undefined>;
}

/** Rows that are asked for by one statement. */
const BATCH = 2_000;

export function createMomentStore(database: Database): MomentOfContainers {
  const tables = database.tables<ContainerTables>();

  /** Each by its own entry of the index: the histories between then and now are not read. */
  function rowsAt(atMs: number, whose: Whose) {
    const ofContainer = sql`container_id = containers.id`;
    const generation = <Value>(column: "image" | "agent_id" | "created_at") => sql<Value | null>`CASE WHEN generation > 1 THEN (
      SELECT past.${sql.ref(column)} FROM container_generations AS past
      WHERE ${ofContainer} AND past.ended_at > ${atMs} ORDER BY past.ended_at LIMIT 1) END`;
    const endBefore = sql<string | null>`CASE WHEN generation > 1 THEN (
      SELECT past.end_reason FROM container_generations AS past
      WHERE ${ofContainer} AND past.ended_at <= ${atMs} ORDER BY past.ended_at DESC LIMIT 1) END`;
    return (
      tables.read
        .selectFrom("containers")
        .select(["id", "agent_id", "name", "group_name", "image", "state", "health", "exit_code", "oom_killed", "stop_requested"])
        .select(["last_state_change_at", "archived_at", "created_at"])
        .select(generation<string>("image").as("past_image"))
        .select(generation<string>("agent_id").as("past_agent_id"))
        .select(generation<number>("created_at").as("past_created_at"))
        .select(endBefore.as("end_before"))
        .select(
          sql<number | null>`(SELECT past.id FROM transitions AS past WHERE ${ofContainer} AND past.occurred_at <= ${atMs}
          ORDER BY past.occurred_at DESC, past.id DESC LIMIT 1)`.as("last_id"),
        )
        .select(
          sql<number | null>`(SELECT later.id FROM transitions AS later WHERE ${ofContainer} AND later.occurred_at > ${atMs}
          ORDER BY later.occurred_at, later.id LIMIT 1)`.as("next_id"),
        )
        .where("is_ignored", "=", 0)
        .where("first_seen_at", "<=", atMs)
        .where(({ eb, or }) => or([eb("archived_at", "is", null), eb("archived_at", ">", atMs)]))
        // Only what was re-created can have been on another host.
        .where(({ or }) => or([isOf("agent_id", whose), sql<SqlBool>`generation > 1`]))
        .execute()
    );
  }

  async function transitionsOf(ids: readonly number[]) {
    const found = [];
    for (const some of inBatches(ids, BATCH))
      found.push(
        ...(await tables.read
          .selectFrom("transitions")
          .select(["id", "previous_state", "previous_health", "new_state", "new_health"])
          .select(["exit_code", "oom_killed", "stop_requested", "occurred_at"])
          .where("id", "in", some)
          .execute()),
      );
    return new Map(found.map((row) => [row.id, row]));
  }

  return {
    async containers(at, whose) {
      const found = await rowsAt(at.getTime(), whose);
      const rows = found.filter((row) => !isBetween(row, at) && (whose === undefined || hostOf(row) === whose));
      // Of one whose last change until then is no longer kept, the next one says what it was before.
      const transitions = await transitionsOf(rows.flatMap(({ last_id, next_id }) => last_id ?? next_id ?? []));
      return rows.flatMap((row): ContainerAt[] => {
        const is = {
          id: row.id,
          agentId: hostOf(row),
          name: row.name,
          group: row.group_name,
          image: row.past_image ?? row.image,
          removedAt: toDate(row.archived_at),
        };
        const last = row.last_id === null ? undefined : transitions.get(row.last_id);
        const then = last && stateFromColumns(last.new_state, last.new_health);
        if (last !== undefined && then !== undefined && then !== null)
          return [{ ...is, ...then, since: new Date(last.occurred_at), ...endOf(last) }];
        const next = row.next_id === null ? undefined : transitions.get(row.next_id);
        if (next !== undefined) {
          const before = stateFromColumns(next.previous_state, next.previous_health);
          return before === null ? [] : [{ ...is, ...before, since: null, exitCode: null, oomKilled: false, stopRequested: false }];
        }
        const still = stateFromColumns(row.state, row.health);
        return still === null ? [] : [{ ...is, ...still, since: new Date(row.last_state_change_at), ...endOf(row) }];
      });
    },

    async watchedUntil(at) {
      const atMs = at.getTime();
      const rows = await tables.read
        .selectFrom("watched_spans")
        .select("agent_id")
        .select(({ fn }) => fn.max("ended_at").as("ended_at"))
        .where("started_at", "<=", atMs)
        .groupBy("agent_id")
        .execute();
      return new Map(rows.map((row) => [row.agent_id, new Date(Math.min(row.ended_at, atMs))]));
    },

    async knownSince() {
      const row = await tables.read
        .selectFrom("watched_spans")
        .select(({ fn }) => fn.min<number | null>("started_at").as("started_at"))
        .executeTakeFirst();
      return toDate(row?.started_at ?? null) ?? undefined;
    },
  };
}

/** Whether a container was removed while it ran, and the one in its place was not made yet. */
function isBetween(
  row: { end_before: string | null; past_image: string | null; past_created_at: number | null; created_at: number | null },
  at: Date,
): boolean {
  const createdAt = row.past_image === null ? row.created_at : row.past_created_at;
  return row.end_before === ("removed" satisfies EndReason) && createdAt !== null && createdAt > at.getTime();
}

/** Where it was then; null for the local host. */
function hostOf(row: { agent_id: string | null; past_image: string | null; past_agent_id: string | null }): string | null {
  return row.past_image === null ? row.agent_id : row.past_agent_id;
}

function endOf(row: { exit_code: number | null; oom_killed: number; stop_requested: number }) {
  return { exitCode: row.exit_code, oomKilled: row.oom_killed === 1, stopRequested: row.stop_requested === 1 };
}
