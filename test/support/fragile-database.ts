import type { Kysely } from "kysely";
import { ServiceError } from "../../src/platform/errors.ts";
import type { Database } from "../../src/storage/database.ts";

/** The same database, of which the test can say that it is away. */
export function fragile(database: Database) {
  const state = { away: false, units: 0 };
  const wrapped: Database = {
    ...database,
    tables<Schema>() {
      const tables = database.tables<Schema>();
      return {
        read: tables.read,
        async write<Result>(unit: (tx: Kysely<Schema>) => Promise<Result>): Promise<Result> {
          if (state.away) throw new ServiceError("storage_unavailable", "The database is away.");
          state.units += 1;
          return tables.write(unit);
        },
      };
    },
  };
  return { state, wrapped };
}
