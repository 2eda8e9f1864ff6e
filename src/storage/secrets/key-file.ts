import { chmodSync, statSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { readBoundedFile } from "../../platform/bounded-file.ts";
import { messageOf, StartError } from "../../platform/errors.ts";
import { makeFolder } from "../../platform/folder.ts";
import type { Log } from "../../platform/log.ts";
import { parseSecretKey } from "../../platform/secret-key.ts";
import { writeWholeFile } from "../../platform/whole-file.ts";

const LARGEST_FILE = 1024;

/** The key that a file holds; undefined when the file is not there. Throws a StartError when it cannot be read or holds no key. */
export function readKeyFile(path: string): Buffer | undefined {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    const key = parseSecretKey(readBoundedFile(path, LARGEST_FILE).trim());
    if (key === undefined) throw new Error("it does not hold 32 bytes as base64 or as hexadecimal digits");
    return key;
  } catch (error) {
    throw new StartError(
      `The key of the stored secrets, ${path}, cannot be used: ${messageOf(error)}. Put back a copy of it, or give the key with SERVICE_SECRET_KEY.`,
      { cause: error },
    );
  }
}

/** Makes a key and writes it to a file for this user alone. Throws a StartError when it cannot. */
export function makeKeyFile(path: string): Buffer {
  const key = randomBytes(32);
  try {
    makeFolder(dirname(path));
    writeWholeFile(path, `${key.toString("base64")}\n`);
  } catch (error) {
    throw new StartError(
      `The key of the stored secrets, ${path}, cannot be written: ${messageOf(error)}. Make its folder writable, or give a key with SERVICE_SECRET_KEY.`,
      { cause: error },
    );
  }
  return key;
}

/** Whether other users may read the file; false when it is not there. */
export function isOpenToOthers(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
}

/** Makes the file this user's alone, as a restored copy may not be. */
export function closeKeyFile(path: string, log: Log): void {
  if (!isOpenToOthers(path)) return;
  try {
    chmodSync(path, 0o600);
    log.warn({ path }, "other users could read the key of the stored secrets; its permissions were corrected");
  } catch (error) {
    log.warn(
      { path, reason: messageOf(error) },
      "other users may read the key of the stored secrets, and its permissions cannot be changed",
    );
  }
}
