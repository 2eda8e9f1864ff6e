import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Client, QueryResult, QueryResultRow } from "pg";
import type { Clock } from "../platform/clock.ts";
import { inTables } from "./statements.ts";

/** The first key of the advisory lock; the second one is the schema, since a PostgreSQL database may hold several of them. */
const LOCK_KEY = 701_926_540;

/** Another program has taken over the database, so the state in this program's memory is outdated. */
export class TakenOver extends Error {
  constructor() {
    super("another server has taken the database over. This one ends, so that it is started again as a standby");
    this.name = "TakenOver";
  }
}

interface LeaderTables {
  leader: { id: number; holder: string; since: number };
}

/** Decides which of several programs on one PostgreSQL database works: the one that holds a session lock, on a dedicated connection. */
export class Leadership {
  readonly #open: () => Promise<Client>;
  readonly #clock: Clock;
  readonly #holder = randomUUID();
  #client: Client | undefined;
  #holdsLock = false;
  #wasAcquired = false;
  #isClaimed = false;
  #onLost: (error: unknown) => void = () => undefined;

  constructor({ open, clock }: { open: () => Promise<Client>; clock: Clock }) {
    this.#open = open;
    this.#clock = clock;
  }

  /** Tries to get the lock; false while another program holds it. */
  acquire(lost: (error: unknown) => void): Promise<boolean> {
    this.#onLost = lost;
    return this.#acquire();
  }

  /** Records that this program has the database, once the last writes of the program before have ended. Does nothing without the lock. */
  async claim(database: Kysely<never>): Promise<void> {
    if (!this.#wasAcquired) return;
    const row = { holder: this.#holder, since: this.#clock.now().getTime() };
    await inTables<LeaderTables>(database)
      .insertInto("leader")
      .values({ id: 1, ...row })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
      .execute();
    this.#isClaimed = true;
  }

  /** Prevents others from taking over until the transaction ends. Throws `TakenOver` when one already has. */
  async fence(transaction: Kysely<never>): Promise<void> {
    if (!this.#isClaimed) return;
    const found = await inTables<LeaderTables>(transaction)
      .selectFrom("leader")
      .select("id")
      .where("holder", "=", this.#holder)
      .forShare()
      .executeTakeFirst();
    if (found === undefined) throw new TakenOver();
  }

  /** Gets a lost lock back. Throws while another program holds it, and `TakenOver` when another one worked meanwhile. */
  async resume(): Promise<void> {
    if (!this.#wasAcquired) return;
    if (!(await this.#acquire())) throw new Error("another server holds the lock on the database");
    if (!this.#isClaimed) return;
    const { rowCount } = await this.#ask(await this.#connected(), "SELECT FROM leader WHERE holder = $1", [this.#holder]);
    if (rowCount === 0) throw new TakenOver();
  }

  async release(): Promise<void> {
    const ended = this.#client;
    this.#client = undefined;
    this.#holdsLock = false;
    if (ended !== undefined) await endClient(ended, this.#clock);
  }

  async #acquire(): Promise<boolean> {
    const on = await this.#connected();
    if (this.#holdsLock) return true;
    const text = "SELECT pg_try_advisory_lock($1, hashtext(current_schema())) AS acquired";
    const { rows } = await this.#ask<{ acquired: boolean }>(on, text, [LOCK_KEY]);
    this.#holdsLock = this.#client === on && rows[0]?.acquired === true;
    this.#wasAcquired ||= this.#holdsLock;
    return this.#holdsLock;
  }

  /** Gives the connection up when it fails: of a server that vanished silently, a statement that takes too long is the only sign. */
  async #ask<Row extends QueryResultRow>(on: Client, text: string, values: unknown[]): Promise<QueryResult<Row>> {
    try {
      return await on.query<Row>(text, values);
    } catch (error) {
      if (this.#client === on) {
        this.#client = undefined;
        this.#holdsLock = false;
      }
      void on.end().catch(() => undefined);
      throw error;
    }
  }

  async #connected(): Promise<Client> {
    if (this.#client !== undefined) return this.#client;
    const opened = await this.#open();
    const drop = (error: Error = new Error("connection terminated: it held the lock on the database")): void => {
      if (this.#client !== opened) return;
      this.#client = undefined;
      const wasHeld = this.#holdsLock;
      this.#holdsLock = false;
      if (wasHeld) this.#onLost(error);
    };
    opened.on("error", drop).on("end", () => drop());
    this.#client = opened;
    return opened;
  }
}

/** How long a server may take to end a connection. */
const END_MS = 2_000;

/** Ends a connection; that of a server that does not answer is cut. */
export async function endClient(client: Client, clock: Clock): Promise<void> {
  const timer = clock.after(END_MS, () => client.connection.stream.destroy());
  try {
    await client.end();
  } finally {
    timer.cancel();
  }
}

/** Makes the server notice within half a minute when this program, its machine or its network is gone. */
export async function noticeDeadPeers(client: Client): Promise<void> {
  await client.query("SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3");
}
