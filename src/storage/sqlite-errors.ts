import { messageOf } from "../platform/errors.ts";

const BUSY = 5;
const READONLY = 8;
const CORRUPT = 11;
const CANTOPEN = 14;
const NOT_A_DATABASE = 26;

/** The primary result codes by which the file cannot be used now. Source: https://www.sqlite.org/rescode.html */
const LOSS_CODES: ReadonlySet<number> = new Set([BUSY, READONLY, 10 /* ioerr */, CORRUPT, 13 /* full */, CANTOPEN, NOT_A_DATABASE]);

/** The file at the path is not the open one: writes go to a file that nobody will find. */
export class FileReplaced extends Error {
  constructor(path: string) {
    super(
      `the file ${path} was removed or replaced while the program ran. Put it back, or restart the program to begin with what is there now`,
    );
    this.name = "FileReplaced";
  }
}

/** The file does not contain what was written to it. */
export class FileDamaged extends Error {
  constructor(path: string, how: string) {
    super(
      `the file ${path} is damaged, or its disk cannot be read (${how}). Check the disk; if that is well, stop the program and restore a backup`,
    );
    this.name = "FileDamaged";
  }
}

export function isLoss(error: unknown): boolean {
  if (error instanceof FileReplaced) return true;
  const code = resultCode(error);
  if (error instanceof FileDamaged) return true;
  return code === undefined ? error instanceof Error && "syscall" in error : LOSS_CODES.has(code);
}

/** Whether the file contains something else than was written. SQLite reports the same when the disk refuses to read the file. */
export function isDamage(error: unknown): boolean {
  const code = resultCode(error);
  return error instanceof FileDamaged || code === CORRUPT || code === NOT_A_DATABASE;
}

/** Why the file was lost, and what to do if waiting does not help. */
export function reasonOfLoss(path: string, error: unknown): string {
  return isDamage(error) && !(error instanceof FileDamaged) ? new FileDamaged(path, messageOf(error)).message : messageOf(error);
}

/** Why a file cannot be opened, in words. */
export function reasonOf(error: unknown): string {
  const code = resultCode(error);
  if (code === BUSY) return "another program that is running uses it";
  if (code === READONLY) return "it, or a file beside it whose name begins alike, is read-only for this user";
  if (code === CANTOPEN) return "it cannot be opened or created by this user";
  if (code === NOT_A_DATABASE) return "it is not a SQLite database";
  if (code === CORRUPT)
    return `it is damaged, or its disk cannot be read (${messageOf(error)}). Check the disk, restore a backup in its place`;
  return messageOf(error);
}

/** The primary result code of an error of node:sqlite; undefined for other errors. */
function resultCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}
