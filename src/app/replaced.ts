import type { Config } from "../config/config.ts";
import { messageOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { Database } from "../storage/database.ts";
import { removeReplacedFiles, removeReplacedSchemas } from "../storage/transfer/index.ts";

export interface Replaced {
  config: Pick<Config, "databaseUrl" | "databasePath">;
  database: Pick<Database, "tables">;
  log: Log;
}

/** Removes what a restore replaced, now that the program has started on what was restored. */
export async function removeReplaced({ config, database, log }: Replaced): Promise<void> {
  try {
    const removed =
      config.databaseUrl === undefined ? removeReplacedFiles(config.databasePath) : await removeReplacedSchemas(database.tables<object>());
    if (removed.length > 0) log.info({ removed }, "what a restore replaced is removed");
  } catch (error) {
    log.warn({ reason: messageOf(error) }, "what a restore replaced cannot be removed; it takes space");
  }
}
