import type { Database, Tables } from "../../src/storage/database.ts";

/** A database that counts how often something begins to read from it outside of units of writing. */
export function countReads(database: Database): { database: Database; reads(): number } {
  let reads = 0;
  return {
    database: {
      ...database,
      tables<Schema>(): Tables<Schema> {
        const tables = database.tables<Schema>();
        return {
          get read() {
            reads += 1;
            return tables.read;
          },
          write: (unit) => tables.write(unit),
        };
      },
    },
    reads: () => reads,
  };
}
