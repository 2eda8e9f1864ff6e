import assert from "node:assert/strict";
import { existsSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { createLogCapture } from "../../test/support/log-capture.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { CHECKPOINT_PAGES, createCheckpoint } from "./checkpoint.ts";
import { openFile } from "./sqlite-file.ts";

const PAGE_BYTES = 4096;

/** A database whose log grows by so many pages at a time. */
function growing() {
  const path = join(temporaryFolder(), "x.db");
  const file = openFile(path);
  file.exec("CREATE TABLE pages (content BLOB)");
  const { log, text } = createLogCapture();
  const add = (pages: number): void => {
    // Each row has an overflow page of its own.
    file.exec("BEGIN");
    for (let page = 0; page < pages; page += 1) file.exec(`INSERT INTO pages VALUES (zeroblob(${PAGE_BYTES}))`);
    file.exec("COMMIT");
  };
  const size = (suffix: string): number => statSync(path + suffix).size;
  const waiting = (): number => {
    const row = file.prepare("PRAGMA wal_checkpoint(NOOP)").get();
    return Number(row?.["log"]) - Number(row?.["checkpointed"]);
  };
  return { path, file, text, add, size, waiting, checkpoint: createCheckpoint({ path, file, log }) };
}

it("a log that has grown is moved into the file, and starts over", async () => {
  const { file, add, size, waiting, checkpoint } = growing();
  add(CHECKPOINT_PAGES / 2);
  await checkpoint();
  assert.ok(waiting() > 0, "a short one stays");
  add(CHECKPOINT_PAGES);
  const most = size("-wal");
  for (let time = 0; time < 4; time += 1) {
    await checkpoint();
    assert.equal(waiting(), 0);
    add(CHECKPOINT_PAGES);
  }
  assert.equal(size("-wal"), most);
  assert.ok(size("") > 4 * CHECKPOINT_PAGES * PAGE_BYTES);
  assert.equal(file.prepare("PRAGMA quick_check").get()?.["quick_check"], "ok");
  file.close();
});

it("what a reader still needs stays in the log, and is moved once it has grown by as much again", async () => {
  const { path, file, add, waiting, checkpoint } = growing();
  const reader = openFile(path);
  reader.exec("BEGIN; SELECT * FROM pages");
  add(CHECKPOINT_PAGES);
  await checkpoint();
  assert.ok(waiting() >= CHECKPOINT_PAGES);
  reader.exec("COMMIT");
  await checkpoint();
  assert.ok(waiting() >= CHECKPOINT_PAGES, "it is not tried at each commit");
  add(CHECKPOINT_PAGES);
  await checkpoint();
  assert.equal(waiting(), 0);
  reader.close();
  file.close();
});

it("a file that is gone is logged and not created, and nothing is lost", async () => {
  const { path, file, text, add, waiting, checkpoint } = growing();
  add(CHECKPOINT_PAGES);
  renameSync(path, `${path}.away`);
  await checkpoint();
  assert.ok(!existsSync(path));
  assert.match(text(), /could not be moved into the database file/);
  renameSync(`${path}.away`, path);
  add(CHECKPOINT_PAGES);
  await checkpoint();
  assert.equal(waiting(), 0);
  file.close();
});
