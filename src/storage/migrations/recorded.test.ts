import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { checksumOf } from "../applied-migrations.ts";
import { POSTGRESQL, SQLITE } from "../capabilities.ts";
import { MIGRATIONS } from "../migrate.ts";

/** Written by `node tools/record-schema.ts`, which adds new migrations and never changes a recorded one. */
const RECORDED = JSON.parse(readFileSync(new URL("../../../test/fixtures/migrations.json", import.meta.url), "utf8")) as Record<
  string,
  object
>;

for (const migration of MIGRATIONS)
  it(`the migration ${migration.name} is as it was recorded`, () => {
    assert.deepEqual(
      { sqlite: checksumOf(migration, SQLITE), postgresql: checksumOf(migration, POSTGRESQL) },
      RECORDED[migration.name],
      `${migration.name} differs from its record in test/fixtures/migrations.json. A recorded migration is never edited: databases have it. ` +
        "Add another migration instead. If this one is new, record it with `node tools/record-schema.ts --checksums`.",
    );
  });

it("the recorded migrations are all there, in their order", () => {
  assert.deepEqual(
    MIGRATIONS.map(({ name }) => name),
    Object.keys(RECORDED),
  );
});
