import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Client } from "pg";
import type { Clock } from "../platform/clock.ts";

/** The first key of the advisory lock; the second is of the schema, since one PostgreSQL database may hold several of ours. */
const LOCK_KEY = 701_926_540;

/** Another program has taken the database over: what this one keeps in memory is no longer what is stored. */
export class TakenOver extends Error {
  constructor() {
    super("another server has taken the database over. This one ends, so that it is started again as a standby");
    this.name = "TakenOver";
  }
}

/** Which of several programs on one PostgreSQL database works: the one that holds a session lock, on a connection of its own. */
export interface Leadership {
  /** Tries to get the lock; false while another program holds it. */
  acquire(lost: (error: unknown) => void): Promise<boolean>;
  /** Writes down that this program has the database, once what another had begun to write has ended. Without the lock does nothing. */
  claim(database: Kysely<never>): Promise<void>;
  /** Keeps others from taking over until the transaction ends. Throws `TakenOver` when one has. */
  fence(transaction: Kysely<never>): Promise<void>;
  /** Gets back the lock that was lost. Throws while another program holds it, and `TakenOver` when one has been at work meanwhile. */
  resume(): Promise<void>;
  release(): Promise<void>;
}

interface LeaderTables {
  leader: { id: number; holder: string; since: number };
}

export function createLeadership({ open, clock }: { open(): Promise<Client>; clock: Clock }): Leadership {
  const holder = randomUUID();
  let client: Client | undefined;
  let holdsLock = false;
  let wasAcquired = false;
  let isClaimed = false;
  let tell: (error: unknown) => void = () => undefined;

  async function connected(): Promise<Client> {
    if (client !== undefined) return client;
    const opened = await open();
    const drop = (error: Error = new Error("connection terminated: it held the lock on the database")): void => {
      if (client !== opened) return;
      client = undefined;
      const wasHeld = holdsLock;
      holdsLock = false;
      if (wasHeld) tell(error);
    };
    opened.on("error", drop).on("end", () => drop());
    client = opened;
    return opened;
  }

  async function acquire(): Promise<boolean> {
    const on = await connected();
    if (holdsLock) return true;
    const text = "SELECT pg_try_advisory_lock($1, hashtext(current_schema())) AS acquired";
    const { rows } = await on.query<{ acquired: boolean }>(text, [LOCK_KEY]);
    holdsLock = client === on && rows[0]?.acquired === true;
    wasAcquired ||= holdsLock;
    return holdsLock;
  }

  return {
    acquire(lost) {
      tell = lost;
      return acquire();
    },
    async claim(database) {
      if (!wasAcquired) return;
      const row = { holder, since: clock.now().getTime() };
      await inLeader(database)
        .insertInto("leader")
        .values({ id: 1, ...row })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
        .execute();
      isClaimed = true;
    },
    async fence(transaction) {
      if (!isClaimed) return;
      const found = await inLeader(transaction)
        .selectFrom("leader")
        .select("id")
        .where("holder", "=", holder)
        .forShare()
        .executeTakeFirst();
      if (found === undefined) throw new TakenOver();
    },
    async resume() {
      if (!wasAcquired) return;
      if (!(await acquire())) throw new Error("another server holds the lock on the database");
      if (!isClaimed) return;
      const { rowCount } = await (await connected()).query("SELECT FROM leader WHERE holder = $1", [holder]);
      if (rowCount === 0) throw new TakenOver();
    },
    async release() {
      const ended = client;
      client = undefined;
      holdsLock = false;
      await ended?.end();
    },
  };
}

function inLeader(database: Kysely<never>): Kysely<LeaderTables> {
  return database as unknown as Kysely<LeaderTables>;
}

/** Has the server notice within half a minute that the program at the other end is gone, with its machine or its network. */
export async function noticeDeadPeers(client: Client): Promise<void> {
  await client.query("SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3");
}
