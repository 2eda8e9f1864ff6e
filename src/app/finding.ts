import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../platform/errors.ts";

/** What one look of the doctor found: `fail` keeps the program from its work, `warn` from part of it. */
export interface Finding {
  verdict: "ok" | "warn" | "fail";
  text: string;
}

/** What is looked at, and how. */
export type Look = [subject: string, look: () => Promise<Finding[]>];

const LOW_DISK_BYTES = 512 * 1024 * 1024;

/** Whether a folder, or the one that it will be made in, can be written and has room. */
export function folderFinding(path: string, { roomFor, remedy }: { roomFor: string; remedy: string }): Finding {
  try {
    const folder = nearestFolder(path);
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    const state = folder === path ? `${path} is writable` : `${path} is not there yet; it will be made`;
    const text = `${state}, ${(free / 1024 ** 3).toFixed(1)} GiB free`;
    return free < LOW_DISK_BYTES ? { verdict: "warn", text: `${text}; ${roomFor}` } : { verdict: "ok", text };
  } catch (error) {
    return { verdict: "fail", text: `${path} cannot be written: ${messageOf(error)}. ${remedy}` };
  }
}

/** The folder, or the one above it that is there. Throws when what is there is no folder. */
function nearestFolder(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return path;
  const parent = dirname(path);
  if (found !== undefined || parent === path) throw new Error(`${path} is not a folder`);
  return nearestFolder(parent);
}
