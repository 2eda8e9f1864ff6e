import type { BuildInfo } from "../config/build.ts";
import type { Config } from "../config/config.ts";
import { systemClock } from "../platform/clock.ts";
import { writeBackup } from "../storage/transfer/index.ts";
import { readDataFiles } from "./data-files.ts";
import { configuredStore, openSource } from "./stores.ts";

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
