import { randomUUID } from "node:crypto";
import { Kysely, PostgresDialect, type PostgresPoolClient } from "kysely";
import type { Client } from "pg";
import type { Clock } from "../../platform/clock.ts";
import { StartError } from "../../platform/errors.ts";
import { POSTGRESQL } from "../capabilities.ts";
import { migrate, MIGRATIONS } from "../migrate.ts";
import { openClient } from "../postgres.ts";
import { endClient } from "../leadership.ts";
import { appliedIn, isSilence, lockPostgres, type PostgresPlace, silenceOf, STATEMENT_MS } from "./postgres-source.ts";
import { copiedTablesOf, type Counters, quoted, quotedList, type Row, type Table, tablesOf } from "./table.ts";
import {
  areNamesOf,
  BEFORE_RESTORE,
  type Begin,
  PROGRESS,
  type Progress,
  progressFrom,
  SCHEMA_COMMENT,
  stampOf,
  type Target,
} from "./target.ts";

/**
 * A target whose tables are made in a separate schema, `SCHEMA_incoming`, and moved into the present one in one transaction. Throws a StartError
 * while a program uses the database.
 */
export async function openPostgresTarget({
  clock,
  statementMs = STATEMENT_MS,
  ...place
}: PostgresPlace & { clock: Clock }): Promise<Target> {
  const where = `the database at ${place.redactedUrl}`;
  const lock = await lockPostgres({ ...place, statementMs }, clock);
  const { client, schema } = await connect({ ...place, queryTimeoutMs: statementMs }, clock).catch(async (error: unknown) => {
    await lock.release();
    throw isSilence(error) ? silenceOf(where, error) : error;
  });
  const run = (text: string, values?: unknown[]) => client.query<Record<string, unknown>>(text, values);
  const incoming = `${schema}_incoming`;
  let migrations: Begin["migrations"] = [];
  /** Whether what was made is useless once this ends, because nobody can resume it. */
  let isScrap = false;

  async function inTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
    await run("BEGIN");
    try {
      const result = await work();
      await run("COMMIT");
      return result;
    } catch (error) {
      if (!isSilence(error)) await run("ROLLBACK").catch(() => undefined);
      throw error;
    }
  }

  /** Nothing more is asked of a server that did not answer: that would wait as long again. */
  async function answered<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isSilence(error)) throw error;
      isScrap = false;
      await endClient(client, clock);
      throw silenceOf(where, error);
    }
  }

  async function prepare({ resume }: Begin): Promise<void> {
    await inTransaction(async () => {
      await dropIncoming();
      await makeSchema(client, incoming);
    });
    isScrap = !resume;
    await run(`SET search_path TO ${quoted(incoming)}`);
    await migrate({ database: kyselyOf(client), capabilities: POSTGRESQL, where, clock, migrations });
    await inTransaction(async () => {
      for (const { name } of copiedTablesOf(migrations).toReversed()) await run(`DELETE FROM ${quoted(name)}`);
      if (resume) await run(PROGRESS.make);
    });
  }

  async function dropIncoming(): Promise<void> {
    const isOurs = await commentOf(client, incoming);
    if (isOurs === undefined) return;
    if (isOurs !== SCHEMA_COMMENT)
      throw new StartError(`The schema ${incoming} of ${where} is of somebody else. Rename it first; nothing was changed.`);
    await run(`DROP SCHEMA ${quoted(incoming)} CASCADE`);
  }

  /** The progress of an interrupted copy; undefined when there is none to resume. */
  async function interrupted(): Promise<Map<string, Progress> | undefined> {
    if ((await commentOf(client, incoming)) !== SCHEMA_COMMENT) return undefined;
    await run(`SET search_path TO ${quoted(incoming)}`);
    const { rows: tables } = await run(`SELECT to_regclass('${PROGRESS.table}') IS NOT NULL AS found`);
    const names = (await appliedIn(client)).map(({ name }) => name);
    if (tables[0]?.["found"] !== true || !areNamesOf(migrations, names)) return undefined;
    return progressFrom((await run(PROGRESS.read)).rows);
  }

  /** The present tables of Binnacle, including those that only a newer program knows. */
  async function tablesInUse(): Promise<string[]> {
    await run(`SET search_path TO ${quoted(schema)}`);
    const applied = await appliedIn(client);
    const unknown = applied.filter((row) => !MIGRATIONS.some(({ name }) => name === row.name));
    if (unknown.length > 0)
      throw new StartError(
        `${where} is of a newer version of the program, whose tables this one does not know. Restore with that version, or into an empty database; nothing was changed.`,
      );
    const known = applied.length === 0 ? [] : tablesOf(MIGRATIONS.filter(({ name }) => applied.some((row) => row.name === name)));
    const names = applied.length === 0 ? [] : [...known.map(({ name }) => name), "schema_migrations"];
    const { rows } = await run("SELECT tablename FROM pg_tables WHERE schemaname = $1 AND tablename = ANY($2)", [schema, names]);
    return rows.map(({ tablename }) => String(tablename));
  }

  async function putInPlace(): Promise<string | null> {
    const old = await tablesInUse();
    const kept = `${schema}_${BEFORE_RESTORE.replace("-", "_")}_${stampOf(clock.now()).toLowerCase()}`;
    const made = [...tablesOf(migrations).map(({ name }) => name), "schema_migrations"];
    await inTransaction(async () => {
      if (old.length > 0) await makeSchema(client, kept);
      for (const name of old) await run(`ALTER TABLE ${quoted(schema)}.${quoted(name)} SET SCHEMA ${quoted(kept)}`);
      for (const name of made) await run(`ALTER TABLE ${quoted(incoming)}.${quoted(name)} SET SCHEMA ${quoted(schema)}`);
      await run(`DROP SCHEMA ${quoted(incoming)} CASCADE`);
      await claim();
    });
    return old.length > 0 ? `the schema ${kept}` : null;
  }

  /** A server that lost its lock meanwhile finds that another program has taken over, and ends. */
  async function claim(): Promise<void> {
    const { rows } = await run("SELECT to_regclass($1) IS NOT NULL AS found", [`${quoted(schema)}.leader`]);
    if (rows[0]?.["found"] !== true) return;
    await run(`INSERT INTO ${quoted(schema)}.leader (id, holder, since) VALUES (1, $1, $2)`, [randomUUID(), clock.now().getTime()]);
  }

  async function insert(table: Table, rows: readonly Row[], progress: Progress | undefined): Promise<void> {
    const width = table.columns.length;
    const places = rows.map((_, row) => `(${table.columns.map((__, column) => `$${row * width + column + 1}`).join(", ")})`);
    await inTransaction(async () => {
      await run(`INSERT INTO ${quoted(table.name)} (${quotedList(table.columns)}) VALUES ${places.join(", ")}`, rows.flat());
      if (progress !== undefined)
        await run(
          `INSERT INTO ${PROGRESS.table} (name, rows, sha256) VALUES ($1, $2, $3)
            ON CONFLICT (name) DO UPDATE SET rows = excluded.rows, sha256 = excluded.sha256`,
          [table.name, progress.rows, progress.sha256],
        );
    });
  }

  async function finish(counters: Counters): Promise<string | null> {
    for (const table of copiedTablesOf(migrations)) await setCounter(client, table, counters);
    if (!lock.isHeld())
      throw new StartError(`The connection that kept other programs from ${where} was lost. Nothing was changed; try again.`);
    const kept = await putInPlace();
    isScrap = false;
    return kept;
  }

  return {
    where,
    isTaken: () =>
      answered(async () => {
        await run(`SET search_path TO ${quoted(schema)}`);
        return (await appliedIn(client)).length > 0;
      }),
    begin: (begin) =>
      answered(async () => {
        ({ migrations } = begin);
        const found = begin.resume ? await interrupted() : undefined;
        if (found === undefined) await prepare(begin);
        return found ?? new Map();
      }),
    insert: (table, rows, progress) => answered(() => insert(table, rows, progress)),
    counts: (tables) =>
      answered(async () => {
        const counts: Record<string, number> = {};
        for (const { name } of tables) counts[name] = Number((await run(`SELECT COUNT(*) AS rows FROM ${quoted(name)}`)).rows[0]?.["rows"]);
        return counts;
      }),
    amend: (statements) =>
      answered(() =>
        inTransaction(async () => {
          for (const statement of statements) await run(statement);
        }),
      ),
    finish: (counters) => answered(() => finish(counters)),
    async close() {
      // If the connection was lost, the next run drops it.
      if (isScrap) await answered(dropIncoming).catch(() => undefined);
      await endClient(client, clock);
      await lock.release();
    },
  };
}

