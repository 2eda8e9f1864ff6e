import { setTimeout as wait } from "node:timers/promises";
import type { Database, Tables } from "../../src/storage/database.ts";

/** Units of writing that have not settled yet, of all databases of this process. */
const pending = new Set<Promise<unknown>>();
/** A unit that takes longer waits for the test itself. */
const LONGEST_MS = 500;

/** The same database, whose units of writing {@link writesSettled} waits for. */
export function followWrites(database: Database): Database {
  return {
    ...database,
    tables<Schema>() {
      const tables = database.tables<Schema>();
      const followed: Tables<Schema> = {
        get read() {
          return tables.read;
        },
        write(unit) {
          const written = tables.write(unit);
          const settled = written.then(
            () => undefined,
            () => undefined,
          );
          pending.add(settled);
          void settled.then(() => pending.delete(settled));
          return written;
        },
      };
      return followed;
    },
  };
}

/** Whether units were pending; resolves when those that were have settled. */
export async function writesSettled(): Promise<boolean> {
  if (pending.size === 0) return false;
  const begun = [...pending];
  const isLate = await Promise.race([Promise.all(begun).then(() => false), wait(LONGEST_MS, true, { ref: false })]);
  if (isLate) for (const each of begun) pending.delete(each);
  return true;
}
