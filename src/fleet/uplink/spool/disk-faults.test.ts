import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, test } from "node:test";
import { createFaultyDisk, RULES_VARIABLE } from "../../../../test/support/disk-faults.ts";
import { createFakeClock } from "../../../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../../../test/support/program.ts";
import { silentLog } from "../../../platform/log.ts";
import { Spool } from "./index.ts";
import { HEADER_BYTES } from "./record.ts";

const BUDGETS = { maxMemoryBytes: 0, maxDiskBytes: 1_000_000, maxAgeMs: 86_400_000 };
const ALL = { records: 1_000_000, bytes: 1e9 };
const PAYLOAD_BYTES = 100;
const EIO = 5;

const url = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** What every scenario may use: a spool on the folder, its log, its clock, and the rules by which the disk fails. */
const PRELUDE = `
  import { writeFileSync } from "node:fs";
  import { Spool } from ${url("./index.ts")};
  import { createFakeClock } from ${url("../../../../test/support/fake-clock.ts")};
  import { createLogCapture } from ${url("../../../../test/support/log-capture.ts")};
  const clock = createFakeClock();
  const { log, text } = createLogCapture();
  const fail = (...rules) => writeFileSync(process.env.${RULES_VARIABLE}, rules.join("\\n"));
  const open = (budgets) => new Spool({ folder: process.argv[1], clock, log, ...${JSON.stringify(BUDGETS)}, ...budgets });
  const push = (spool, count) => Array.from({ length: count }, () => {
    const seq = spool.nextSeq();
    spool.push({ seq, observedAtMs: clock.now().getTime(), payload: Buffer.alloc(${PAYLOAD_BYTES}, seq % 251) });
    return seq;
  });
  const read = (spool) => spool.read(${JSON.stringify(ALL)}).map(({ seq }) => seq);
  const answer = (facts) => console.log(JSON.stringify({ ...facts, log: text() }));
`;

/** Runs a scenario in a process on a disk that fails; answers what it answered. It may end itself in the middle. */
function run<Facts>(scenario: string, folder = temporaryFolder()): Facts & { log: string } {
  const { env } = createFaultyDisk();
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", PRELUDE + scenario, folder], {
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Facts & { log: string };
}

describe("a disk that refuses to read the spool", () => {
  it("costs nothing when that passes, and nothing newer is given out meanwhile", () => {
    const { seqs, during, after, totals, log } = run<{ seqs: number[]; during: number[]; after: number[]; totals: object }>(`
      const spool = open();
      const seqs = push(spool, 50);
      fail("read .open ${EIO} 0", "read .seg ${EIO} 0");
      const during = read(spool);
      fail();
      await clock.advance(2000);
      answer({ seqs, during, after: read(spool), totals: spool.totals() });
    `);
    assert.deepEqual(during, []);
    assert.deepEqual(after, seqs);
    assert.deepEqual(totals, { queued: 50, dropped: 0, bytes: 50 * (HEADER_BYTES + PAYLOAD_BYTES) });
    assert.match(log, /warn spool not read from disk: its events wait.*EIO/);
  });

  it("costs nothing when that is at the start, after a crash", () => {
    const folder = temporaryFolder();
    const { seqs } = run<{ seqs: number[] }>("const spool = open(); answer({ seqs: push(spool, 50) }); process.exit();", folder);
    const { during, after, totals } = run<{ during: number[]; after: number[]; totals: { dropped: number } }>(
      `
      fail("read .open ${EIO} 0");
      const spool = open();
      const more = push(spool, 5);
      const during = read(spool);
      fail();
      await clock.advance(2000);
      answer({ during, after: read(spool).slice(0, 50), totals: spool.totals() });
    `,
      folder,
    );
    assert.deepEqual(during, []);
    assert.deepEqual(after, seqs);
    assert.equal(totals.dropped, 0);
  });

  it("counts what a crash left unread as one event, since it is not known how many there are", () => {
    const folder = temporaryFolder();
    run("const spool = open(); push(spool, 50); answer({}); process.exit();", folder);
    const { totals, dropped } = run<{ totals: { queued: number; dropped: number }; dropped: number }>(
      `
      fail("read .open ${EIO} 0");
      const spool = open();
      const totals = spool.totals();
      await clock.advance(${BUDGETS.maxAgeMs + 1});
      spool.settle();
      answer({ totals, dropped: spool.totals().dropped });
    `,
      folder,
    );
    assert.deepEqual([totals.queued, totals.dropped, dropped], [1, 0, 1]);
  });

  it("costs nothing newer when what a crash left unread is dropped", () => {
    const folder = temporaryFolder();
    run("const spool = open(); push(spool, 50); answer({}); process.exit();", folder);
    const { given, more, totals } = run<{ given: number[]; more: number[]; totals: { queued: number; dropped: number } }>(
      `
      fail("read .open ${EIO} 0");
      const spool = open();
      await clock.advance(${BUDGETS.maxAgeMs + 1});
      const more = push(spool, 5);
      spool.settle();
      fail();
      answer({ given: read(spool), more, totals: spool.totals() });
    `,
      folder,
    );
    assert.deepEqual(given, more);
    assert.deepEqual([totals.queued, totals.dropped], [5, 1]);
  });

  it("costs the segment that stays unreadable, which is counted, and what is newer is given out", () => {
    const { given, more, dropped } = run<{ given: number[]; more: number[]; dropped: number }>(`
      let spool = open();
      push(spool, 50);
      spool.close();
      spool = open();
      const more = push(spool, 3);
      fail("read .seg ${EIO} 0");
      read(spool);
      await clock.advance(600_000);
      read(spool);
      fail();
      await clock.advance(2000);
      answer({ given: read(spool), more, dropped: spool.totals().dropped });
    `);
    assert.deepEqual([dropped, given], [50, more]);
  });
});

