import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../platform/clock.ts";
import { messageOf, StartError } from "../../platform/errors.ts";
import { openBackup, openSqliteTarget, restoreInto, stampOf, writeBackup } from "../../storage/transfer/index.ts";
import { readDataFiles } from "../data-files.ts";
import { openSource, type Store } from "../stores.ts";
import { type Destination, openDestination } from "./destination.ts";
import type { DestinationOptions } from "./destination-options.ts";

export interface TakeOptions {
  store: Store;
  dataDir: string;
  programVersion: string;
  /** Where backups are kept. */
  destination: DestinationOptions;
  /** How many of them. */
  keep: number;
}

export interface Taken {
  /** The name of the file or object. */
  file: string;
  bytes: number;
  rows: number;
  takenAt: string;
  verifiedAt: string;
}

export interface TakenAndThinned {
  taken: Taken;
  /** Why the oldest could not be removed; null when they were. */
  removalError: string | null;
}

/**
 * Keeps a backup, reads it back, restores it into a SQLite file that is thrown away, and then removes the oldest backups beyond `keep`. One that cannot be
 * restored is removed, and the earlier ones stay. Throws a StartError.
 */
export async function takeBackup({ destination: options, ...facts }: TakeOptions): Promise<TakenAndThinned> {
  const destination = openDestination(options);
  try {
    await destination.clear();
    const taken = await takeVerified(destination, facts);
    return { taken, removalError: await removeOldest(destination, { keep: facts.keep, newest: taken.file }) };
  } finally {
    destination.close();
  }
}

async function takeVerified(
  destination: Destination,
  { store, dataDir, programVersion }: Omit<TakeOptions, "destination" | "keep">,
): Promise<Taken> {
  const takenAt = systemClock.now();
  const file = `binnacle-${stampOf(takenAt)}.backup`;
  const source = await openSource(store, { clock: systemClock, alone: false });
  let bytes: number;
  try {
    const facts = { programVersion, takenAt, files: readDataFiles(dataDir) };
    ({ bytes } = await writeBackup(source, join(destination.workFolder, file), facts));
  } finally {
    await source.close();
  }
  await storeWhole(destination, file);
  try {
    const rows = await tryRestore(await destination.fetch(file), destination.workFolder);
    return { file, bytes, rows, takenAt: takenAt.toISOString(), verifiedAt: systemClock.now().toISOString() };
  } catch (error) {
    await removeUnverified(destination, file, error);
    throw error;
  }
}

async function storeWhole(destination: Destination, file: string): Promise<void> {
  try {
    await destination.store(file);
  } catch (error) {
    // It is there only when the last answer was lost. Why nothing could be stored is what counts.
    await destination.remove(file).catch(() => undefined);
    throw error;
  }
}

async function removeUnverified(destination: Destination, file: string, reason: unknown): Promise<void> {
  try {
    await destination.remove(file);
  } catch (error) {
    throw new StartError(`${messageOf(reason)} It is still there, unverified. ${messageOf(error)}`, { cause: reason });
  }
}

/** The newest stays also when the clock was ahead before, and others have later names. */
async function removeOldest(destination: Destination, { keep, newest }: { keep: number; newest: string }): Promise<string | null> {
  try {
    const others = (await destination.names()).filter((name) => name !== newest);
    for (const name of others.slice(0, Math.max(0, others.length - (keep - 1)))) await destination.remove(name);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Restores a backup into a temporary file; answers how many rows came out of it. Throws a StartError when it cannot be restored. */
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
