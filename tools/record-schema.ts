/**
 * `node tools/record-schema.ts`: records a schema that is about to be released: the checksums of its migrations in test/fixtures/migrations.json,
 * and a filled database of it below test/fixtures/schemas/. What was recorded before stays.
 *
 * `node tools/record-schema.ts --checksums`: records the checksums alone, of migrations that are not about to be released yet.
 *
 * `node tools/record-schema.ts --answers`: records again what the program answers over each of these databases, after a change that was meant.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../src/platform/clock.ts";
import { silentLog } from "../src/platform/log.ts";
import { checksumOf } from "../src/storage/applied-migrations.ts";
import { POSTGRESQL, SQLITE } from "../src/storage/capabilities.ts";
import { MIGRATIONS } from "../src/storage/migrate.ts";
import { openSqlite } from "../src/storage/sqlite.ts";
import { answersOf } from "../test/support/filled-schema/answers.ts";
import { dumpSql, readTables } from "../test/support/filled-schema/dump.ts";
import { fillDatabase } from "../test/support/filled-schema/fill.ts";
import { fixtureNames, loadIntoSqlite, readExpected, writeExpected, writeSql } from "../test/support/filled-schema/fixtures.ts";
import { temporaryFolder } from "../test/support/program.ts";

const CHECKSUMS = join(import.meta.dirname, "../test/fixtures/migrations.json");

if (process.argv.includes("--answers")) {
  for (const name of fixtureNames()) {
    const path = join(temporaryFolder(), "binnacle.db");
    loadIntoSqlite(name, path);
    writeExpected(name, { ...readExpected(name), answers: await answersOf({ SERVICE_DB: path }) });
    console.log(`recorded the answers over ${name}`);
  }
} else {
  recordChecksums();
  if (!process.argv.includes("--checksums")) await recordFilledDatabase();
}
// The thread that seals series would keep the process for half a minute.
process.exit();

function recordChecksums(): void {
  const recorded = existsSync(CHECKSUMS) ? (JSON.parse(readFileSync(CHECKSUMS, "utf8")) as Record<string, object>) : {};
  for (const migration of MIGRATIONS)
    recorded[migration.name] ??= { sqlite: checksumOf(migration, SQLITE), postgresql: checksumOf(migration, POSTGRESQL) };
  writeFileSync(CHECKSUMS, `${JSON.stringify(recorded, null, 2)}\n`);
}

async function recordFilledDatabase(): Promise<void> {
  const name = MIGRATIONS.at(-1)?.name ?? "";
  if (fixtureNames().includes(name)) {
    console.log(`${name} is recorded already`);
    return;
  }
  const path = join(temporaryFolder(), "binnacle.db");
  const database = openSqlite({ path, clock: systemClock, log: silentLog });
  await database.start();
  await fillDatabase(database);
  await database.stop();
  const tables = readTables(path);
  for (const capabilities of [SQLITE, POSTGRESQL]) writeSql(name, capabilities.engine, dumpSql(tables, capabilities));
  const counts = Object.fromEntries([...tables].map(([table, rows]) => [table, rows.length]));
  writeExpected(name, { counts, answers: await answersOf({ SERVICE_DB: path }) });
  console.log(`recorded a filled database of ${name}`);
}
