import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { sql } from "kysely";
import { onBothDatabases } from "../../test/support/databases.ts";
import { until } from "../../test/support/until.ts";
import { startPostgres } from "../../test/support/postgres.ts";
import { systemClock } from "../platform/clock.ts";
import { isServiceError, StartError } from "../platform/errors.ts";
import { silentLog } from "../platform/log.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

interface Schema {
  schema_migrations: { name: string; applied_at: number };
}

const context = { clock: systemClock, log: silentLog };

onBothDatabases((databases) => {
  const insert = (name: string) => ({ name, applied_at: 1 });

  it("keeps what a unit wrote and shows it to readers", async () => {
    const { read, write } = (await databases.create()).tables<Schema>();
    const answer = await write(async (tx) => {
      await tx.insertInto("schema_migrations").values(insert("x")).execute();
      return 42;
    });
    assert.equal(answer, 42);
    const rows = await read.selectFrom("schema_migrations").select("applied_at").where("name", "=", "x").execute();
    assert.equal(rows[0]?.applied_at, 1);
  });

  it("undoes a failed unit alone, not its neighbours in the same commit", async () => {
    const { read, write } = (await databases.create()).tables<Schema>();
    const units = ["a", "b", "c"].map((name) =>
      write(async (tx) => {
        await tx.insertInto("schema_migrations").values(insert(name)).execute();
        if (name === "b") throw new Error("changed my mind");
      }),
    );
    const outcomes = await Promise.allSettled(units);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    const rows = await read.selectFrom("schema_migrations").select("name").where("name", "in", ["a", "b", "c"]).orderBy("name").execute();
    assert.deepEqual(
      rows.map((row) => row.name),
      ["a", "c"],
    );
  });

  it("survives a unit whose statement breaks a constraint", async () => {
    const { write } = (await databases.create()).tables<Schema>();
    const twice = () => write((tx) => tx.insertInto("schema_migrations").values(insert("once")).execute());
    await twice();
    await assert.rejects(twice());
    await write((tx) => tx.insertInto("schema_migrations").values(insert("after")).execute());
  });

  it("runs a thousand units in the order in which they came", async () => {
    const { write } = (await databases.create()).tables<Schema>();
    const order: number[] = [];
    await Promise.all(Array.from({ length: 1000 }, (_, index) => write(async () => void order.push(index))));
    assert.deepEqual(
      order,
      Array.from({ length: 1000 }, (_, index) => index),
    );
  });

  it("finishes queued units before it stops, and refuses later ones", async () => {
    const database = await databases.create();
    const { write } = database.tables<Schema>();
    const queued = Array.from({ length: 50 }, (_, index) =>
      write((tx) =>
        tx
          .insertInto("schema_migrations")
          .values(insert(`n${index}`))
          .execute(),
      ),
    );
    await database.stop();
    assert.equal((await Promise.allSettled(queued)).filter((outcome) => outcome.status === "rejected").length, 0);
    await assert.rejects(
      write(async () => undefined),
      (error) => isServiceError(error, "storage_unavailable"),
    );
  });
});

describe("SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-test-"));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("is durable: WAL, synchronous=FULL, foreign keys", async () => {
    const database = openSqlite({ path: join(folder, "pragmas.db"), ...context });
    await database.start();
    const pragmas = await database.tables<Schema>().write(async (tx) => ({
      ...(await sql<object>`PRAGMA journal_mode`.execute(tx)).rows[0],
      ...(await sql<object>`PRAGMA synchronous`.execute(tx)).rows[0],
      ...(await sql<object>`PRAGMA foreign_keys`.execute(tx)).rows[0],
    }));
    assert.deepEqual(pragmas, { journal_mode: "wal", synchronous: 2, foreign_keys: 1 });
    await database.stop();
  });

  it("refuses a database of a newer program", async () => {
    const path = join(folder, "newer.db");
    const first = openSqlite({ path, ...context });
    await first.start();
    await first.tables<Schema>().write((tx) => tx.insertInto("schema_migrations").values({ name: "999-later", applied_at: 1 }).execute());
    await first.stop();
    const second = openSqlite({ path, ...context });
    await assert.rejects(second.start(), (error) => error instanceof StartError && /newer version.*999-later/.test(error.message));
    await second.stop();
  });

  it("refuses a file that is no database, and says so", async () => {
    const path = join(folder, "text.db");
    writeFileSync(path, "not a database, but long enough to be read as a header of one ".repeat(40));
    const database = openSqlite({ path, ...context });
    await assert.rejects(database.start(), (error) => error instanceof StartError && /text\.db.*not a SQLite database/.test(error.message));
    await database.stop();
  });

  it("refuses a folder that is a file", async () => {
    const path = join(folder, "file");
    writeFileSync(path, "");
    const database = openSqlite({ path: join(path, "x.db"), ...context });
    await assert.rejects(
      database.start(),
      (error) => error instanceof StartError && /cannot be used.*SERVICE_DATA_DIR/.test(error.message),
    );
    await database.stop();
  });
});

describe("PostgreSQL", () => {
  const open = (url: string) => openPostgres({ url, redactedUrl: url, ...context });
  const refused = async (url: string, sentence: RegExp): Promise<void> => {
    const database = open(url);
    await assert.rejects(database.start(), (error) => error instanceof StartError && sentence.test(error.message));
    await database.stop();
  };

  it("says what is wrong with a URL, and recovers when a server that was lost comes back", async () => {
    const server = await startPostgres();
    try {
      await refused(server.url.replace(/postgres$/, "nowhere"), /no database of that name/);
      await refused(`${server.url}?sslmode=require`, /offers no TLS/);

      const database = open(server.url);
      await database.start();
      const statuses: boolean[] = [];
      database.onStatus(({ connected }) => statuses.push(connected));
      const { read, write } = database.tables<Schema>();
      const unavailable = (error: unknown): boolean => isServiceError(error, "storage_unavailable");
      await server.kill();
      await assert.rejects(
        write((tx) => tx.insertInto("schema_migrations").values({ name: "lost", applied_at: 1 }).execute()),
        unavailable,
      );
      await assert.rejects(read.selectFrom("schema_migrations").selectAll().execute(), unavailable);
      assert.equal(database.status().connected, false);
      await server.restart();
      await until(() => database.status().connected);
      await write((tx) => tx.insertInto("schema_migrations").values({ name: "kept", applied_at: 1 }).execute());
      assert.deepEqual(statuses, [false, true]);
      await database.stop();
    } finally {
      await server.stop();
    }
    await refused(server.url, /nothing listens there/);
  });

  it("does not wait for ever for a server that says nothing", async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const address = silent.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await refused(`postgresql://postgres@127.0.0.1:${port}/postgres`, /did not answer in time/);
    silent.close();
  });
});
