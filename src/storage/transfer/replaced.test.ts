import assert from "node:assert/strict";
import { after, it } from "node:test";
import { sql } from "kysely";
import { createPostgresDatabase, sharedPostgres, withSchema } from "../../../test/support/databases.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { openPostgres } from "../postgres.ts";
import { removeReplacedSchemas } from "./replaced.ts";
import { SCHEMA_COMMENT } from "./target.ts";

const OURS = ["binnacle_incoming", "binnacle_before_restore_20260301t120000z"];
const OF_OTHERS = [
  "binnacle_staging",
  "binnacle_staging_incoming",
  "binnacle_staging_before_restore_20260301t120000z",
  "binnacle_before_restore_20260301t120000z_incoming",
  "binnacle_before_restore_notes",
];

it("removes the schemas that restores of this one replaced, and none of another Binnacle in the database", async () => {
  const server = await sharedPostgres();
  after(() => server.stop());
  const url = await withSchema(await createPostgresDatabase(server.url), "binnacle");
  const database = openPostgres({ url, redactedUrl: url, clock: systemClock, log: silentLog });
  await database.start();
  const tables = database.tables<object>();
  await tables.write(async (tx) => {
    for (const name of [...OURS, ...OF_OTHERS, "binnacle_before_restore_20260303t120000z"])
      await sql.raw(`CREATE SCHEMA ${name}`).execute(tx);
    for (const name of [...OURS, ...OF_OTHERS]) await sql.raw(`COMMENT ON SCHEMA ${name} IS '${SCHEMA_COMMENT}'`).execute(tx);
  });
  assert.deepEqual((await removeReplacedSchemas(tables)).toSorted(), OURS.toSorted());
  const { rows } = await sql<{ name: string }>`SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'binnacle%'`.execute(
    tables.read,
  );
  assert.deepEqual(
    rows.map(({ name }) => name).toSorted(),
    ["binnacle", "binnacle_before_restore_20260303t120000z", ...OF_OTHERS].toSorted(),
  );
  await database.stop();
});
