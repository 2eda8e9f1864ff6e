import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { temporaryFolder } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";
import { systemClock } from "../platform/clock.ts";
import { isServiceError } from "../platform/errors.ts";
import { silentLog } from "../platform/log.ts";
import { openSqlite } from "./sqlite.ts";

/** What a unit does with the error of its statement. */
const ENDINGS: Record<string, (error: unknown) => void> = {
  reports(error) {
    throw error;
  },
  hides() {},
};

describe("a statement that fills the disk", () => {
  for (const [how, end] of Object.entries(ENDINGS))
    it(`and whose unit ${how} it: all of its group are refused as unavailable, and nothing of it is kept`, async (context) => {
      const database = openSqlite({ path: join(temporaryFolder(), "x.db"), clock: systemClock, log: silentLog });
      await database.start();
      context.after(() => database.stop());
      const { read, write } = database.tables<{ entries: { id: number } }>();
      await write((tx) => sql`CREATE TABLE entries (id INTEGER PRIMARY KEY, bytes BLOB)`.execute(tx));
      await write((tx) => sql`PRAGMA max_page_count = 1000`.execute(tx));
      const add = (id: number): Promise<unknown> => write((tx) => tx.insertInto("entries").values({ id }).execute());
      const fill = write(async (tx) => {
        await sql`INSERT INTO entries VALUES (2, zeroblob(8000000))`.execute(tx).catch(end);
      });
      for (const outcome of await Promise.allSettled([add(1), fill, add(3)]))
        assert.ok(outcome.status === "rejected" && isServiceError(outcome.reason, "storage_unavailable"), outcome.status);
      assert.equal(database.status().connected, false);
      assert.match(database.status().error ?? "", /full/);
      await until(() => database.status().connected);
      await add(4);
      const kept = await read.selectFrom("entries").select("id").execute();
      assert.deepEqual(
        kept.map(({ id }) => id),
        [4],
      );
    });
});
