import { ServiceError } from "../../src/platform/errors.ts";
import type { Database, DatabaseStatus } from "../../src/storage/database.ts";

type Fault = "none" | "gone" | "full";

/** The same database, which can be gone, or be without room for anything new. */
export function createFaults(database: Database) {
  let fault: Fault = "none";
  const listeners: ((status: DatabaseStatus) => void)[] = [];
  const refuse = (): never => {
    throw new ServiceError("storage_unavailable", fault === "gone" ? "The database is gone." : "The disk is full.");
  };
  const status = (): DatabaseStatus => ({ connected: fault === "none", error: fault === "none" ? null : fault });
  const faulty: Database = {
    ...database,
    status,
    onStatus: (listener) => void listeners.push(listener),
    tables<Schema>() {
      const tables = database.tables<Schema>();
      const faultyTables: typeof tables = {
        get read() {
          return fault === "gone" ? refuse() : tables.read;
        },
        write: async (unit) => (fault === "none" ? tables.write(unit) : refuse()),
      };
      return faultyTables;
    },
  };
  return {
    database: faulty,
    isRefusing: () => fault !== "none",
    set(next: Fault): void {
      fault = next;
      for (const listener of listeners) listener(status());
    },
  };
}
