import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { Secret } from "../config/secret.ts";
import type { Log } from "../platform/log.ts";
import type { StoredSecrets } from "../platform/stored-secrets.ts";
import type { Database } from "../storage/database.ts";
import { createStoredSecrets } from "../storage/secrets/index.ts";
import type { Lifecycle } from "./lifecycle.ts";

export interface SecretsParts {
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
