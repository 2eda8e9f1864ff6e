/** Databases of earlier schemas, recorded by tools/record-schema.ts, opened by this program. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { sql } from "kysely";
import { systemClock } from "../src/platform/clock.ts";
import { StartError } from "../src/platform/errors.ts";
import { silentLog } from "../src/platform/log.ts";
import type { Database } from "../src/storage/database.ts";
import { RENAMED_TABLES } from "../src/storage/migrations/048-plain-names.ts";
import { openPostgres } from "../src/storage/postgres.ts";
import { openSqlite } from "../src/storage/sqlite.ts";
import { createPostgresDatabase, sharedPostgres } from "./support/databases.ts";
import { answersOf } from "./support/filled-schema/answers.ts";
import { differences } from "./support/filled-schema/differences.ts";
import { fixtureNames, loadIntoPostgres, loadIntoSqlite, readExpected } from "./support/filled-schema/fixtures.ts";
import { startProgram, temporaryFolder } from "./support/program.ts";
import { isLong } from "./support/repetitions.ts";

/** Tables of today's schema that may be empty in the newest recorded database, with the reason. */
const MAY_BE_EMPTY: Readonly<Record<string, string>> = {
  container_joins: "read and emptied by the first start after 031-generations",
  sealed_tables: "emptied by the start that seals, or by the next",
};
/** Tables that a migration dropped or changed the rows of on purpose, with that migration. */
const CHANGED_BY_MIGRATIONS: Readonly<Record<string, string>> = {
  delivery_lanes: "044-outbox-lanes",
  status_mail_lanes: "044-outbox-lanes",
};

const NOWHERE = { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock" };

interface Place {
  /** What names the database to the program. */
  env: Record<string, string>;
  open(): Database;
}

const postgres = sharedPostgres();
after(async () => (await postgres).stop());

const PLACES: Readonly<Record<string, (name: string) => Promise<Place>>> = {
  async SQLite(name) {
    const path = join(temporaryFolder(), "binnacle.db");
    loadIntoSqlite(name, path);
    return { env: { SERVICE_DB: path }, open: () => openSqlite({ path, clock: systemClock, log: silentLog }) };
  },
  async PostgreSQL(name) {
    const url = await createPostgresDatabase((await postgres).url);
    await loadIntoPostgres(name, url);
    return {
      env: { SERVICE_DATABASE_URL: url },
      open: () => openPostgres({ url, redactedUrl: url, clock: systemClock, log: silentLog }),
    };
  },
};

/** Rows by table, of all tables but the list of migrations. */
async function countsOf({ open }: Place): Promise<Record<string, number>> {
  const database = open();
  await database.start();
  try {
    const { read } = database.tables<object>();
    const names = (await read.introspection.getTables()).map(({ name }) => name).filter((name) => name !== "schema_migrations");
    const counts: Record<string, number> = {};
    for (const name of names.sort()) {
      const { rows } = await sql<{ count: number }>`SELECT COUNT(*) AS count FROM ${sql.table(name)}`.execute(read);
      counts[name] = Number(rows[0]?.count);
    }
    return counts;
  } finally {
    await database.stop();
  }
}

for (const [engine, place] of Object.entries(PLACES)) {
  for (const name of isLong() ? fixtureNames() : [fixtureNames().at(0) ?? "", fixtureNames().at(-1) ?? ""]) {
    describe(`a database of the schema ${name} on ${engine}`, () => {
      it("keeps the rows of every table", async () => {
        const { counts } = readExpected(name);
        const kept = Object.entries(counts)
          .filter(([table]) => !Object.hasOwn(CHANGED_BY_MIGRATIONS, table))
          .map(([table, count]) => [RENAMED_TABLES[table] ?? table, count]);
        assert.deepEqual(differences(Object.fromEntries(kept), await countsOf(await place(name))), []);
      });

      it("is answered as it was when it was recorded", async () => {
        const { answers } = readExpected(name);
        assert.deepEqual(
          differences(answers, await answersOf((await place(name)).env)),
          [],
          "If this change was meant, record the answers with `node tools/record-schema.ts --answers`.",
        );
      });

      it("is opened by the production build, whose migrations have the same checksums", async (t) => {
        const program = await startProgram({ env: { ...NOWHERE, ...(await place(name)).env } });
        t.after(() => program.kill());
        assert.equal((await fetch(`${program.url}/api/v1/ready`)).status, 200);
        assert.equal(await program.stop(), 0);
      });

      it("is refused when one of its migrations was another, by name and unchanged", async () => {
        const opened = await place(name);
        const database = opened.open();
        await database.start();
        const { write } = database.tables<{ schema_migrations: { name: string; checksum: string } }>();
        await write((tx) => tx.updateTable("schema_migrations").set({ checksum: "0" }).where("name", "=", "009-alerts").execute());
        await database.stop();
        const again = opened.open();
        await assert.rejects(
          again.start(),
          (error) => error instanceof StartError && /prepared by another form of the migration 009-alerts /.test(error.message),
        );
        await again.stop();
      });
    });
  }

  it(`the newest recorded database has rows in every table of today's schema on ${engine}`, async () => {
    const counts = await countsOf(await place(fixtureNames().at(-1) ?? ""));
    const empty = Object.keys(counts).filter((table) => counts[table] === 0 && !Object.hasOwn(MAY_BE_EMPTY, table));
    assert.deepEqual(
      empty,
      [],
      "Add rows to test/support/filled-schema/, and record a database of this schema with `node tools/record-schema.ts`.",
    );
  });
}
