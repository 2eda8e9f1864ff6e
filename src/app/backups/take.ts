import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { systemClock } from "../../platform/clock.ts";
import { makeFolder } from "../../platform/folder.ts";
import { openBackup, openSqliteTarget, restoreInto, writeBackup } from "../../storage/transfer/index.ts";
import { readDataFiles } from "../data-files.ts";
import { openSource, type Store } from "../stores.ts";

export interface TakeOptions {
  store: Store;
  dataDir: string;
  programVersion: string;
  /** Where backups are kept. */
  folder: string;
  /** How many of them. */
  keep: number;
}

export interface Taken {
  /** The name of the file in the folder. */
  file: string;
  bytes: number;
  rows: number;
  takenAt: string;
  verifiedAt: string;
}

const BACKUP_NAME = /^binnacle-\d{8}T\d{6}Z\.backup$/;
const LEFTOVER_NAME = /^binnacle-\d{8}T\d{6}Z\.backup\.partial$|^trial-restore-/;

/**
 * Writes a backup, restores it into a SQLite file that is thrown away, and removes the oldest backups beyond `keep`. One that cannot be restored is removed,
 * and the earlier ones stay. Throws a StartError.
 */
export async function takeBackup({ store, dataDir, programVersion, folder, keep }: TakeOptions): Promise<Taken> {
  makeFolder(folder);
  // A run that was interrupted leaves these behind.
  for (const name of readdirSync(folder)) if (LEFTOVER_NAME.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
  const takenAt = systemClock.now();
  const path = join(folder, `binnacle-${takenAt.toISOString().replaceAll(/[-:]|\.\d+/g, "")}.backup`);
  const source = await openSource(store, { clock: systemClock, alone: false });
  let bytes: number;
  try {
    ({ bytes } = await writeBackup(source, path, { programVersion, takenAt, files: readDataFiles(dataDir) }));
  } finally {
    await source.close();
  }
  try {
    const rows = await tryRestore(path, folder);
    const backups = readdirSync(folder)
      .filter((name) => BACKUP_NAME.test(name))
      .toSorted();
    for (const name of backups.slice(0, -keep)) rmSync(join(folder, name), { force: true });
    return { file: basename(path), bytes, rows, takenAt: takenAt.toISOString(), verifiedAt: systemClock.now().toISOString() };
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/** Restores a backup into a file of its own; answers how many rows came out of it. Throws a StartError when it cannot be restored. */
export async function tryRestore(path: string, folder: string): Promise<number> {
  const trial = mkdtempSync(join(folder, "trial-restore-"));
  try {
    const source = await openBackup(path);
    const target = openSqliteTarget({ path: join(trial, "binnacle.db"), clock: systemClock });
    try {
      return (await restoreInto(target, source)).rows;
    } finally {
      await target.close();
      await source.close();
    }
  } finally {
    rmSync(trial, { recursive: true, force: true });
  }
}
