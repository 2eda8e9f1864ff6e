import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { DAY_MS } from "../../../contract/time.ts";
import { createFakeClock, type FakeClock } from "../../../../test/support/fake-clock.ts";
import { createLogCapture } from "../../../../test/support/log-capture.ts";
import { mountSmallDisk } from "../../../../test/support/small-disk.ts";
import { until } from "../../../../test/support/until.ts";
import { silentLog } from "../../../platform/log.ts";
import { Spool, type SpoolBudgets } from "./index.ts";
import { recordsIn } from "./record.ts";

const ALL = { records: 1_000_000, bytes: 1e9 };
const BUDGETS: SpoolBudgets = { maxMemoryBytes: 0, maxDiskBytes: 1_000_000, maxAgeMs: DAY_MS };

interface World {
  folder: string;
  clock: FakeClock;
  /** Opens it again, as after a restart; with `crash` the one before is left as it is. */
  open(budgets?: Partial<SpoolBudgets>): Spool;
}

function worldOf(t: TestContext, folder = mkdtempSync(join(tmpdir(), "binnacle-spool-"))): World {
  const clock = createFakeClock();
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, clock, open: (budgets) => new Spool({ folder, clock, log: silentLog, ...BUDGETS, ...budgets }) };
}

/** Pushes so many events, observed now, and answers their numbers. */
function push({ clock }: World, spool: Spool, count: number, bytes = 100): number[] {
  return Array.from({ length: count }, () => {
    const seq = spool.nextSeq();
    const payload = Buffer.alloc(bytes, seq % 256);
    spool.push({ seq, observedAtMs: clock.now().getTime(), payload });
    return seq;
  });
}

function readSeqs(spool: Spool, most = ALL): number[] {
  return spool.read(most).map(({ seq, payload }) => {
    assert.ok(payload.every((byte) => byte === seq % 256));
    return seq;
  });
}

function segmentsOf({ folder }: World): string[] {
  return readdirSync(join(folder, "segments"))
    .sort()
    .map((name) => join(folder, "segments", name));
}

test("what is pushed is given out in order, once, and kept until it is acknowledged", (t) => {
  const world = worldOf(t);
  const spool = world.open({ maxMemoryBytes: 10_000 });
  const seqs = push(world, spool, 300);
  assert.deepEqual(readSeqs(spool, { records: 100, bytes: 1e6 }), seqs.slice(0, 100));
  assert.deepEqual(readSeqs(spool, { records: 1000, bytes: 1050 }), seqs.slice(100, 110));
  spool.acknowledge(seqs[49] ?? 0);
  assert.equal(spool.totals().queued, 250);
  spool.rewind();
  assert.deepEqual(readSeqs(spool), seqs.slice(50));
  assert.equal(spool.hasMore(), false);
  spool.acknowledge(seqs.at(-1) ?? 0);
  assert.deepEqual(spool.totals(), { queued: 0, dropped: 0, bytes: 0 });
  assert.deepEqual(segmentsOf(world), []);
});

test("memory comes first: nothing is on disk until it is full", (t) => {
  const world = worldOf(t);
  const spool = world.open({ maxMemoryBytes: 12_600 });
  push(world, spool, 100);
  assert.deepEqual(segmentsOf(world), []);
  push(world, spool, 1);
  assert.equal(segmentsOf(world).length, 1);
});

test("what has waited half a minute is on disk, and survives a crash", async (t) => {
  const world = worldOf(t);
  const spool = world.open({ maxMemoryBytes: 1e6 });
  const seqs = push(world, spool, 10);
  spool.settle();
  assert.deepEqual(segmentsOf(world), []);
  await world.clock.advance(30_000);
  spool.settle();
  assert.deepEqual(readSeqs(world.open()), seqs);
});

test("a restart continues where the last acknowledgement was, and never uses a number again", (t) => {
  const world = worldOf(t);
  const first = world.open({ maxMemoryBytes: 1e6 });
  const seqs = push(world, first, 200);
  readSeqs(first);
  first.acknowledge(seqs[119] ?? 0);
  first.close();
  const second = world.open();
  assert.equal(second.totals().queued, 80);
  assert.equal(second.totals().dropped, 0);
  assert.deepEqual(readSeqs(second), seqs.slice(120));
  assert.ok((push(world, second, 1)[0] ?? 0) > (seqs.at(-1) ?? Infinity));
});

test("numbers rise even where the state and the segments are gone", (t) => {
  const world = worldOf(t);
  const [before = Infinity] = push(world, world.open({ maxDiskBytes: 0 }), 1);
  rmSync(world.folder, { recursive: true });
  world.clock.jump(new Date(world.clock.now().getTime() + 1));
  assert.ok(world.open().nextSeq() > before);
});

test("numbers rise above those of the segments where the state is gone and the clock went back", (t) => {
  const world = worldOf(t);
  const first = world.open();
  const before = push(world, first, 3);
  first.close();
  rmSync(join(world.folder, "state"));
  world.clock.jump(new Date(world.clock.now().getTime() - 3_600_000));
  const second = world.open();
  const more = push(world, second, 2);
  assert.deepEqual(more, [(before.at(-1) ?? NaN) + 1, (before.at(-1) ?? NaN) + 2]);
  assert.deepEqual(readSeqs(second), [...before, ...more]);
});

