import { after, describe } from "node:test";
import { createPostgresDatabase, onBothDatabases, sharedPostgres, sqliteDatabases, type TestDatabases } from "./databases.ts";
import type { TestPostgres } from "./postgres.ts";
import { isLong } from "./repetitions.ts";

/** As `onBothDatabases` in the long form; in the gate on SQLite alone. For what comes together from stores that have their tests on both. */
export function onDatabasesOfStories(body: (databases: TestDatabases) => void): void {
  if (isLong()) return onBothDatabases(body);
  describe("on SQLite", () => body(sqliteDatabases()));
}

/** Runs one story, written from outside the program, with the variables that choose a database: in the gate on the one given, in the long form on both. */
export function storyOnBothDatabases(
  title: string,
  story: (databaseEnv: () => Promise<Record<string, string>>) => void,
  gate: TestDatabases["name"] = "sqlite",
): void {
  if (isLong() || gate === "sqlite") describe(`${title}, with SQLite`, () => story(async () => ({})));
  if (isLong() || gate === "postgresql")
    describe(`${title}, with PostgreSQL`, () => {
      let server: Pick<TestPostgres, "url" | "stop"> | undefined;
      after(() => server?.stop());
      story(async () => {
        server = await sharedPostgres();
        return { SERVICE_DATABASE_URL: await createPostgresDatabase(server.url) };
      });
    });
}
