import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a file whole or not at all, for this user alone; it is on disk when this returns. */
export function writeWholeFile(path: string, text: string): void {
  const passing = `${path}.new`;
  rmSync(passing, { force: true });
  const file = openSync(passing, "wx", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(passing, path);
  syncPath(dirname(path));
}

/** A file, or the names in a folder, are on disk when this returns. */
export function syncPath(path: string): void {
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
