import { join } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import { encodeRow } from "../../src/storage/transfer/backup-file.ts";
import {
  openPostgresSource,
  openPostgresTarget,
  openSqliteSource,
  openSqliteTarget,
  type Source,
  type Target,
} from "../../src/storage/transfer/index.ts";
import { createPostgresDatabase, sharedPostgres } from "./databases.ts";
import { fixtureNames, loadIntoPostgres, loadIntoSqlite } from "./filled-schema/fixtures.ts";
import { temporaryFolder } from "./program.ts";

/** A database by what names it, for what is read from it and put into it as a whole. */
export interface Store {
  engine: "sqlite" | "postgresql";
  /** The file, or the URL. */
  place: string;
  /** What names it to the program. */
  env: Record<string, string>;
  source(alone?: boolean): Promise<Source>;
  target(): Promise<Target>;
}

export function sqliteStore(path = join(temporaryFolder(), "binnacle.db")): Store {
  return {
    engine: "sqlite",
    place: path,
    env: { SERVICE_DB: path },
    source: async (alone = false) => openSqliteSource({ path, alone }),
    target: async () => openSqliteTarget({ path, clock: systemClock }),
  };
}

export function postgresStore(url: string): Store {
  const place = { url, redactedUrl: url, clock: systemClock };
  return {
    engine: "postgresql",
    place: url,
    env: { SERVICE_DATABASE_URL: url },
    source: (alone = false) => openPostgresSource({ ...place, alone }),
    target: () => openPostgresTarget(place),
  };
}

/** Makes empty stores; `stop` when all tests are over. */
export function emptyStores(): {
  of(engine: Store["engine"]): Promise<Store>;
  filled(engine: Store["engine"]): Promise<Store>;
  stop(): Promise<void>;
} {
  let server: ReturnType<typeof sharedPostgres> | undefined;
  const of = async (engine: Store["engine"]): Promise<Store> => {
    if (engine === "sqlite") return sqliteStore();
    server ??= sharedPostgres();
    return postgresStore(await createPostgresDatabase((await server).url));
  };
  return {
    of,
    async filled(engine) {
      const store = await of(engine);
      const newest = fixtureNames().at(-1) ?? "";
      if (engine === "sqlite") loadIntoSqlite(newest, store.place);
      else await loadIntoPostgres(newest, store.place);
      return store;
    },
    stop: async () => (await server)?.stop(),
  };
}

/** Every row of a store by table, in a stable order, and the last generated ids. */
export async function contentsOf(store: Store): Promise<{ rows: Record<string, string[]>; counters: Record<string, number> }> {
  const source = await store.source();
  try {
    const rows: Record<string, string[]> = {};
    for await (const batch of source.read()) rows[batch.table.name] = [...(rows[batch.table.name] ?? []), ...batch.rows.map(encodeRow)];
    for (const each of Object.values(rows)) each.sort();
    return { rows, counters: { ...(await source.counters()) } };
  } finally {
    await source.close();
  }
}
