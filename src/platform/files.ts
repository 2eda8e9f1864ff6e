import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync, mkdirSync, statSync, readSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a file completely or not at all, readable by this user only; it is on disk when this returns. */
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

/** Flushes a file, or the names in a folder, to disk. */
export function syncPath(path: string): void {
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/**
 * Makes a folder and those above it, for this user only. `recursive` is not used: it loops for ever where the system denies that an existing parent
 * exists, as /proc does.
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  mkdirSync(path, { mode: 0o700 });
}

/** The text of a small file. Throws when it has more than `maxBytes`, whatever size it claims: devices and pipes claim none. */
export function readBoundedFile(path: string, maxBytes: number): string {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length <= maxBytes; length += read)
      read = readSync(file, buffer, length, buffer.length - length, null);
    if (length > maxBytes) throw new Error(`larger than ${maxBytes} bytes`);
    return buffer.toString("utf8", 0, length);
  } finally {
    closeSync(file);
  }
}
