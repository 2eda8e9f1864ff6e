import { PostgresDialect } from "kysely";
import type { Pool, PoolConfig, types as pgTypes } from "pg";
import type { Clock } from "../platform/clock.ts";
import { messageOf, StartError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { POSTGRESQL } from "./capabilities.ts";
import { createDatabase } from "./create-database.ts";
import type { Database } from "./database.ts";

const CONNECT_TIMEOUT_MS = 3000;
/** Below the 10 s that a request may take, so that a silent server is noticed before its caller gives up. */
const QUERY_TIMEOUT_MS = 8000;
const READERS = 5;
const OLDEST_VERSION = 140_000;

/** SQLSTATE classes and codes that say that the server is not there for us. Source: PostgreSQL, appendix A. */
const LOSS_STATES = /^(08|57P0|53|25006|58)/;
const LOSS_MESSAGE =
  /connection terminated|timeout exceeded|query read timeout|client has encountered a connection error|not queryable|connection ended/i;

export interface PostgresOptions {
  /** With its sslmode already decided; see config/database-url.ts. */
  url: string;
  /** The same without its password, for sentences. */
  redactedUrl: string;
  clock: Clock;
  log: Log;
}

/** The database to grow onto: a pool that reads and one connection that writes. */
export function openPostgres({ url, redactedUrl, clock, log }: PostgresOptions): Database {
  let pools: Pool[] = [];
  return createDatabase(
    {
      capabilities: POSTGRESQL,
      where: `the database at ${redactedUrl}`,
      isLoss,
      reasonOfLoss: messageOf,
      async connect(lost) {
        const { default: pg } = await import("pg");
        const pool = (max: number): Pool => {
          const made = new pg.Pool({ ...poolConfig(url, pg.types), max });
          // A connection that breaks says so by itself too, idle or in use; unheard, that would end the process.
          made.on("error", lost);
          made.on("connect", (client) => void client.on("error", lost));
          return made;
        };
        const reading = pool(READERS);
        const writing = pool(1);
        pools = [reading, writing];
        await checkServer(writing, redactedUrl);
        return { reading: new PostgresDialect({ pool: reading }), writing: new PostgresDialect({ pool: writing }) };
      },
      async disconnect() {
        await Promise.all(pools.filter((pool) => !pool.ended).map((pool) => pool.end()));
      },
      /** The server answers for what it has committed. */
      verify() {},
      async probe() {
        await Promise.all(pools.flatMap((pool) => Array.from({ length: Math.max(pool.totalCount, 1) }, () => probeConnection(pool))));
      },
    },
    { clock, log },
  );
}

function poolConfig(url: string, { getTypeParser }: Pick<typeof pgTypes, "getTypeParser">): PoolConfig {
  const BIGINT_OID = 20;
  return {
    connectionString: withLibpqModes(url),
    // Every bigint of the schema is a count or a time in milliseconds, exact as a number.
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") => (oid === BIGINT_OID ? Number : getTypeParser(oid, format as "text")),
    },
    application_name: "binnacle",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
  };
}

/** Asks one connection; one that does not answer is thrown away, since what it waits for may never come. */
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

/** Connects once, so that a wrong URL is told before anything starts. */
async function checkServer(pool: Pool, redactedUrl: string): Promise<void> {
  let version: number;
  try {
    const { rows } = await pool.query<{ server_version_num: string }>("SHOW server_version_num");
    version = Number(rows[0]?.server_version_num);
  } catch (error) {
    throw new StartError(`The database at ${redactedUrl} cannot be used: ${reasonOf(error)}`, { cause: error });
  }
  if (version < OLDEST_VERSION)
    throw new StartError(`The database at ${redactedUrl} is PostgreSQL ${Math.floor(version / 10_000)}; version 14 or later is needed.`);
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
  return "syscall" in error || LOSS_STATES.test(codeOf(error)) || LOSS_MESSAGE.test(error.message);
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** pg reads `sslmode=require` as verify-full unless told to follow libpq, whose meaning the specification relies on. */
function withLibpqModes(url: string): string {
  return /[?&]sslmode=/.test(url) ? `${url}&uselibpqcompat=true` : url;
}
