import type { Config } from "../config/config.ts";
import { redactDatabaseUrl } from "../config/database-url.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { Database } from "../storage/database.ts";
import type { Inspection } from "../storage/inspect.ts";
import { inspectPostgres, openPostgres } from "../storage/postgres.ts";
import { inspectSqlite, openSqlite } from "../storage/sqlite.ts";

/** The database that the configuration names. */
export function openDatabase(config: Config, { clock, log }: { clock: Clock; log: Log }): Database {
  if (config.databaseUrl === undefined) return openSqlite({ path: config.databasePath, clock, log });
  const url = config.databaseUrl.reveal();
  return openPostgres({ url, redactedUrl: redactDatabaseUrl(url), clock, log });
}

/** How that database stands; changes nothing. Throws a StartError. */
export async function inspectDatabase({ databaseUrl, databasePath }: Config): Promise<Inspection> {
  if (databaseUrl === undefined) return inspectSqlite(databasePath);
  const url = databaseUrl.reveal();
  return inspectPostgres({ url, redactedUrl: redactDatabaseUrl(url) });
}
