import { setTimeout as wait } from "node:timers/promises";
import type { Kysely, KyselyPlugin } from "kysely";
import type { Database, Tables } from "../../src/storage/database.ts";

/** What the databases of this process do now: units of writing and queries, by what ends them. */
const underWay = new Map<object, Promise<void>>();
/** What takes longer waits for the test itself, or failed. */
const LONGEST_MS = 500;

/** The same database, whose work {@link databasesSettled} waits for. */
export function followDatabase(database: Database): Database {
  const views = new WeakMap<object, Kysely<never>>();
  return {
    ...database,
    tables<Schema>() {
      const tables = database.tables<never>();
      const followed: Tables<never> = {
        // One for each connection: a database that is started again has another.
        get read() {
          const { read } = tables;
          const view = views.get(read) ?? read.withPlugin(followQueries());
          views.set(read, view);
          return view;
        },
        write: (unit) => tables.write(unit).finally(begin({})),
      };
      return followed as unknown as Tables<Schema>;
    },
  };
}

function followQueries(): KyselyPlugin {
  const ends = new WeakMap<object, () => void>();
  return {
    transformQuery({ node, queryId }) {
      ends.set(queryId, begin(queryId));
      return node;
    },
    async transformResult({ result, queryId }) {
      ends.get(queryId)?.();
      return result;
    },
  };
}

function begin(key: object): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  underWay.set(key, promise);
  return () => {
    underWay.delete(key);
    resolve();
  };
}

/** Whether there was work; resolves when that has ended. */
export async function databasesSettled(): Promise<boolean> {
  if (underWay.size === 0) return false;
  const begun = [...underWay];
  const isLate = await Promise.race([
    Promise.all(begun.map(([, ended]) => ended)).then(() => false),
    wait(LONGEST_MS, true, { ref: false }),
  ]);
  if (isLate) for (const [key] of begun) underWay.delete(key);
  return true;
}
