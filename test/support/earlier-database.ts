import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { after, describe } from "node:test";
import { Kysely, PostgresDialect, sql, SqliteDialect } from "kysely";
import pg from "pg";
import { type Capabilities, POSTGRESQL, SQLITE } from "../../src/storage/capabilities.ts";
import { migrate, MIGRATIONS } from "../../src/storage/migrate.ts";
import { adapt, openFile } from "../../src/storage/sqlite-file.ts";
import { createPostgresDatabase, sharedPostgres } from "./databases.ts";
import { createFakeClock } from "./fake-clock.ts";
import { temporaryFolder } from "./program.ts";

export type Row = Record<string, string | number | null | Buffer>;

/** A database whose schema is older than the program's. */
export interface EarlierDatabase {
  insert(table: string, row: Row): Promise<unknown>;
  /** The rows of a query, numbers as numbers in both databases. */
  read(query: string): Promise<unknown[][]>;
  /** Applies the rest of the migrations. */
  migrate(): Promise<void>;
}

/** Runs tests on SQLite and PostgreSQL. `open` makes a database with the migrations that come before the one of that name. */
export function onEarlierDatabases(title: string, tests: (open: (migration: string) => Promise<EarlierDatabase>) => void): void {
  const clock = createFakeClock();
  const postgres = sharedPostgres();
  after(async () => (await postgres).stop());

  function on(name: string, capabilities: Capabilities, connect: () => Promise<Kysely<never>>): void {
    describe(`${title}, on ${name}`, () => {
      const opened: Kysely<never>[] = [];
      after(() => Promise.all(opened.map((each) => each.destroy())));

      tests(async (migration) => {
        const database = await connect();
        opened.push(database);
        const bring = (migrations: typeof MIGRATIONS): Promise<void> =>
          migrate({ database, capabilities, where: "the database", clock, migrations });
        await bring(
          MIGRATIONS.slice(
            0,
            MIGRATIONS.findIndex((each) => each.name === migration),
          ),
        );
        return {
          insert: (table, row) =>
            sql`INSERT INTO ${sql.table(table)} (${sql.join(Object.keys(row).map((key) => sql.ref(key)))}) VALUES (${sql.join(Object.values(row))})`.execute(
              database,
            ),
          read: async (query) =>
            (await sql.raw<Record<string, string | number | null>>(query).execute(database)).rows.map((row) =>
              Object.values(row).map(toNumber),
            ),
          migrate: () => bring(MIGRATIONS),
        };
      });
    });
  }

  on("SQLite", SQLITE, async () => {
    const file = openFile(join(temporaryFolder(), `${randomUUID()}.db`));
    return new Kysely({ dialect: new SqliteDialect({ database: adapt(file) }) });
  });
  on("PostgreSQL", POSTGRESQL, async () => {
    const pool = new pg.Pool({ connectionString: await createPostgresDatabase((await postgres).url) });
    return new Kysely({ dialect: new PostgresDialect({ pool }) });
  });
}

function toNumber(value: string | number | null): string | number | null {
  return value === null || value === "" || Number.isNaN(Number(value)) ? value : Number(value);
}
