import type { BuildInfo } from "../config/build.ts";
import type { Config } from "../config/config.ts";
import { capitalise } from "../contract/words.ts";
import { SESSION_LIFETIMES } from "../http/session.ts";
import { systemClock } from "../platform/clock.ts";
import { StartError } from "../platform/errors.ts";
import { copyInto, openBackup, restoreInto, writeBackup } from "../storage/transfer/index.ts";
import { readDataFiles, restoreDataFiles } from "./data-files.ts";
import { configuredStore, openSource, openTarget, storeAt } from "./stores.ts";

/** Writes a backup of the configured database, as it is now; a program may run and write meanwhile. */
export async function backup(config: Config, file: string, build: BuildInfo): Promise<number> {
  const source = await openSource(configuredStore(config), { clock: systemClock, alone: false });
  try {
    const facts = { programVersion: build.version, takenAt: systemClock.now(), files: readDataFiles(config.dataDir) };
    const { tables, rows, bytes, sha256 } = await writeBackup(source, file, facts);
    process.stdout.write(`${file}: ${rows} rows of ${tables} tables, ${bytes} bytes, SHA-256 of the contents ${sha256}.\n`);
    return 0;
  } finally {
    await source.close();
  }
}

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

/** Copies the configured database into an empty one, which may be of the other kind; resumes an interrupted copy. */
export async function copyStore(config: Config): Promise<number> {
  const to = config.copyTo?.reveal();
  if (to === undefined) throw new StartError("copy-store: needs --to URL, the database to copy to");
  const source = await openSource(configuredStore(config), { clock: systemClock, alone: true });
  try {
    const target = await openTarget(storeAt(to), systemClock);
    try {
      const { tables, rows, resumedRows } = await copyInto(target, source, () =>
        process.stderr.write("The source has changed since the copy was interrupted: the copy begins again.\n"),
      );
      const resumed = resumedRows === 0 ? "" : ` ${resumedRows} of them were there from an interrupted copy.`;
      process.stdout.write(
        `Copied ${rows} rows of ${tables} tables to ${target.where}; the counts are the same.${resumed} ${capitalise(source.where)} is unchanged. ` +
          `The files of the data folder belong to both.\n`,
      );
      return 0;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
