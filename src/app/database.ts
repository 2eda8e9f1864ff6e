import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { redactDatabaseUrl } from "../config/database-url.ts";
import type { Secret } from "../config/secret.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { StoredSecrets } from "../platform/stored-secrets.ts";
import type { Database } from "../storage/database.ts";
import type { Inspection } from "../storage/inspect.ts";
import { inspectPostgres, openPostgres } from "../storage/postgres.ts";
import { createStoredSecrets } from "../storage/secrets/index.ts";
import { inspectSqlite, openSqlite } from "../storage/sqlite.ts";
import type { Lifecycle } from "./lifecycle.ts";

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

interface SecretsParts {
  config: Config;
  database: Database;
  log: Log;
}

/** What seals the secrets in the database. Registered with the lifecycle. */
export function openSecrets({ config, database, log }: SecretsParts, lifecycle: Lifecycle): StoredSecrets {
  const secrets = createStoredSecrets({
    database,
    key: bytesOf(config.secretKey),
    previousKey: bytesOf(config.previousSecretKey),
    keyPath: keyPathOf(config),
    log,
  });
  lifecycle.add("stored secrets", secrets);
  return secrets;
}

/** Where the key is kept unless it is given. */
export function keyPathOf({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "secret.key");
}

/** A key of the options, which are hexadecimal digits by then. */
export function bytesOf(key: Secret | undefined): Buffer | undefined {
  return key === undefined ? undefined : Buffer.from(key.reveal(), "hex");
}