/** A connection, and the schema that is present in it. */
async function connect(options: Parameters<typeof openClient>[0], clock: Clock): Promise<{ client: Client; schema: string }> {
  const client = await openClient(options);
  try {
    const { rows } = await client.query<{ schema: string }>("SELECT current_schema() AS schema");
    return { client, schema: String(rows[0]?.schema) };
  } catch (error) {
    await endClient(client, clock);
    throw error;
  }
}

async function setCounter(client: Client, { name, key, isGenerated }: Table, counters: Counters): Promise<void> {
  const [id] = key;
  if (!isGenerated || id === undefined) return;
  await client.query(
    `SELECT setval(pg_get_serial_sequence($1, $2), last) FROM (
      SELECT GREATEST(MAX(${quoted(id)}), $3::bigint) AS last FROM ${quoted(name)}
    ) AS ids WHERE last > 0`,
    [quoted(name), id, counters[name] ?? null],
  );
}

async function makeSchema(client: Client, name: string): Promise<void> {
  await client.query(`CREATE SCHEMA ${quoted(name)}`);
  await client.query(`COMMENT ON SCHEMA ${quoted(name)} IS '${SCHEMA_COMMENT}'`);
}

/** The comment of a schema, empty without one; undefined when the schema does not exist. */
async function commentOf(client: Client, schema: string): Promise<string | undefined> {
  const { rows } = await client.query<{ comment: string | null }>(
    "SELECT obj_description(oid, 'pg_namespace') AS comment FROM pg_namespace WHERE nspname = $1",
    [schema],
  );
  return rows[0] && (rows[0].comment ?? "");
}

/** Kysely over one connection, which stays open. */
function kyselyOf(client: Client): Kysely<never> {
  // Binding loses its overloads.
  const connection = { query: client.query.bind(client) as PostgresPoolClient["query"], release: () => undefined };
  return new Kysely({ dialect: new PostgresDialect({ pool: { connect: async () => connection, end: async () => undefined } }) });
}
