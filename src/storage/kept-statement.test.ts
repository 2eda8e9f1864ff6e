import assert from "node:assert/strict";
import { it } from "node:test";
import { type Kysely, sql } from "kysely";
import { onBothDatabases } from "../../test/support/databases.ts";
import { keptStatement } from "./statements.ts";

interface Note {
  id: number;
  author: string | null;
  body: string | null;
}

interface Schema {
  notes: Note;
}

type Tx = Kysely<Schema>;

onBothDatabases((databases) => {
  async function notes() {
    const tables = (await databases.create()).tables<Schema>();
    await tables.write((tx) => sql`CREATE TABLE notes (id INTEGER PRIMARY KEY, author TEXT, body TEXT)`.execute(tx));
    const all = async (): Promise<Note[]> =>
      (await tables.read.selectFrom("notes").selectAll().orderBy("id").execute()).map((row) => ({ ...row }));
    return { ...tables, all };
  }
  const insert = () => keptStatement((tx: Tx, note: Note) => tx.insertInto("notes").values(note).returning("id"));

  it("is built once and filled with other values, null too, whatever their order", async () => {
    const { write, all } = await notes();
    let built = 0;
    const add = keptStatement((tx: Tx, note: Note) => {
      built += 1;
      return tx.insertInto("notes").values(note).returning("id");
    });
    const ids = await write(async (tx) => [
      await add(tx, { id: 1, author: null, body: "first" }),
      await add(tx, { id: 2, author: "Ada", body: null }),
      await add(tx, { body: "'); DROP TABLE notes; --", author: "Eve", id: 3 }),
    ]);
    assert.equal(built, 1);
    assert.deepEqual(
      ids.flatMap(({ rows }) => rows.map(({ id }) => id)),
      [1, 2, 3],
    );
    assert.deepEqual(await all(), [
      { id: 1, author: null, body: "first" },
      { id: 2, author: "Ada", body: null },
      { id: 3, author: "Eve", body: "'); DROP TABLE notes; --" },
    ]);
  });

  it("changes the rows that it names", async () => {
    const { write, all } = await notes();
    const add = insert();
    const change = keptStatement((tx: Tx, { id, ...note }: Omit<Note, "id"> & { id: number }) =>
      tx.updateTable("notes").set(note).where("id", "=", id),
    );
    await write(async (tx) => {
      for (const id of [1, 2, 3]) await add(tx, { id, author: null, body: null });
      await change(tx, { author: "Ada", body: "a", id: 1 });
      await change(tx, { author: "Eve", body: null, id: 3 });
    });
    assert.deepEqual(await all(), [
      { id: 1, author: "Ada", body: "a" },
      { id: 2, author: null, body: null },
      { id: 3, author: "Eve", body: null },
    ]);
  });

  it("refuses to be built with its values in another order, or with additional ones", async () => {
    const { write, all } = await notes();
    const wrongOrder = keptStatement((tx: Tx, { id, ...note }: Note) => tx.updateTable("notes").set(note).where("id", "=", id));
    await assert.rejects(
      write((tx) => wrongOrder(tx, { id: 1, author: "Ada", body: "a" })),
      /not its values id, author, body, in this order/,
    );
    const constant = keptStatement((tx: Tx, { id }: { id: number }) => tx.insertInto("notes").values({ id, author: "Ada", body: "a" }));
    await assert.rejects(
      write((tx) => constant(tx, { id: 1 })),
      /not its values id/,
    );
    assert.deepEqual(await all(), []);
  });

  it("fails like any statement, and serves again", async () => {
    const { write, all } = await notes();
    const add = insert();
    const note = { id: 1, author: null, body: null };
    await write((tx) => add(tx, note));
    await assert.rejects(write((tx) => add(tx, note)));
    await write((tx) => add(tx, { ...note, id: 2 }));
    assert.equal((await all()).length, 2);
  });
});
