import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { Kysely, PostgresDialect, sql, SqliteDialect } from "kysely";
import pg from "pg";
import { createPostgresDatabase, sharedPostgres } from "../../test/support/databases.ts";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createLogCapture } from "../../test/support/log-capture.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";
import { systemClock } from "../platform/clock.ts";
import { StartError } from "../platform/errors.ts";
import { silentLog } from "../platform/log.ts";
import { type Capabilities, POSTGRESQL, SQLITE } from "./capabilities.ts";
import { migrate } from "./migrate.ts";
import type { Migration } from "./migrations/migration.ts";
import { openPostgres } from "./postgres.ts";
import { adapt, openFile } from "./sqlite-file.ts";

const clock = createFakeClock();
const first: Migration = { name: "001-first", statements: () => ["CREATE TABLE first (id INTEGER)", "INSERT INTO first VALUES (1)"] };
const second: Migration = { name: "002-second", statements: () => ["CREATE TABLE second (id INTEGER)"] };
const broken: Migration = {
  name: "003-broken",
  statements: () => ["CREATE TABLE third (id INTEGER)", "INSERT INTO first VALUES (2)", "INSERT INTO nowhere VALUES (1)"],
};

const postgres = sharedPostgres();
after(async () => (await postgres).stop());

function whereverItIs(name: string, capabilities: Capabilities, open: () => Promise<Kysely<never>>): void {
  describe(`migrations on ${name}`, () => {
    const opened: Kysely<never>[] = [];
    after(async () => {
      for (const each of opened) await each.destroy();
    });

    async function setUp() {
      const database = await open();
      opened.push(database);
      const value = async (query: string): Promise<unknown> =>
        Object.values((await sql.raw<object>(query).execute(database)).rows[0] ?? {})[0];
      const { log, text } = createLogCapture();
      return {
        value,
        text,
        applied: async () =>
          (await sql<{ name: string }>`SELECT name FROM schema_migrations ORDER BY name`.execute(database)).rows.map((row) => row.name),
        run: (query: string) => sql.raw(query).execute(database),
        checksums: async () =>
          (await sql<{ checksum: string }>`SELECT checksum FROM schema_migrations ORDER BY name`.execute(database)).rows.map(
            (row) => row.checksum,
          ),
        bring: (...migrations: Migration[]) =>
          migrate({ database, capabilities, where: "the database over there", clock, log, migrations }),
      };
    }

    it("are applied in order, once, and noted with their time", async () => {
      const { bring, applied, value } = await setUp();
      await bring(first);
      await bring(first, second);
      await bring(first, second);
      assert.deepEqual(await applied(), ["001-first", "002-second"]);
      assert.equal(Number(await value("SELECT COUNT(*) FROM first")), 1);
      assert.equal(Number(await value("SELECT MIN(applied_at) FROM schema_migrations")), clock.now().getTime());
    });

    it("log which of how many is running, and since when", async () => {
      const { bring, text } = await setUp();
      await bring(first);
      await bring(first, second, { name: "003-third", statements: () => [] });
      const since = clock.now().toISOString();
      assert.deepEqual(text().split("\n"), [
        `info migrating the database {"migration":"001-first","number":1,"of":1,"since":"${since}"}`,
        `info migrating the database {"migration":"002-second","number":1,"of":2,"since":"${since}"}`,
        `info migrating the database {"migration":"003-third","number":2,"of":2,"since":"${since}"}`,
      ]);
    });

    it("leave nothing when one fails, neither of it nor of those before it in the same start", async () => {
      const { bring, applied, value } = await setUp();
      await bring(first);
      await assert.rejects(
        bring(first, second, broken),
        (error) =>
          error instanceof StartError &&
          /^The database over there could not be prepared and was left as it was: .*nowhere/.test(error.message),
      );
      assert.deepEqual(await applied(), ["001-first"]);
      assert.equal(Number(await value("SELECT COUNT(*) FROM first")), 1);
      await assert.rejects(value("SELECT * FROM second"));
      await assert.rejects(value("SELECT * FROM third"));
      await bring(first, second);
      assert.deepEqual(await applied(), ["001-first", "002-second"]);
    });

    it("refuse a database of a newer program, and leave it alone", async () => {
      const { bring, applied } = await setUp();
      await bring(first, second);
      await assert.rejects(
        bring(first),
        (error) => error instanceof StartError && /^The database over there was written by a newer version.*002-second/.test(error.message),
      );
      assert.deepEqual(await applied(), ["001-first", "002-second"]);
    });

    it("refuse a database that another form of a migration prepared, name that migration, and apply nothing", async () => {
      const { bring, applied, value } = await setUp();
      await bring(first);
      const edited: Migration = { name: "001-first", statements: () => ["CREATE TABLE first (id BIGINT)", "INSERT INTO first VALUES (1)"] };
      await assert.rejects(
        bring(edited, second),
        (error) =>
          error instanceof StartError &&
          /^The database over there was prepared by another form of the migration 001-first than .*Start the version/.test(error.message),
      );
      assert.deepEqual(await applied(), ["001-first"]);
      await assert.rejects(value("SELECT * FROM second"));
      await bring(first, second);
    });

    it("do not differ by the layout of their statements", async () => {
      const { bring, checksums } = await setUp();
      await bring(first);
      const laidOut: Migration = {
        name: "001-first",
        statements: () => ["CREATE TABLE first\n   (id INTEGER)\n", " INSERT INTO first VALUES (1)"],
      };
      await bring(laidOut);
      assert.match((await checksums())[0] ?? "", /^[0-9a-f]{64}$/);
    });

    it("of a version without checksums get theirs when the database is opened", async () => {
      const { bring, checksums, run } = await setUp();
      await bring(first, second);
      const recorded = await checksums();
      await run("ALTER TABLE schema_migrations DROP COLUMN checksum");
      await bring(first, second);
      assert.deepEqual(await checksums(), recorded);
      await run("UPDATE schema_migrations SET checksum = NULL WHERE name = '002-second'");
      await bring(first, second, { name: "003-third", statements: () => [] });
      assert.deepEqual((await checksums()).slice(0, 2), recorded);
    });
  });
}

