import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { mountSmallDisk } from "../../../../test/support/small-disk.ts";
import { ContainerLog } from "./container-log.ts";

test("lines for which a disk has half the room stay in memory until there is all of it", async (t) => {
  const disk = mountSmallDisk(1);
  t.after(() => disk.remove());
  const folder = join(disk.folder, "log");
  const log = new ContainerLog(folder);
  for (let index = 0; index < 400; index += 1)
    log.add({ atMs: index, stream: "stdout", level: null, text: randomBytes(300).toString("hex") });
  const { characters } = log.held();
  const filler = join(disk.folder, "filler");
  const { bavail, bsize } = statfsSync(disk.folder);
  writeFileSync(filler, Buffer.alloc(bavail * bsize - 61_440));

  await assert.rejects(log.flush(), /ENOSPC/);
  await assert.rejects(log.seal(), /ENOSPC/);
  assert.deepEqual(log.held(), { characters, unwritten: characters });

  rmSync(filler);
  await log.seal();
  assert.equal(log.held().characters, 0);
  const again = new ContainerLog(folder);
  assert.equal(await again.open(), 0);
  assert.deepEqual(again.span(), { firstMs: 0, lastMs: 399 });
});
