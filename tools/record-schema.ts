/** `node tools/record-schema.ts`: adds the checksums of new migrations to test/fixtures/migrations.json. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checksumOf } from "../src/storage/applied-migrations.ts";
import { POSTGRESQL, SQLITE } from "../src/storage/capabilities.ts";
import { MIGRATIONS } from "../src/storage/migrate.ts";

const FIXTURES = join(import.meta.dirname, "../test/fixtures");
const CHECKSUMS = join(FIXTURES, "migrations.json");

const recorded = existsSync(CHECKSUMS) ? (JSON.parse(readFileSync(CHECKSUMS, "utf8")) as Record<string, object>) : {};
for (const migration of MIGRATIONS)
  recorded[migration.name] ??= { sqlite: checksumOf(migration, SQLITE), postgresql: checksumOf(migration, POSTGRESQL) };
writeFileSync(CHECKSUMS, `${JSON.stringify(recorded, null, 2)}\n`);