test("beyond the budget of the disk the oldest go first, and are counted", (t) => {
  const world = worldOf(t);
  const spool = world.open({ maxDiskBytes: 100_000 });
  const seqs = push(world, spool, 2000);
  const { queued, dropped, bytes } = spool.totals();
  assert.ok(bytes <= 100_000 && bytes > 90_000, `${bytes} bytes`);
  assert.equal(queued + dropped, 2000);
  assert.deepEqual(readSeqs(spool), seqs.slice(dropped));
  assert.ok(segmentsOf(world).reduce((sum, path) => sum + statSync(path).size, 0) <= 100_000);
  spool.close();
  assert.equal(world.open({ maxDiskBytes: 100_000 }).totals().dropped, dropped);
});

test("a smaller budget at the next start holds at once", (t) => {
  const world = worldOf(t);
  const first = world.open();
  push(world, first, 2000);
  first.close();
  assert.ok(world.open({ maxDiskBytes: 50_000 }).totals().bytes <= 50_000);
});

test("an event that is larger than the budget is dropped and counted", (t) => {
  const world = worldOf(t);
  const spool = world.open({ maxDiskBytes: 1000 });
  push(world, spool, 1, 2000);
  assert.deepEqual(spool.totals(), { queued: 0, dropped: 1, bytes: 0 });
});

test("without a disk budget memory drops its oldest", (t) => {
  const world = worldOf(t);
  const spool = world.open({ maxMemoryBytes: 1260, maxDiskBytes: 0 });
  const seqs = push(world, spool, 25);
  assert.deepEqual(spool.totals(), { queued: 10, dropped: 15, bytes: 1260 });
  assert.deepEqual(readSeqs(spool), seqs.slice(15));
});

test("without any budget nothing is kept", (t) => {
  const world = worldOf(t);
  const spool = world.open({ maxMemoryBytes: 0, maxDiskBytes: 0 });
  push(world, spool, 25);
  assert.deepEqual(spool.totals(), { queued: 0, dropped: 25, bytes: 0 });
  assert.equal(spool.hasMore(), false);
});

test("what is too old is neither kept nor given out", async (t) => {
  const world = worldOf(t);
  const spool = world.open({ maxMemoryBytes: 2000 });
  push(world, spool, 50);
  await world.clock.advance(DAY_MS - 1000);
  const young = push(world, spool, 10);
  await world.clock.advance(2000);
  assert.deepEqual(readSeqs(spool), young, "passed over");
  assert.deepEqual(spool.totals().dropped, 50);
  spool.acknowledge(young.at(-1) ?? 0);
  assert.equal(spool.totals().queued, 0);

  push(world, spool, 5000);
  await world.clock.advance(DAY_MS + 1);
  spool.settle();
  assert.deepEqual(spool.totals(), { queued: 0, dropped: 5050, bytes: 0 }, "given up without being read");
  assert.deepEqual(segmentsOf(world), []);
});

test("what is too old goes alone, though what came before it says that it is younger", async (t) => {
  const world = worldOf(t);
  const first = world.open();
  const ahead = push(world, first, 10);
  first.close();
  world.clock.jump(new Date(world.clock.now().getTime() - 3_600_000));
  const spool = world.open();
  push(world, spool, 10);
  await world.clock.advance(DAY_MS + 1);
  spool.settle();
  assert.deepEqual(readSeqs(spool), ahead);
  assert.deepEqual(spool.totals(), { queued: 10, dropped: 10, bytes: 1260 });
});

test("what is dropped while it is on its way does no harm when it is acknowledged", (t) => {
  const world = worldOf(t);
  const spool = world.open({ maxDiskBytes: 100_000 });
  const early = push(world, spool, 100);
  readSeqs(spool);
  const late = push(world, spool, 3000);
  spool.acknowledge(early.at(-1) ?? 0);
  const { dropped } = spool.totals();
  assert.deepEqual(readSeqs(spool), late.slice(dropped - 100));
});

test("a torn end is cut off and counted; what is before it stays", (t) => {
  const world = worldOf(t);
  const seqs = push(world, world.open(), 20);
  const [path = ""] = segmentsOf(world);
  truncateSync(path, statSync(path).size - 30);
  const spool = world.open();
  assert.deepEqual(spool.totals(), { queued: 19, dropped: 1, bytes: 19 * 126 });
  assert.deepEqual(readSeqs(spool), seqs.slice(0, 19));
});