whereverItIs("SQLite", SQLITE, async () => {
  const file = openFile(join(temporaryFolder(), `${randomUUID()}.db`));
  return new Kysely({ dialect: new SqliteDialect({ database: adapt(file) }) });
});

whereverItIs("PostgreSQL", POSTGRESQL, async () => {
  const pool = new pg.Pool({ connectionString: await createPostgresDatabase((await postgres).url) });
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
});

describe("programs that start together on one PostgreSQL", () => {
  it("make one schema between them", async () => {
    const url = await createPostgresDatabase((await postgres).url);
    const programs = Array.from({ length: 6 }, () => openPostgres({ url, redactedUrl: url, clock: systemClock, log: silentLog }));
    const starts = await Promise.allSettled(programs.map((program) => program.start()));
    await Promise.all(programs.map((program) => program.stop()));
    assert.deepEqual(
      starts.filter((start) => start.status === "rejected"),
      [],
    );
  });

  it("explain what to do when they may not create tables", async () => {
    const url = new URL(await createPostgresDatabase((await postgres).url));
    const admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
    const role = `guest_${randomUUID().slice(0, 8)}`;
    await admin.query(`CREATE ROLE ${role} LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC`);
    url.username = role;
    const program = openPostgres({ url: url.href, redactedUrl: url.href, clock: systemClock, log: silentLog });
    await assert.rejects(
      program.start(),
      (error) => error instanceof StartError && /could not be prepared.*permission denied for schema public/.test(error.message),
    );
    const connections = async (): Promise<number> =>
      (await admin.query("SELECT pid FROM pg_stat_activity WHERE usename = $1", [role])).rows.length;
    await until(async () => (await connections()) === 0, { what: "a failed start leaves no connection behind" });
    await admin.query(`DROP ROLE ${role}`);
    await admin.end();
  });
});
