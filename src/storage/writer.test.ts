import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Kysely, sql, SqliteDialect } from "kysely";
import { onBothDatabases } from "../../test/support/databases.ts";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";
import { isServiceError, messageOf, ServiceError } from "../platform/errors.ts";
import { silentLog } from "../platform/log.ts";
import { SQLITE } from "./capabilities.ts";
import { adapt, openFile } from "./sqlite-file.ts";
import { createWriter, createAvailability } from "./writer.ts";

interface Schema {
  entries: { id: number };
}

const unavailable = (error: unknown): boolean => isServiceError(error, "storage_unavailable");
const add = (id: number) => async (tx: Kysely<Schema>) => {
  await tx.insertInto("entries").values({ id }).execute();
  return id;
};
const statuses = (outcomes: PromiseSettledResult<unknown>[]): string[] => outcomes.map(({ status }) => status);

onBothDatabases((databases) => {
  /** On a clock that stands still, so that no group grows old however slow the database is. */
  async function entries() {
    const clock = createFakeClock();
    const database = await databases.create(clock);
    const { read, write } = database.tables<Schema>();
    await write((tx) => sql`CREATE TABLE entries (id INTEGER PRIMARY KEY)`.execute(tx));
    const ids = async (): Promise<number[]> => (await read.selectFrom("entries").select("id").orderBy("id").execute()).map(({ id }) => id);
    const isFound = async (): Promise<boolean> => {
      await clock.advance(1000);
      return database.status().connected;
    };
    return { read, write, ids, isFound };
  }

  it("a unit that throws before it waits fails alone, with its own error", async () => {
    const { write, ids } = await entries();
    const mine = new ServiceError("not_found", "No such container.");
    const outcomes = await Promise.allSettled([
      write(add(1)),
      write((): Promise<void> => {
        throw mine;
      }),
      write(add(3)),
    ]);
    assert.deepEqual(statuses(outcomes), ["fulfilled", "rejected", "fulfilled"]);
    assert.equal(outcomes[1]?.status === "rejected" && outcomes[1].reason, mine);
    assert.deepEqual(await ids(), [1, 3]);
  });

  it("a unit that catches the failure of its statement does not harm its neighbours", async () => {
    const { write, ids } = await entries();
    await Promise.allSettled([
      write(add(1)),
      write(async (tx) => {
        await add(1)(tx).catch(() => undefined);
      }),
      write(add(3)),
    ]);
    assert.deepEqual(await ids(), [1, 3]);
  });

  it("a unit sees what it and those before it wrote; readers see nothing before the commit", async () => {
    const { read, write } = await entries();
    const count = async (from: Kysely<Schema>): Promise<number> => (await from.selectFrom("entries").select("id").execute()).length;
    const seen = await Promise.all([
      write(add(1)),
      write(async (tx) => {
        await add(2)(tx);
        return [await count(tx), await count(read)];
      }),
    ]);
    assert.deepEqual(seen[1], [2, 0]);
    assert.equal(await count(read), 2);
  });

  it("units that are queued while others commit come after them", async () => {
    const { write, ids } = await entries();
    const order: number[] = [];
    const chain = async (start: number): Promise<void> => {
      for (let id = start; id < start + 20; id += 1) order.push(await write(add(id)));
    };
    await Promise.all([chain(100), chain(200), chain(300)]);
    assert.equal((await ids()).length, 60);
    for (const hundred of [1, 2, 3]) {
      const mine = order.filter((id) => Math.floor(id / 100) === hundred);
      assert.deepEqual(mine, mine.toSorted());
    }
  });

  // A file has no connection that could be cut.
  if (databases.name !== "postgresql") return;

  it("a connection that is cut inside of a unit takes its group with it, nothing of which is kept, and writing recovers", async () => {
    const { write, ids, isFound } = await entries();
    const cut = write((tx) => sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(tx));
    const outcomes = await Promise.allSettled([write(add(1)), cut, write(add(3))]);
    for (const outcome of outcomes) assert.ok(outcome.status === "rejected" && unavailable(outcome.reason));
    await until(isFound);
    await write(add(4));
    assert.deepEqual(await ids(), [4]);
  });

  it("a connection that is cut while it reads is replaced", async () => {
    const { read, ids, isFound } = await entries();
    await assert.rejects(sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(read), unavailable);
    await until(isFound);
    assert.deepEqual(await ids(), []);
  });
});