test("each flipped bit costs the one event that it is in", (t) => {
  const world = worldOf(t);
  const first = world.open();
  const seqs = push(world, first, 100);
  first.close();
  const [path = ""] = segmentsOf(world);
  const bytes = readFileSync(path);
  // In the payload of the 10th, the length of the 30th, the magic of the 50th, the seq of the 70th.
  for (const [record, offset] of [
    [10, 60],
    [30, 6],
    [50, 0],
    [70, 12],
  ] as const)
    bytes.writeUInt8(bytes.readUInt8(record * 126 + offset) ^ 0x10, record * 126 + offset);
  writeFileSync(path, bytes);
  const spool = world.open();
  assert.deepEqual(
    readSeqs(spool),
    seqs.filter((_, index) => ![10, 30, 50, 70].includes(index)),
  );
  assert.equal(spool.totals().dropped, 4);
  assert.equal(spool.totals().queued, 96);
  spool.acknowledge(seqs.at(-1) ?? 0);
  assert.equal(spool.totals().queued, 0);
});

test("segments that are noise, gone, or not ours are passed over and counted", (t) => {
  const world = worldOf(t);
  const first = world.open({ maxDiskBytes: 100_000 });
  const seqs = push(world, first, 700);
  first.close();
  const paths = segmentsOf(world);
  assert.ok(paths.length >= 10);
  writeFileSync(paths[1] ?? "", Buffer.alloc(6000, 7));
  writeFileSync(join(world.folder, "segments", "notes.txt"), "not ours");
  mkdirSync(join(world.folder, "segments", "folder"));
  const spool = world.open({ maxDiskBytes: 100_000 });
  rmSync(paths[3] ?? "");
  const given = readSeqs(spool);
  assert.equal(given.length + spool.totals().dropped, seqs.length);
  assert.equal(given[0], seqs[0]);
  assert.equal(given.at(-1), seqs.at(-1));
  spool.acknowledge(seqs.at(-1) ?? 0);
  assert.equal(spool.totals().queued, 0);
  assert.deepEqual(readdirSync(join(world.folder, "segments")).sort(), ["folder", "notes.txt"]);
});

test("what cannot be read of what a crash left costs no more than itself", (t) => {
  const world = worldOf(t);
  const spool = world.open();
  const seqs = push(world, spool, 3);
  spool.close();
  mkdirSync(join(world.folder, "segments", "0000000000000001.open"));
  const again = world.open();
  assert.deepEqual(readSeqs(again), seqs);
  const more = push(world, again, 2);
  again.close();
  assert.deepEqual(readSeqs(world.open()), [...seqs, ...more]);
});

test("a record with a number that was there before is given out once", (t) => {
  const world = worldOf(t);
  const spool = world.open();
  push(world, spool, 5);
  const [path = ""] = segmentsOf(world);
  const bytes = readFileSync(path);
  assert.equal(recordsIn(Buffer.concat([bytes, bytes])).records.length, 5);
});

test("a full disk is survived: it continues in memory, and on the disk when there is room", async (t) => {
  const disk = mountSmallDisk(1);
  t.after(() => disk.remove());
  const clock = createFakeClock();
  const { log, text } = createLogCapture();
  const world: World = { folder: join(disk.folder, "spool"), clock, open: () => assert.fail() };
  const spool = new Spool({ ...BUDGETS, folder: world.folder, clock, log, maxMemoryBytes: 50_000, maxDiskBytes: 100_000_000 });
  const seqs = push(world, spool, 9000);
  const full = spool.totals();
  assert.match(text(), /spool not written to disk.*ENOSPC/);
  assert.ok(full.bytes > 900_000 && full.bytes < 1_100_000, `${full.bytes} bytes`);
  assert.ok(full.dropped > 0);
  assert.equal(full.queued + full.dropped, 9000);
  const given = readSeqs(spool);
  assert.equal(given.length, full.queued);
  assert.deepEqual(
    given,
    [...new Set(given)].sort((a, b) => a - b),
  );
  assert.deepEqual([given[0], given.at(-1)], [seqs[0], seqs.at(-1)]);
  spool.acknowledge(seqs.at(-1) ?? 0);

  await clock.advance(30_000);
  // Files that are closed a moment later hold their space until then.
  await until(() => openIn(world.folder) === 0);
  const more = push(world, spool, 2000);
  assert.equal(spool.totals().dropped, full.dropped);
  spool.close();
  const again = new Spool({ ...BUDGETS, folder: world.folder, clock, log });
  assert.deepEqual(readSeqs(again), more);
  assert.equal(again.totals().dropped, full.dropped);
  again.close();
  await until(() => openIn(world.folder) === 0);
});

/** Empty for one that is closed already. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** Files of a folder that this process has open, other than the state. */
function openIn(folder: string): number {
  const targets = readdirSync("/proc/self/fd").map((fd) => linkOf(`/proc/self/fd/${fd}`));
  return targets.filter((target) => target.startsWith(folder) && !target.endsWith("state")).length;
}

test("a folder that cannot be used leaves the memory", (t) => {
  const world = worldOf(t);
  writeFileSync(join(world.folder, "file"), "");
  const { log, text } = createLogCapture();
  const spool = new Spool({ ...BUDGETS, maxMemoryBytes: 1e6, folder: join(world.folder, "file"), clock: world.clock, log });
  const seqs = push(world, spool, 10);
  assert.deepEqual(readSeqs(spool), seqs);
  assert.match(text(), /spool has no disk/);
  spool.close();
});
