import { sql } from "kysely";
import type { Database } from "../../src/storage/database.ts";
import { SECRET_COLUMNS } from "../../src/storage/secrets/cipher.ts";

type Place = { table: string; column: string; id: number };

/** More than a page of SQLite holds. */
const PADDING = 20_000;

/** Rows with secrets in clear text, as programs before sealing wrote them. */
export const alertingRows = {
  clear: ({ table, column, id }: Place, padding = ""): string => `s3cret of ${table}.${column} ${id}${padding}`,

  async insert(database: Database, { long = false } = {}): Promise<void> {
    const padding = long ? "s3cret ".repeat(PADDING / 7) : "";
    const value = (table: string, column: string, id: number): string => alertingRows.clear({ table, column, id }, padding);
    await database.tables<object>().write(async (tx) => {
      for (const [id, name] of [
        [1, "Ops"],
        [2, "Night shift"],
      ] as const)
        await sql`INSERT INTO channels (id, name, name_key, type, url, headers, enabled, health, created_at, updated_at)
          VALUES (${id}, ${name}, ${name}, 'webhook', ${value("channels", "url", id)}, ${value("channels", "headers", id)}, 1, 'untested', 0, 0)`.execute(
          tx,
        );
      await sql`INSERT INTO webhooks (id, name, url, secret, event_types, active, failure_count, dropped, created_at, updated_at)
        VALUES (1, 'Deploys', ${value("webhooks", "url", 1)}, ${value("webhooks", "secret", 1)}, '[]', 1, 0, 0, 0, 0)`.execute(tx);
      await sql`INSERT INTO endpoints (id, name, checked, alerts, paused, created_at, updated_at, status, status_since, alerting,
          consecutive_failures, consecutive_successes, tally, counted_id, sealed_id)
        VALUES (1, 'Shop', ${value("endpoints", "checked", 1)}, '{}', 0, 0, 0, 'unknown', 0, 0, 0, 0, '{}', 0, 0)`.execute(tx);
    });
  },

  /** Puts the secrets of a table back as they were before they were sealed. */
  async makeClear(database: Database, table: string): Promise<void> {
    for (const { column } of SECRET_COLUMNS.filter((each) => each.table === table))
      await database
        .tables<object>()
        .write((tx) =>
          sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${alertingRows.clear({ table, column, id: 1 })} WHERE id = 1`.execute(tx),
        );
  },

  async stored(database: Database): Promise<[Place, string][]> {
    const found: [Place, string][] = [];
    for (const { table, column } of SECRET_COLUMNS) {
      const { rows } = await sql<{ id: number; value: string }>`SELECT id, ${sql.ref(column)} AS value FROM ${sql.table(table)}`.execute(
        database.tables<object>().read,
      );
      for (const { id, value } of rows) found.push([{ table, column, id }, value]);
    }
    return found;
  },
};
