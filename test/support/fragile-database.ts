import type { Kysely } from "kysely";
import { ServiceError } from "../../src/platform/errors.ts";
import type { Database } from "../../src/storage/database.ts";

const LOST = new ServiceError("storage_unavailable", "The connection ended.");

/** The same database, of which the test can say that it is away, that it is lost at the next commit, or that its next unit of writing waits. */
export function fragile(database: Database) {
  const state: { away: boolean; units: number; lost?: "before the commit" | "after the commit" } = { away: false, units: 0 };
  let held: { reached: () => void; released: Promise<void> } | undefined;
  const wrapped: Database = {
    ...database,
    tables<Schema>() {
      const tables = database.tables<Schema>();
      return {
        read: tables.read,
        async write<Result>(unit: (tx: Kysely<Schema>) => Promise<Result>): Promise<Result> {
          if (state.away) throw new ServiceError("storage_unavailable", "The database is away.");
          state.units += 1;
          const holding = held;
          held = undefined;
          holding?.reached();
          await holding?.released;
          const { lost } = state;
          delete state.lost;
          const result = await tables.write(async (tx) => {
            const made = await unit(tx);
            if (lost === "before the commit") throw LOST;
            return made;
          });
          if (lost === "after the commit") throw LOST;
          return result;
        },
      };
    },
  };
  return {
    state,
    wrapped,
    /** `reached` when a unit is held back, which begins after `release`. */
    holdNext() {
      const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      held = { reached: reached.resolve, released: released.promise };
      return { reached: reached.promise, release: released.resolve };
    },
  };
}
