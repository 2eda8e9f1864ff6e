import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, describe } from "node:test";
import pg from "pg";
import { type Clock, systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { Database } from "../../src/storage/database.ts";
import { openPostgres } from "../../src/storage/postgres.ts";
import { openSqlite } from "../../src/storage/sqlite.ts";
import { fastFolder } from "./fast-folder.ts";
import { followWrites } from "./pending-writes.ts";
import { startPostgres, type TestPostgres } from "./postgres.ts";
import { prepareSqlite } from "./sqlite-template.ts";

const TEMPLATE = "binnacle_template";
/** PostgreSQL's error code 3D000. */
const UNDEFINED_DATABASE = "3D000";
const servers = new Map<string, pg.Pool>();

export interface TestDatabases {
  name: "sqlite" | "postgresql";
  /** A new, empty, started database, on the system's clock unless given another; stopped and removed with the suite. */
  create(clock?: Clock): Promise<Database>;
}

/** Runs one body of tests on both databases. */
export function onBothDatabases(body: (databases: TestDatabases) => void): void {
  describe("on SQLite", () => body(sqliteDatabases()));
  describe("on PostgreSQL", () => body(postgresDatabases()));
}

export function sqliteDatabases(): TestDatabases {
  const opened: Database[] = [];
  const folder = mkdtempSync(join(fastFolder(), "binnacle-test-"));
  after(async () => {
    for (const database of opened) await database.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    name: "sqlite",
    async create(clock = systemClock) {
      const path = join(folder, `${randomUUID()}.db`);
      await prepareSqlite(path);
      const database = openSqlite({ path, clock, log: silentLog });
      opened.push(database);
      await database.start();
      return followWrites(database);
    },
  };
}

function postgresDatabases(): TestDatabases {
  const opened: { database: Database; url: string }[] = [];
  let server: Promise<{ url: string; stop(): Promise<void> }> | undefined;
  after(async () => {
    for (const { database } of opened) await database.stop();
    if (server === undefined) return;
    const { url, stop } = await server;
    await dropDatabases(
      url,
      opened.map((each) => each.url),
    );
    await stop();
  });
  return {
    name: "postgresql",
    async create(clock = systemClock) {
      server ??= sharedPostgres();
      const url = await createMigratedDatabase((await server).url);
      const database = openPostgres({ url, redactedUrl: url, clock, log: silentLog });
      opened.push({ database, url });
      await database.start();
      return followWrites(database);
    },
  };
}

/** The server of the whole test run, else one of our own. */
export async function sharedPostgres(): Promise<Pick<TestPostgres, "url" | "stop">> {
  const url = process.env["BINNACLE_TEST_POSTGRES"];
  return url === undefined ? startPostgres() : { url, async stop() {} };
}

/** A new, empty database on a server; answers its URL. */
export async function createPostgresDatabase(serverUrl: string): Promise<string> {
  const name = newName();
  await onServer(serverUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  return urlOf(serverUrl, name);
}

/** The same database through a new schema of it, the one that is in use there. */
export async function withSchema(url: string, schema: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE SCHEMA ${schema}`);
  await client.end();
  const through = new URL(url);
  through.searchParams.set("options", `-c search_path=${schema}`);
  return through.href;
}

/** A new database with today's schema, copied from one that is made once for each server: to migrate takes three times as long. */
async function createMigratedDatabase(serverUrl: string): Promise<string> {
  const name = newName();
  await onServer(serverUrl, async (client) => {
    const copy = (): Promise<unknown> => client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`);
    try {
      await copy();
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== UNDEFINED_DATABASE) throw error;
      await createTemplate(client, serverUrl);
      await copy();
    }
  });
  return urlOf(serverUrl, name);
}

/** Under another name until it is whole. Of two processes that come at the same time, the second finds it made. */
async function createTemplate(client: pg.ClientBase, serverUrl: string): Promise<void> {
  await client.query(`SELECT pg_advisory_lock(1)`);
  const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [TEMPLATE]);
  if (rowCount === 0) {
    const url = await createPostgresDatabase(serverUrl);
    const database = openPostgres({ url, redactedUrl: url, clock: systemClock, log: silentLog });
    await database.start();
    await database.stop();
    await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} RENAME TO ${TEMPLATE}`);
  }
  await client.query(`SELECT pg_advisory_unlock(1)`);
}

/** So that a run needs no more memory than what it has open. */
async function dropDatabases(serverUrl: string, urls: readonly string[]): Promise<void> {
  await onServer(serverUrl, async (client) => {
    for (const url of urls) await client.query(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
  });
}

/** To make databases: a connection takes longer than the copy of one. The one that makes the template holds another meanwhile. */
async function onServer(url: string, work: (client: pg.ClientBase) => Promise<unknown>): Promise<void> {
  let pool = servers.get(url);
  if (pool === undefined) {
    pool = new pg.Pool({ connectionString: url, max: 2, allowExitOnIdle: true });
    // The server may be killed while nobody asks it for anything.
    pool.on("error", () => undefined);
    servers.set(url, pool);
  }
  const client = await pool.connect();
  try {
    await work(client);
  } finally {
    client.release();
  }
}

function newName(): string {
  return `test_${randomUUID().replaceAll("-", "")}`;
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
