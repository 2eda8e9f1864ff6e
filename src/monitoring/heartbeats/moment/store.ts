import { type Selectable, sql } from "kysely";
import { toDate } from "../../../contract/time.ts";
import type { Database } from "../../../storage/database.ts";
import { inBatches } from "../../../storage/purge.ts";
import type { SavedHeartbeat } from "../changes.ts";
import { moveDeadline } from "../gaps/gap.ts";
import type { Times } from "../heartbeat.ts";
import type { HeartbeatTables, PingRow } from "../tables.ts";

/** How a heartbeat was at a moment, by the pings that are kept. Its name and schedule are those that it has now. */
export interface HeartbeatAt {
  id: number;
  name: string;
  /** `stopped`: paused since before it. `unknown` too where a ping was overdue: whether that was allowed then, only an alert can say. */
  status: "up" | "down" | "stopped" | "unknown";
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
  all,
  times,
}: {
  database: Database;
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
    const places = new Map((await placesUntil(at.getTime(), await lastIdUntil(at.getTime()))).map((row) => [row.id, row]));
    const pings = await pingsOf(
      [...places.values()].flatMap((row) => [row.ended_id, row.signal_id, row.first_id].filter((id) => id !== null)),
    );
    return asked.map((heartbeat) => {
      const { ended_id = null, signal_id = null, first_id = null } = places.get(heartbeat.id) ?? {};
      const [ended, signal] = [pings.get(ended_id), pings.get(signal_id)];
      return {
        id: heartbeat.id,
        name: heartbeat.name,
        status: statusOf(heartbeat, { at, ended, signal, times: times() }),
        lastPingAt: toDate(signal?.received_at ?? null),
        knownSince: toDate(pings.get(first_id)?.received_at ?? null),
      };
    });
  };
}

function statusOf(
  { status, statusChangedAt, schedule, graceSeconds }: SavedHeartbeat,
  { at, ended, signal, times }: { at: Date; ended: Ping | undefined; signal: Ping | undefined; times: Times },
): HeartbeatAt["status"] {
  if (status === "paused" && statusChangedAt <= at) return "stopped";
  if (ended === undefined || signal === undefined) return "unknown";
  if (ended.kind === "fail" || (ended.kind === "exit_code" && ended.exit_code !== 0)) return "down";
  const since = new Date(signal.received_at);
  const deadlineMs = times.expect(schedule, since, null).getTime() + graceSeconds * 1000;
  return at.getTime() < moveDeadline(deadlineMs, signal.received_at, times.gaps) ? "up" : "unknown";
}
