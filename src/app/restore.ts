import type { Config } from "../config/config.ts";
import { SESSION_LIFETIMES } from "../http/session.ts";
import { systemClock } from "../platform/clock.ts";
import { openBackup, restoreInto } from "../storage/transfer/index.ts";
import { restoreDataFiles } from "./data-files.ts";
import { configuredStore, openTarget } from "./stores.ts";

/** Puts a backup in the place of the configured database, once all of it was verified; what was there is kept until the program has started. */
export async function restore(config: Config, file: string): Promise<number> {
  const source = await openBackup(file);
  try {
    const target = await openTarget(configuredStore(config), systemClock);
    try {
      const at = systemClock.now();
      const revocation = { at, sessionsEndAt: new Date(at.getTime() + SESSION_LIFETIMES.longestMs) };
      const { tables, rows, kept } = await restoreInto(target, source, revocation);
      const { written, beside } = restoreDataFiles(config.dataDir, source.files);
      const lines = [
        `Restored ${rows} rows of ${tables} tables, as they were at ${source.takenAt.toISOString()}, into ${target.where}.`,
        ...(kept === null ? [] : [`What was there before is kept in ${kept} until the program has started.`]),
        "Sessions, connections of assistants and open enrollment tokens have ended. Agents that were revoked since then are back: revoke them again.",
        ...written.map((name) => `${name} was missing in ${config.dataDir} and is back.`),
        ...beside.map((name) => `Another one is in use than the backup has: see ${name} in ${config.dataDir}, and rename it to use it.`),
      ];
      process.stdout.write(`${lines.join("\n")}\n`);
      return 0;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
