import { resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { redactDatabaseUrl, sqlitePathOf } from "../config/database-url.ts";
import type { Clock } from "../platform/clock.ts";
import {
  openPostgresSource,
  openPostgresTarget,
  openSqliteSource,
  openSqliteTarget,
  type Source,
  type Target,
} from "../storage/transfer/index.ts";

/** A database as a whole: a SQLite file, or the URL of a PostgreSQL database. */
export type Store = { path: string } | { url: string };

export function configuredStore({ databaseUrl, databasePath }: Pick<Config, "databaseUrl" | "databasePath">): Store {
  return databaseUrl === undefined ? { path: databasePath } : { url: databaseUrl.reveal() };
}

/** Of `sqlite:PATH` or a PostgreSQL URL. */
export function storeAt(target: string): Store {
  const path = sqlitePathOf(target);
  return path === undefined ? { url: target } : { path: resolve(path) };
}

/** Opens a store to read all of it; with `alone` no program may use it meanwhile. Throws a StartError. */
export async function openSource(store: Store, { clock, alone }: { clock: Clock; alone: boolean }): Promise<Source> {
  if ("path" in store) return openSqliteSource({ path: store.path, alone });
  return openPostgresSource({ url: store.url, redactedUrl: redactDatabaseUrl(store.url), alone, clock });
}

/** Opens a store to replace it; no program may use it. Throws a StartError. */
export async function openTarget(store: Store, clock: Clock): Promise<Target> {
  if ("path" in store) return openSqliteTarget({ path: store.path, clock });
  return openPostgresTarget({ url: store.url, redactedUrl: redactDatabaseUrl(store.url), clock });
}
