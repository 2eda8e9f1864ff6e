import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeWholeFile, makeFolder, readBoundedFile } from "../platform/files.ts";

/** The files that, with the database, make a server the same one to its agents and keep its licence. All of them are text. */
const DATA_FILES = ["grpc-certificate.pem", "licence.json"] as const;

const LARGEST_FILE = 16_384;

/** The files of the data folder that belong to a backup, by name. Throws when one cannot be read. */
export function readDataFiles(dataDir: string): Record<string, Buffer> {
  const found = DATA_FILES.filter((name) => existsSync(join(dataDir, name)));
  return Object.fromEntries(found.map((name) => [name, Buffer.from(readBoundedFile(join(dataDir, name), LARGEST_FILE))]));
}

export interface RestoredFiles {
  written: string[];
  /** There was another one, which stays; the one of the backup is beside it under this name. */
  beside: string[];
}

/** Puts back what is missing, and what differs beside what is there. */
export function restoreDataFiles(dataDir: string, files: Readonly<Record<string, Buffer>>): RestoredFiles {
  const restored: RestoredFiles = { written: [], beside: [] };
  makeFolder(dataDir);
  for (const name of DATA_FILES) {
    const text = files[name]?.toString();
    const path = join(dataDir, name);
    if (text === undefined) continue;
    if (!existsSync(path)) {
      writeWholeFile(path, text);
      restored.written.push(name);
    } else if (readBoundedFile(path, LARGEST_FILE) !== text) {
      writeWholeFile(`${path}.from-backup`, text);
      restored.beside.push(`${name}.from-backup`);
    }
  }
  return restored;
}
