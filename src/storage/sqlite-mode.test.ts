import assert from "node:assert/strict";
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { systemClock } from "../platform/clock.ts";
import { silentLog } from "../platform/log.ts";
import { openSqlite } from "./sqlite.ts";

test("a database that others may read is made this user's alone at start, with the files beside it", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-test-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "made.db");
  const first = openSqlite({ path, clock: systemClock, log: silentLog });
  await first.start();
  // As a crash leaves it, with its log.
  const left = join(folder, "left.db");
  for (const ending of ["", "-wal", "-shm"]) cpSync(path + ending, left + ending);
  await first.stop();
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);

  const again = openSqlite({ path: left, clock: systemClock, log: silentLog });
  await again.start();
  t.after(() => again.stop());
  const names = readdirSync(folder).filter((name) => name.startsWith("left.db"));
  assert.ok(names.includes("left.db-wal") && names.includes("left.db-shm"), names.join(", "));
  for (const name of ["left.db", "left.db-wal", "left.db-shm"])
    assert.equal((statSync(join(folder, name)).mode & 0o777).toString(8), "600", name);
});
