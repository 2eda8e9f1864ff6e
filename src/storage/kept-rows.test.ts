import assert from "node:assert/strict";
import { it } from "node:test";
import { type Kysely, sql } from "kysely";
import { onBothDatabases } from "../../test/support/databases.ts";
import { keptRows } from "./statements.ts";

interface Note {
  id: number;
  body: string | null;
}

interface Schema {
  notes: Note;
}

type Tx = Kysely<Schema>;

onBothDatabases((databases) => {
  async function notes() {
    const tables = (await databases.create()).tables<Schema>();
    await tables.write((tx) => sql`CREATE TABLE notes (id BIGINT PRIMARY KEY, body TEXT)`.execute(tx));
    return {
      ...tables,
      all: async () => (await tables.read.selectFrom("notes").selectAll().orderBy("id").execute()).map((row) => ({ ...row })),
    };
  }
  const numbered = (count: number): Note[] =>
    Array.from({ length: count }, (_, index) => ({ id: index + 1, body: index % 3 === 0 ? null : `note ${index}` }));

  for (const count of [0, 1, 7, 8, 9, 64, 65, 201]) {
    it(`takes ${count} rows, with few texts, and answers what they return in order`, async () => {
      const { write, all } = await notes();
      let built = 0;
      const add = keptRows((tx: Tx, rows: readonly Note[]) => {
        built += 1;
        return tx.insertInto("notes").values(rows).returning("id");
      });
      const rows = numbered(count);
      const returned = await write((tx) => add(tx, rows));
      assert.deepEqual(
        returned.map(({ id }) => id),
        rows.map(({ id }) => id),
      );
      assert.deepEqual(await all(), rows);
      assert.ok(built <= 3, `built ${built} times`);
    });
  }

  it("refuses to be built with other values than those of its rows", async () => {
    const { write, all } = await notes();
    const add = keptRows((tx: Tx, rows: readonly Note[]) => tx.insertInto("notes").values(rows.map(({ id }) => ({ id, body: "same" }))));
    await assert.rejects(
      write((tx) => add(tx, numbered(2))),
      /are not the values of its rows/,
    );
    assert.deepEqual(await all(), []);
  });
});