describe("the writer", () => {
  class Loss extends Error {}

  async function setUp() {
    const clock = createFakeClock();
    const statements: string[] = [];
    const database = new Kysely<never>({
      dialect: new SqliteDialect({ database: adapt(openFile(join(temporaryFolder(), "x.db"))) }),
      log: ({ query }) => void statements.push(query.sql),
    });
    await sql`CREATE TABLE entries (id INTEGER PRIMARY KEY)`.execute(database);
    const state = { lost: false };
    const check = (): void => {
      if (state.lost) throw new Loss("away");
    };
    const isLoss = (error: unknown): boolean => error instanceof Loss;
    const availability = createAvailability({
      clock,
      log: silentLog,
      isBusy: () => false,
      isLoss,
      reasonOfLoss: messageOf,
      probe: async () => check(),
    });
    const writer = createWriter({ database, capabilities: SQLITE, availability, verify: check, clock });
    // The writer takes any schema; this one was just made.
    const write = <Result>(unit: (tx: Kysely<Schema>) => Promise<Result>): Promise<Result> =>
      writer.write((tx) => unit(tx as unknown as Kysely<Schema>));
    const ids = async (): Promise<number[]> =>
      (await sql<{ id: number }>`SELECT id FROM entries ORDER BY id`.execute(database)).rows.map(({ id }) => id);
    const count = (text: string): number => statements.filter((each) => each === text).length;
    return { clock, writer, write, ids, state, count };
  }

  it("commits together what arrives together", async () => {
    const { write, count } = await setUp();
    await Promise.all(Array.from({ length: 50 }, (_, id) => write(add(id))));
    assert.equal(count("COMMIT"), 1);
  });

  it("commits a group that has grown old, and begins another", async () => {
    const { clock, write, count } = await setUp();
    const order: string[] = [];
    const slow = async (tx: Kysely<Schema>): Promise<void> => {
      await add(2)(tx);
      await clock.advance(10);
    };
    const noted = (name: string) => async () => void order.push(name);
    await Promise.all([
      write(add(1)).then(noted("first is settled")),
      write(slow).then(noted("slow is settled")),
      write(async (tx) => {
        order.push("third begins");
        await add(3)(tx);
      }),
    ]);
    assert.equal(count("COMMIT"), 2);
    assert.deepEqual(order, ["first is settled", "slow is settled", "third begins"]);
  });

  it("refuses what is beyond 20,000 waiting units, and finishes those it took", async () => {
    const { write, ids } = await setUp();
    let begun = 0;
    const taken = Array.from({ length: 20_000 }, () => write(async () => void (begun += 1)));
    await assert.rejects(write(add(1)), (error) => unavailable(error) && error instanceof Error && /Too many writes/.test(error.message));
    await Promise.all(taken);
    assert.equal(begun, 20_000);
    await write(add(2));
    assert.deepEqual(await ids(), [2]);
  });

  it("keeps nothing that would not last: when the check before the commit fails, all of the group fail", async () => {
    const { clock, write, ids, state } = await setUp();
    state.lost = true;
    const outcomes = await Promise.allSettled([write(add(1)), write(add(2))]);
    for (const outcome of outcomes) assert.ok(outcome.status === "rejected" && unavailable(outcome.reason));
    assert.deepEqual(await ids(), []);
    state.lost = false;
    await assert.rejects(write(add(3)), unavailable);
    await clock.advance(1000);
    await write(add(4));
    assert.deepEqual(await ids(), [4]);
  });

  it("a loss inside of a unit fails its group and those behind it, and begins no unit in vain", async () => {
    const { write, ids } = await setUp();
    let began = false;
    const outcomes = await Promise.allSettled([
      write(add(1)),
      write(async () => Promise.reject(new Loss("cut"))),
      write(async () => void (began = true)),
    ]);
    for (const outcome of outcomes) assert.ok(outcome.status === "rejected" && unavailable(outcome.reason));
    assert.equal(began, false);
    assert.deepEqual(await ids(), []);
  });

  it("stops after the units it took, and takes no more", async () => {
    const { writer, write, ids } = await setUp();
    const taken = [write(add(1)), write(add(2))];
    const stopped = writer.stop();
    await assert.rejects(write(add(3)), unavailable);
    await stopped;
    assert.deepEqual(await Promise.all(taken), [1, 2]);
    assert.deepEqual(await ids(), [1, 2]);
    await writer.stop();
  });
});
