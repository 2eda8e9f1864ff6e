import { sql, type Selectable } from "kysely";
import { toDate } from "../../contract/time.ts";
import type { Database } from "../../storage/database.ts";
import type { Pauses, PausesUntil } from "../pause-store.ts";
import { isPastKeeping } from "../../storage/retention.ts";
import { inBatches, inTables, type Unit } from "../../storage/statements.ts";
import type { SavedHeartbeat } from "./changes.ts";
import type { Times } from "./heartbeat.ts";
import { dayFromRow, pingFromRow, type SavedPing, type HeartbeatTables, type PingRow } from "./rows.ts";
import { type Day, moveDeadline } from "./uptime.ts";

/** Rows deleted in one unit: small enough not to hold up the writer. */
const PRUNE_BATCH = 1000;
/** Heartbeats purged by one statement; each may have ten thousands of pings. */
const PURGED_HEARTBEATS = 5;

export type HistoryStore = ReturnType<typeof createHistoryStore>;

/** What was, and how long it is kept. */
export function createHistoryStore(database: Database) {
  const tables = database.tables<HeartbeatTables>();

  return {
    async pings(heartbeatId: number, page: { limit: number; offset: number }): Promise<{ pings: SavedPing[]; total: number }> {
      const matching = tables.read.selectFrom("heartbeat_pings").where("heartbeat_id", "=", heartbeatId);
      const { total } = await matching.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const rows = await matching.selectAll().orderBy("id", "desc").limit(page.limit).offset(page.offset).execute();
      return { pings: rows.map(pingFromRow), total: Number(total) };
    },

    /** Pings that began a run, or are the only report of one. Without their bodies. */
    async executions(
      heartbeatId: number,
      page: { limit: number; offset: number; until?: Date | undefined },
    ): Promise<{ executions: SavedPing[]; total: number }> {
      let matching = tables.read.selectFrom("heartbeat_pings").where("heartbeat_id", "=", heartbeatId).where("outcome", "is not", null);
      if (page.until !== undefined) matching = matching.where("received_at", "<=", page.until.getTime());
      const { total } = await matching.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const rows = await matching
        .select([
          "id",
          "heartbeat_id",
          "kind",
          "exit_code",
          "rid",
          "source_ip",
          "method",
          "user_agent",
          "received_at",
          "outcome",
          "ended_at",
        ])
        .select("run_exit_code")
        .select(sql<null>`NULL`.as("body"))
        .orderBy("id", "desc")
        .limit(page.limit)
        .offset(page.offset)
        .execute();
      return { executions: rows.map(pingFromRow), total: Number(total) };
    },

    /** Days that are over, from a midnight on; of a heartbeat without such days there are none. */
    async days(heartbeatIds: readonly number[], fromMs: number): Promise<Map<number, Day[]>> {
      if (heartbeatIds.length === 0) return new Map();
      const rows = await tables.read
        .selectFrom("heartbeat_days")
        .selectAll()
        .where("heartbeat_id", "in", heartbeatIds)
        .where("day", ">=", fromMs)
        .execute();
      const days = rows.map((row) => ({ id: row.heartbeat_id, ...dayFromRow(row) }));
      return Map.groupBy(days, ({ id }) => id);
    },

    /** Deletes what is past its time, a bounded number of rows a call; true while there is more. */
    prune({ pingsBefore, daysBefore, now }: { pingsBefore: Date; daysBefore: Date; now: Date }): Promise<boolean> {
      return tables.write(async (tx) => {
        // The first ones are the oldest; so nothing needs an index by time. A run under way is kept however old it is.
        const first = await tx
          .selectFrom("heartbeat_pings")
          .select(["id", "received_at"])
          .where("outcome", "is distinct from", "running")
          .orderBy("id")
          .limit(PRUNE_BATCH)
          .execute();
        const limits = { beforeMs: pingsBefore.getTime(), nowMs: now.getTime() };
        const old = first.filter(({ received_at }) => isPastKeeping(received_at, limits)).map(({ id }) => id);
        if (old.length > 0) await tx.deleteFrom("heartbeat_pings").where("id", "in", old).execute();
        const oldDays = await tx
          .selectFrom("heartbeat_days")
          .select(["heartbeat_id", "day"])
          .where("day", "<", daysBefore.getTime())
          .limit(PRUNE_BATCH)
          .execute();
        for (const { heartbeat_id, day } of oldDays) {
          await tx.deleteFrom("heartbeat_days").where("heartbeat_id", "=", heartbeat_id).where("day", "=", day).execute();
        }
        return old.length === PRUNE_BATCH || oldDays.length === PRUNE_BATCH;
      });
    },

    /** Deletes an agent's heartbeats with their histories, inside of a unit; a bounded number of rows a statement. */
    async purgeHost(unit: Unit, agentId: string): Promise<void> {
      const tx = inTables<HeartbeatTables>(unit);
      const rows = await tx.selectFrom("heartbeats").select("id").where("agent_id", "=", agentId).execute();
      const ids = rows.map(({ id }) => id);
      for (const some of inBatches(ids, PURGED_HEARTBEATS)) {
        await tx.deleteFrom("heartbeat_pings").where("heartbeat_id", "in", some).execute();
        await tx.deleteFrom("heartbeat_days").where("heartbeat_id", "in", some).execute();
        await tx.deleteFrom("heartbeat_pauses").where("heartbeat_id", "in", some).execute();
        await tx.deleteFrom("heartbeats").where("id", "in", some).execute();
      }
    },

    /** Deletes rows of deleted heartbeats, a bounded number a call; true while there are more. */
    purge(): Promise<boolean> {
      return tables.write(async (tx) => {
        const gone = await tx.selectFrom("heartbeats").select("id").where("deleted_at", "is not", null).orderBy("id").executeTakeFirst();
        if (gone === undefined) return false;
        const pings = await tx
          .selectFrom("heartbeat_pings")
          .select("id")
          .where("heartbeat_id", "=", gone.id)
          .orderBy("id")
          .limit(PRUNE_BATCH)
          .execute();
        const ids = pings.map(({ id }) => id);
        if (ids.length > 0) await tx.deleteFrom("heartbeat_pings").where("id", "in", ids).execute();
        if (ids.length < PRUNE_BATCH) await tx.deleteFrom("heartbeats").where("id", "=", gone.id).execute();
        return true;
      });
    },
  };
}

