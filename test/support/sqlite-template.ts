import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { openSqlite } from "../../src/storage/sqlite.ts";
import { fastFolder } from "./fast-folder.ts";

let isFirst = true;
let template: Promise<string> | undefined;

/**
 * Puts an empty database with today's schema at a path where none is, copied from one that is made once for each process: to migrate takes seven times as long.
 * The first database of a process migrates, since many processes need no second one.
 */
export async function prepareSqlite(path: string): Promise<void> {
  if (isFirst) {
    isFirst = false;
    return;
  }
  template ??= makeTemplate();
  copyFileSync(await template, path);
}

async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(fastFolder(), "binnacle-template-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "template.db");
  const database = openSqlite({ path, clock: systemClock, log: silentLog });
  await database.start();
  await database.stop();
  return path;
}
