import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import pg from "pg";
import { createPostgresDatabase, sharedPostgres } from "../../test/support/databases.ts";
import { takePort } from "../../test/support/ports.ts";
import { startTcpProxy } from "../../test/support/tcp-proxy.ts";
import { until } from "../../test/support/until.ts";
import { systemClock } from "../platform/clock.ts";
import { isServiceError, messageOf, StartError } from "../platform/errors.ts";
import { silentLog } from "../platform/log.ts";
import { POSTGRESQL } from "./capabilities.ts";
import type { Database } from "./database.ts";
import { openClient, openPostgres } from "./postgres.ts";

interface Schema {
  schema_migrations: { name: string; applied_at: number };
}

/** The limit of the program is 8 s. */
const LIMIT_MS = 2000;

describe("a busy PostgreSQL", () => {
  let server: Awaited<ReturnType<typeof sharedPostgres>>;
  let database: Database;
  let statuses: boolean[];

  const open = (url: string) => openPostgres({ url, redactedUrl: url, clock: systemClock, log: silentLog, statementTimeoutMs: LIMIT_MS });

  before(async () => {
    server = await sharedPostgres();
    database = open(await createPostgresDatabase(server.url));
    await database.start();
    statuses = [];
    database.onStatus(({ connected }) => statuses.push(connected));
  });

  after(async () => {
    await database.stop();
    await server.stop();
  });

  const sleep = (seconds: number): Promise<unknown> => sql`SELECT pg_sleep(${seconds})`.execute(database.tables<Schema>().read);
  const isBusy = (error: unknown): boolean => isServiceError(error, "storage_unavailable") && /busy/.test(messageOf(error));

  it("is not lost while all connections that read are taken: later reads wait, and writing continues", async () => {
    const { read, write } = database.tables<Schema>();
    const slow = Array.from({ length: 5 }, () => sleep(1));
    const waiting = read.selectFrom("schema_migrations").select("name").execute();
    await write((tx) => tx.insertInto("schema_migrations").values({ name: "meanwhile", applied_at: 1 }).execute());
    assert.ok((await waiting).length > 0);
    await Promise.all(slow);
    assert.deepEqual(statuses, []);
  });

  it("gives up a statement that takes too long, and says that it is busy", async () => {
    await assert.rejects(sleep(60), isBusy);
    assert.deepEqual(statuses, []);
    assert.equal(database.status().connected, true);
  });

  it("gives up who waits too long for a connection, alone", async () => {
    const { read, write } = database.tables<Schema>();
    const slow = Array.from({ length: 5 }, () => assert.rejects(sleep(60), isBusy));
    const next = Array.from({ length: 5 }, () => assert.rejects(sleep(60), isBusy));
    const last = assert.rejects(sleep(60), isBusy);
    await Promise.all(slow);
    await write((tx) => tx.insertInto("schema_migrations").values({ name: "still", applied_at: 1 }).execute());
    await Promise.all([...next, last]);
    assert.ok((await read.selectFrom("schema_migrations").select("name").execute()).length > 0);
    assert.deepEqual(statuses, []);
  });

  it("gives up a unit that takes too long, and nothing of its neighbours", async () => {
    const { read, write } = database.tables<Schema>();
    const insert = (name: string, seconds: number) =>
      write(async (tx) => {
        await tx.insertInto("schema_migrations").values({ name, applied_at: 1 }).execute();
        await sql`SELECT pg_sleep(${seconds})`.execute(tx);
      });
    const [first, second] = await Promise.allSettled([insert("slow", 60), insert("quick", 0)]);
    assert.ok(first?.status === "rejected" && isBusy(first.reason));
    assert.equal(second?.status, "fulfilled");
    const kept = await read.selectFrom("schema_migrations").select("name").where("name", "in", ["slow", "quick"]).execute();
    assert.deepEqual(kept, [{ name: "quick" }]);
    assert.deepEqual(statuses, []);
  });

  it("is migrated without a limit of time", async () => {
    const url = await createPostgresDatabase(server.url);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    const { migrationLock } = POSTGRESQL;
    await other.query(`BEGIN; ${migrationLock}`);
    const slow = open(url);
    const started = slow.start();
    await Promise.race([started, new Promise((resolve) => setTimeout(resolve, 2 * LIMIT_MS))]);
    await other.query("COMMIT");
    await other.end();
    await started;
    await slow.stop();
  });
});

describe("a PostgreSQL that vanished silently, while new connections reach its successor", () => {
  it("is found again by the leader, and can be asked by the standby", async () => {
    const server = await sharedPostgres();
    const direct = await createPostgresDatabase(server.url);
    const proxy = await startTcpProxy({ port: Number(new URL(direct).port) });
    const through = new URL(direct);
    through.port = String(proxy.port);
    const open = () =>
      openPostgres({ url: through.href, redactedUrl: direct, clock: systemClock, log: silentLog, statementTimeoutMs: 500 });
    const [leader, standby] = [open(), open()];
    assert.equal(await leader.acquire(), true);
    await leader.start();
    assert.equal(await standby.acquire(), false);

    proxy.freeze();
    // The sessions of the server that is gone hold no lock.
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [new URL(direct).pathname.slice(1)]);
    const write = (name: string) =>
      leader.tables<Schema>().write((tx) => tx.insertInto("schema_migrations").values({ name, applied_at: 1 }).execute());
    await assert.rejects(write("lost"), (error) => isServiceError(error, "storage_unavailable"));
    await assert.rejects(standby.acquire(), /timeout/);
    await until(() => leader.status().connected);
    await write("found");
    assert.equal(await standby.acquire(), false);

    await leader.stop();
    await standby.stop();
    await proxy.stop();
    await admin.end();
    await server.stop();
  });
});

describe("a PostgreSQL that is not there", () => {
  it("fails the attempt to connect with a sentence of the cause: nothing listens there", async () => {
    const url = `postgresql://binnacle@127.0.0.1:${await takePort()}/binnacle`;
    const isRefused = (error: unknown): boolean => error instanceof StartError && /nothing listens there/.test(error.message);
    await assert.rejects(openClient({ url, redactedUrl: url }), isRefused);
  });
});
