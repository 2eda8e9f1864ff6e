import type { Client } from "pg";
import { MINUTE_MS } from "../../contract/time.ts";
import { capitalise } from "../../contract/words.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf, StartError } from "../../platform/errors.ts";
import type { AppliedRow } from "../applied-migrations.ts";
import { POSTGRESQL } from "../capabilities.ts";
import { endClient, Leadership } from "../leadership.ts";
import { openClient } from "../postgres.ts";
import { knownMigrations, nextBatchRows, readTables, type Source } from "./target.ts";
import { type Batch, copiedTablesOf, type Counters, quoted, quotedList, type Row, type Table } from "./table.ts";

const FIRST_BATCH_ROWS = 50;
/** A batch of a large table on a slow disk takes seconds; the first may have to sort, and a count reads all of it. */
export const STATEMENT_MS = 5 * MINUTE_MS;
/** The lock is taken or refused at once. */
const LOCK_MS = 30_000;

export interface PostgresSourceOptions extends PostgresPlace {
  /** Keeps all programs from the database until it is closed; otherwise a program may run and write. */
  alone?: boolean;
  clock: Clock;
}

/** A PostgreSQL database as of now; later commits are not seen. Throws a StartError. */
export async function openPostgresSource({
  url,
  redactedUrl,
  alone = false,
  statementMs = STATEMENT_MS,
  clock,
}: PostgresSourceOptions): Promise<Source> {
  const where = `the database at ${redactedUrl}`;
  const lock = alone ? await lockPostgres({ url, redactedUrl, statementMs }, clock) : undefined;
  let client: Client | undefined;
  const close = async (): Promise<void> => {
    if (client !== undefined) await endClient(client, clock);
    await lock?.release();
  };
  try {
    const connected = (client = await openClient({ url, redactedUrl, queryTimeoutMs: statementMs }));
    await connected.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const applied = await appliedIn(connected);
    const migrations = knownMigrations(applied, POSTGRESQL, where);
    const tables = copiedTablesOf(migrations);
    return {
      where,
      engine: "postgresql",
      applied,
      migrations,
      read: () => readTables(tables, where, (table) => batchesOf(connected, table)),
      counters: () => countersOf(connected, tables),
      close,
    };
  } catch (error) {
    await close();
    throw error instanceof StartError
      ? error
      : new StartError(`The database at ${redactedUrl} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}

/** The migrations of the present schema; none without the table of them. */
export async function appliedIn(client: Client): Promise<AppliedRow[]> {
  const { rows: found } = await client.query<{ found: number }>(POSTGRESQL.hasMigrations);
  if (Number(found[0]?.found) === 0) return [];
  const { rows } = await client.query<{ name: string; checksum?: string | null }>("SELECT * FROM schema_migrations ORDER BY name");
  return rows.map(({ name, checksum = null }) => ({ name, checksum }));
}

/** Ordered by the key, else by all columns, so that the same rows are always read in the same order. */
async function* batchesOf(client: Client, table: Table): AsyncGenerator<Batch> {
  const order = quotedList(table.key.length > 0 ? table.key : table.columns);
  await client.query(
    `DECLARE copied NO SCROLL CURSOR FOR SELECT ${quotedList(table.columns)} FROM ${quoted(table.name)} ORDER BY ${order}`,
  );
  try {
    for (let wanted = FIRST_BATCH_ROWS; ;) {
      const { rows } = await client.query<Row[number][]>({ text: `FETCH ${wanted} FROM copied`, rowMode: "array" });
      if (rows.length === 0) break;
      yield { table, rows };
      wanted = nextBatchRows(rows);
    }
  } finally {
    // After a failure the transaction has ended, and with it the cursor.
    await client.query("CLOSE copied").catch(() => undefined);
  }
}

async function countersOf(client: Client, tables: readonly Table[]): Promise<Counters> {
  const counters: Record<string, number> = {};
  for (const { name, key } of tables.filter(({ isGenerated }) => isGenerated)) {
    const { rows } = await client.query<{ last: number | null }>(
      "SELECT pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass) AS last",
      [quoted(name), key[0]],
    );
    const last = rows[0]?.last ?? null;
    if (last !== null) counters[name] = Number(last);
  }
  return counters;
}

export interface PostgresPlace {
  url: string;
  /** Without its password, for sentences. */
  redactedUrl: string;
  /** How long the server may take to answer a statement. */
  statementMs?: number;
}

/** Whether a statement failed because the server did not answer in time. */
export function isSilence(error: unknown): boolean {
  return messageOf(error).includes("Query read timeout");
}

/** The failure of a server that did not answer in time. */
export function silenceOf(where: string, error: unknown): StartError {
  return new StartError(`${capitalise(where)} did not answer in time: ${messageOf(error)}. Try again when it answers.`, { cause: error });
}

/** Keeps all programs from a PostgreSQL database until it is released. Throws a StartError while a program has it, or when it does not answer. */
export async function lockPostgres(
  { url, redactedUrl, statementMs = STATEMENT_MS }: PostgresPlace,
  clock: Clock,
): Promise<{ isHeld(): boolean; release(): Promise<void> }> {
  let isHeld = true;
  const open = (): Promise<Client> => openClient({ url, redactedUrl, queryTimeoutMs: Math.min(statementMs, LOCK_MS) });
  const leadership = new Leadership({ open, clock });
  const isAcquired = await leadership
    .acquire(() => (isHeld = false))
    .catch((error: unknown) => {
      throw isSilence(error) ? silenceOf(`the database at ${redactedUrl}`, error) : error;
    });
  if (!isAcquired) {
    await leadership.release();
    throw new StartError(`The database at ${redactedUrl} is in use by a program that is running. Stop it first.`);
  }
  return { isHeld: () => isHeld, release: () => leadership.release() };
}