describe("a disk that refuses to write the spool", () => {
  for (const call of ["write", "truncate"])
    it(`on ${call} leaves the events in memory, and they are written once it is well`, () => {
      const rules = call === "write" ? [`"write .open ${EIO} 0"`] : [`"write .open ${EIO} 0"`, `"truncate .open ${EIO} 0"`];
      const { seqs, given, dropped, log } = run<{ seqs: number[]; given: number[]; dropped: number }>(`
        const spool = open({ maxMemoryBytes: 5000 });
        const seqs = push(spool, 20);
        fail(${rules.join(", ")});
        await clock.advance(30_000);
        spool.settle();
        seqs.push(...push(spool, 10));
        fail();
        await clock.advance(60_000);
        spool.close();
        answer({ seqs, given: read(open()), dropped: spool.totals().dropped });
      `);
      assert.match(log, /warn spool not written to disk: it continues in memory.*EIO/);
      assert.deepEqual([given, dropped], [seqs, 0]);
    });

  it("never leads to a number that is used twice", () => {
    const folder = temporaryFolder();
    const used = `
      fail("write state ${EIO} 0", "sync state ${EIO} 0");
      const spool = open({ maxMemoryBytes: 100_000 });
      answer({ seqs: push(spool, 5) });
      process.exit();
    `;
    run(`const spool = open(); push(spool, 1); answer({}); process.exit();`, folder);
    const first = run<{ seqs: number[] }>(`await clock.advance(60_000); ${used}`, folder);
    const second = run<{ seqs: number[] }>(`await clock.advance(120_000); ${used}`, folder);
    assert.ok((second.seqs[0] ?? 0) > (first.seqs.at(-1) ?? 0), `${second.seqs[0]} after ${first.seqs.at(-1)}`);
  });
});

test("a write that was cut at any byte costs that record alone, which is counted", () => {
  const folder = temporaryFolder();
  run("const spool = open(); push(spool, 3); answer({}); process.exit();", folder);
  const segments = join(folder, "segments");
  const name = readdirSync(segments)[0] ?? "";
  const whole = readFileSync(join(segments, name));
  const state = readFileSync(join(folder, "state"));
  const recordBytes = HEADER_BYTES + PAYLOAD_BYTES;
  assert.equal(whole.length, 3 * recordBytes);
  for (let cut = 2 * recordBytes; cut <= whole.length; cut += 1) {
    const copy = temporaryFolder();
    const spool = new Spool({
      folder: copyOf(copy, { name, bytes: whole.subarray(0, cut), state }),
      clock: createFakeClock(),
      log: silentLog,
      ...BUDGETS,
    });
    const isTorn = cut > 2 * recordBytes && cut < whole.length;
    assert.equal(spool.read(ALL).length, cut === whole.length ? 3 : 2, `cut at ${cut}`);
    assert.equal(spool.totals().dropped, isTorn ? 1 : 0, `cut at ${cut}`);
    spool.close();
  }
});

function copyOf(folder: string, { name, bytes, state }: { name: string; bytes: Buffer; state: Buffer }): string {
  new Spool({ folder, clock: createFakeClock(), log: silentLog, ...BUDGETS }).close();
  writeFileSync(join(folder, "segments", name), bytes);
  writeFileSync(join(folder, "state"), state);
  return folder;
}
