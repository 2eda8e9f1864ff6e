import { CompiledQuery, Kysely, PostgresDialect } from "kysely";
import type Pg from "pg";
import type { Client, ClientConfig, Pool, PoolConfig } from "pg";
import type { Clock } from "../platform/clock.ts";
import { codeOf, messageOf, StartError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { POSTGRESQL } from "./capabilities.ts";
import { createDatabase } from "./create-database.ts";
import type { Database } from "./database.ts";
import { inspect, type Inspection } from "./inspect.ts";
import { Leadership, noticeDeadPeers, TakenOver } from "./leadership.ts";

const CONNECT_TIMEOUT_MS = 3000;
const STATEMENT_TIMEOUT_MS = 8000;
/** In addition to the server's own limit, and below the 10 s of a request: a silent server is noticed before the caller gives up. */
const SILENCE_MS = 1000;
const IDLE_TRANSACTION_MS = 30_000;
const READERS = 5;
const OLDEST_VERSION = 140_000;

/** SQLSTATE classes and codes by which the server is unavailable. Source: PostgreSQL, appendix A. */
const LOSS_STATES = /^(08|57P0|53|25006|58)/;
const LOSS_MESSAGE =
  /connection terminated|timeout expired|query read timeout|client has encountered a connection error|not queryable|connection ended/i;
/** The SQLSTATE of a statement that exceeded its time, and pg's message when all connections are in use. */
const QUERY_CANCELED = "57014";
const POOL_EXHAUSTED = /timeout exceeded when trying to connect/;

export interface PostgresOptions {
  /** With a decided sslmode; see config/database-url.ts. */
  url: string;
  /** Without its password, for sentences. */
  redactedUrl: string;
  clock: Clock;
  log: Log;
  /** How long a statement may take, and how long it may wait for a free connection. */
  statementTimeoutMs?: number;
}

/** The database for larger installations: a pool for reading and one connection for writing, and for migrations a connection without time limits. */
export function openPostgres({ url, redactedUrl, clock, log, statementTimeoutMs = STATEMENT_TIMEOUT_MS }: PostgresOptions): Database {
  let pools: Pool[] = [];
  const openPools = (): Pool[] => pools.filter((pool) => !pool.ended && !pool.ending);
  // The connection that only holds the lock.
  const openLockClient = (): Promise<Client> => openClient({ url, redactedUrl, queryTimeoutMs: statementTimeoutMs + SILENCE_MS });
  const leadership = new Leadership({ open: openLockClient, clock });
  return createDatabase(
    {
      capabilities: POSTGRESQL,
      leadership,
      where: `the database at ${redactedUrl}`,
      isLoss,
      isBusy,
      reasonOfLoss: messageOf,
      async connect(lost) {
        const { default: pg } = await import("pg");
        const pool = (max: number, limits: PoolConfig): Pool => {
          const made = new pg.Pool({ ...poolConfig(url, pg), connectionTimeoutMillis: statementTimeoutMs, ...limits, max });
          // A broken connection also emits an error, idle or in use; without a listener that would end the process.
          made.on("error", lost);
          made.on("connect", (client) => void client.on("error", lost));
          return made;
        };
        const limits = { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + SILENCE_MS };
        const reading = pool(READERS, limits);
        // An idle transaction would keep another program from taking over.
        const writing = pool(1, { ...limits, idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS });
        const migrating = pool(1, { statement_timeout: 0 });
        pools = [reading, writing, migrating];
        await checkServer(writing, redactedUrl);
        const dialect = (of: Pool): PostgresDialect => new PostgresDialect({ pool: of });
        return { reading: dialect(reading), writing: dialect(writing), migrating: dialect(migrating) };
      },
      async disconnect() {
        await Promise.all(openPools().map((pool) => pool.end()));
        // Last, so that no other program takes over while something is still being written.
        await leadership.release();
      },
      async probe() {
        await leadership.resume();
        await Promise.all(openPools().flatMap((pool) => Array.from({ length: Math.max(pool.totalCount, 1) }, () => probeConnection(pool))));
      },
      async forgetOldRows(tables) {
        const client = await openClient({ url, redactedUrl, queryTimeoutMs: statementTimeoutMs + SILENCE_MS });
        try {
          await client.query(`SET statement_timeout = ${statementTimeoutMs}`);
          for (const table of tables) await client.query(`VACUUM FULL ${client.escapeIdentifier(table)}`);
          return true;
        } finally {
          await client.end();
        }
      },
    },
    { clock, log },
  );
}

/** The state of the database, over a connection that may only read. Throws a StartError. */
export async function inspectPostgres({ url, redactedUrl }: Pick<PostgresOptions, "url" | "redactedUrl">): Promise<Inspection> {
  const { default: pg } = await import("pg");
  const limits = { statement_timeout: STATEMENT_TIMEOUT_MS, query_timeout: STATEMENT_TIMEOUT_MS + SILENCE_MS, max: 1 };
  const pool = new pg.Pool({ ...poolConfig(url, pg), ...limits });
  // Failures are reported by the statement that meets them.
  pool.on("error", () => undefined);
  const database = new Kysely<never>({
    dialect: new PostgresDialect({
      pool,
      onCreateConnection: async (connection) =>
        void (await connection.executeQuery(CompiledQuery.raw("SET default_transaction_read_only = on"))),
    }),
  });
  try {
    await checkServer(pool, redactedUrl);
    return await inspect({ database, capabilities: POSTGRESQL, where: `the database at ${redactedUrl}` });
  } catch (error) {
    throw unusable(redactedUrl, error);
  } finally {
    await database.destroy();
    if (!pool.ended) await pool.end();
  }
}

function poolConfig(url: string, pg: typeof Pg): PoolConfig {
  return {
    ...clientConfig(url, pg),
    // The pool's limit is the wait for a free connection; opening a new one has a shorter limit.
    Client: class extends pg.Client {
      constructor(options?: ClientConfig) {
        super({ ...options, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
      }
    },
  };
}

function clientConfig(url: string, { types: { getTypeParser } }: typeof Pg): ClientConfig {
  const BIGINT_OID = 20;
  return {
    connectionString: withLibpqModes(url),
    // Every bigint of the schema is a count or a time in milliseconds, which a number holds exactly.
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") => (oid === BIGINT_OID ? Number : getTypeParser(oid, format as "text")),
    },
    application_name: "binnacle",
    keepAlive: true,
  };
}

/** Opens one connection, whose end the server notices within half a minute. Throws a StartError. */
export async function openClient({
  url,
  redactedUrl,
  queryTimeoutMs,
}: Pick<PostgresOptions, "url" | "redactedUrl"> & {
  /** How long a statement may take; unlimited by default. */
  queryTimeoutMs?: number;
}): Promise<Client> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({
    ...clientConfig(url, pg),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(queryTimeoutMs === undefined ? {} : { query_timeout: queryTimeoutMs }),
  });
  try {
    // Without a listener, a failure while connecting would end the process; the attempt reports it.
    client.on("error", () => undefined);
    await client.connect();
    await checkServer(client, redactedUrl);
    await noticeDeadPeers(client);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw unusable(redactedUrl, error);
  }
}

/** Tests one connection. If it does not answer it is closed, since what it waits for may never come. */
async function probeConnection(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SELECT 1");
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Connects once, so that a wrong URL is reported before anything starts. */
async function checkServer(pool: Pick<Pool, "query">, redactedUrl: string): Promise<void> {
  let version: number;
  try {
    const { rows } = await pool.query<{ server_version_num: string }>("SHOW server_version_num");
    version = Number(rows[0]?.server_version_num);
  } catch (error) {
    throw unusable(redactedUrl, error);
  }
  if (version < OLDEST_VERSION)
    throw new StartError(`The database at ${redactedUrl} is PostgreSQL ${Math.floor(version / 10_000)}; version 14 or later is needed.`);
}

function unusable(redactedUrl: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  return new StartError(`The database at ${redactedUrl} cannot be used: ${reasonOf(error)}`, { cause: error });
}

function reasonOf(error: unknown): string {
  const message = messageOf(error);
  const code = codeOf(error);
  if (/does not support SSL/i.test(message)) {
    return "the server offers no TLS. Turn TLS on there, or add sslmode=disable to SERVICE_DATABASE_URL if the network between is trusted.";
  }
  if (/self.signed|unable to verify|unable to get local issuer|altnames/i.test(message)) {
    return `its certificate is not trusted (${message}). Add sslrootcert=FILE, or use sslmode=require to encrypt without verifying.`;
  }
  if (code === "28P01" || code === "28000")
    return "the user or the password is wrong, or this user may not connect from here. Check SERVICE_DATABASE_URL and pg_hba.conf.";
  if (code === "3D000") return "the server has no database of that name. Create it first, or correct SERVICE_DATABASE_URL.";
  if (code === "ECONNREFUSED") return "nothing listens there. Is the server running, and are host and port right?";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "the host name cannot be resolved. Check SERVICE_DATABASE_URL.";
  if (/timeout/i.test(message)) return "the server did not answer in time. Check host, port and firewall.";
  return `${message}. Check SERVICE_DATABASE_URL.`;
}

function isLoss(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isLoss);
  if (!(error instanceof Error)) return false;
  if (error instanceof TakenOver) return true;
  return "syscall" in error || LOSS_STATES.test(codeOf(error)) || LOSS_MESSAGE.test(error.message);
}

function isBusy(error: unknown): boolean {
  return codeOf(error) === QUERY_CANCELED || (error instanceof Error && POOL_EXHAUSTED.test(error.message));
}

/** pg treats `sslmode=require` as verify-full unless it is set to follow libpq, whose meaning the specification uses. */
function withLibpqModes(url: string): string {
  return /[?&]sslmode=/.test(url) ? `${url}&uselibpqcompat=true` : url;
}