/** How a heartbeat was at a moment, by the pings that are kept. Its name and schedule are those that it has now. */
export interface HeartbeatAt {
  id: number;
  name: string;
  /** `stopped`: paused. `unknown` too where a ping was overdue: whether that was allowed then, only an alert can say. */
  status: "up" | "down" | "stopped" | "unknown";
  /** null: it was not paused then. */
  pausedSince: Date | null;
  lastPingAt: Date | null;
  /** The first ping that is kept. */
  knownSince: Date | null;
}

export type MomentOfHeartbeats = (at: Date) => Promise<HeartbeatAt[]>;

type Ping = Selectable<Pick<PingRow, "id" | "kind" | "exit_code" | "received_at">>;

/** Rows that are asked for by one statement. */
const BATCH = 2_000;

export function createMomentStore({
  database,
  pauses,
  all,
  times,
}: {
  database: Database;
  pauses: Pick<Pauses, "until">;
  all(): Iterable<SavedHeartbeat>;
  times(): Times;
}): MomentOfHeartbeats {
  const tables = database.tables<HeartbeatTables>();

  /** The last ping of all until then. They are numbered as they come, so it is found by halving, without an index by time. */
  async function lastIdUntil(atMs: number): Promise<number> {
    const range = await tables.read
      .selectFrom("heartbeat_pings")
      .select(({ fn }) => [fn.min<number | null>("id").as("low"), fn.max<number | null>("id").as("high")])
      .executeTakeFirst();
    let [low, high] = [(range?.low ?? 1) - 1, range?.high ?? 0];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const row = await tables.read
        .selectFrom("heartbeat_pings")
        .select("received_at")
        .where("id", "<=", middle)
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      if (row === undefined || row.received_at <= atMs) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** After the clock was set back, earlier numbers have later times. */
  function placesUntil(atMs: number, lastId: number) {
    const last = (kinds: string) => sql<number | null>`(SELECT past.id FROM heartbeat_pings AS past
      WHERE past.heartbeat_id = heartbeats.id AND past.id <= ${lastId} AND past.received_at <= ${atMs}
        AND past.kind IN (${sql.raw(kinds)}) ORDER BY past.id DESC LIMIT 1)`;
    return tables.read
      .selectFrom("heartbeats")
      .select("id")
      .select(last("'success', 'fail', 'exit_code'").as("ended_id"))
      .select(last("'success', 'fail', 'exit_code', 'start'").as("signal_id"))
      .select(sql<number | null>`(SELECT MIN(past.id) FROM heartbeat_pings AS past WHERE past.heartbeat_id = heartbeats.id)`.as("first_id"))
      .where("deleted_at", "is", null)
      .execute();
  }

  async function pingsOf(ids: readonly number[]): Promise<Map<number | null, Ping>> {
    const found: Ping[] = [];
    for (const some of inBatches(ids, BATCH))
      found.push(
        ...(await tables.read
          .selectFrom("heartbeat_pings")
          .select(["id", "kind", "exit_code", "received_at"])
          .where("id", "in", some)
          .execute()),
      );
    return new Map(found.map((ping) => [ping.id, ping]));
  }

  return async (at) => {
    const asked = [...all()].filter(({ createdAt }) => createdAt <= at);
    if (asked.length === 0) return [];
    const pausesOf = await pauses.until(at);
    const places = new Map((await placesUntil(at.getTime(), await lastIdUntil(at.getTime()))).map((row) => [row.id, row]));
    const pings = await pingsOf(
      [...places.values()].flatMap((row) => [row.ended_id, row.signal_id, row.first_id].filter((id) => id !== null)),
    );
    return asked.map((heartbeat) => {
      const { ended_id = null, signal_id = null, first_id = null } = places.get(heartbeat.id) ?? {};
      const [ended, signal] = [pings.get(ended_id), pings.get(signal_id)];
      const pause = pausesOf(heartbeat.id);
      return {
        id: heartbeat.id,
        name: heartbeat.name,
        status: statusOf(heartbeat, { at, ended, signal, pause, times: times() }),
        pausedSince: pause.pausedSince,
        lastPingAt: toDate(signal?.received_at ?? null),
        knownSince: toDate(pings.get(first_id)?.received_at ?? null),
      };
    });
  };
}

/** A resumed heartbeat is judged by what comes after that, from a fresh deadline; that its last run failed before says nothing well of it. */
function statusOf(
  { schedule, graceSeconds }: Pick<SavedHeartbeat, "schedule" | "graceSeconds">,
  { at, ended, signal, pause, times }: { at: Date; ended: Ping | undefined; signal: Ping | undefined; pause: PausesUntil; times: Times },
): HeartbeatAt["status"] {
  if (pause.pausedSince !== null) return "stopped";
  if (ended === undefined || signal === undefined) return "unknown";
  const resumedMs = pause.resumedAt?.getTime() ?? -Infinity;
  const hasFailed = ended.kind === "fail" || (ended.kind === "exit_code" && ended.exit_code !== 0);
  if (hasFailed) return ended.received_at >= resumedMs ? "down" : "unknown";
  const sinceMs = Math.max(signal.received_at, resumedMs);
  const deadlineMs = times.expect(schedule, new Date(sinceMs), null).getTime() + graceSeconds * 1000;
  return at.getTime() < moveDeadline(deadlineMs, sinceMs, times.gaps) ? "up" : "unknown";
}
