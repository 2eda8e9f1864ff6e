import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createFakeClock, type FakeClock } from "../../../../test/support/fake-clock.ts";
import { fc } from "../../../../test/support/seed.ts";
import { silentLog } from "../../../platform/log.ts";
import { Spool, type SpoolBudgets } from "./index.ts";

/** What the spool should hold: everything that was pushed, acknowledged and lost, in memory. */
interface Model {
  /** That may still be there, the oldest first. */
  waiting: { seq: number; observedAtMs: number; bytes: number }[];
  /** That were given out, of those. */
  given: number[];
  lastSeq: number;
  pushed: number;
  acknowledged: number;
  /** In memory at a crash. */
  lost: number;
}

interface Real {
  spool: Spool;
  folder: string;
  clock: FakeClock;
  budgets: SpoolBudgets;
}

const HEADER_BYTES = 26;
const AGE_MS = 1000;

/** Everything that was pushed is somewhere, exactly once. */
function check(model: Model, { spool, budgets }: Real): void {
  const { queued, dropped, bytes } = spool.totals();
  assert.equal(queued + dropped + model.acknowledged + model.lost, model.pushed, "nothing vanishes or appears");
  assert.ok(bytes <= budgets.maxMemoryBytes + budgets.maxDiskBytes, `${bytes} bytes are beyond the budgets`);
}

/** What is left, of which the oldest may have been dropped, must be an unbroken end of what the model knows. */
function forgetDropped(model: Model, { spool }: Real): void {
  const { queued } = spool.totals();
  assert.ok(queued <= model.waiting.length);
  model.waiting.splice(0, model.waiting.length - queued);
  const [oldest] = model.waiting;
  model.given = model.given.filter((seq) => seq >= (oldest?.seq ?? Infinity));
}

type Step = fc.Command<Model, Real>;

class Push implements Step {
  readonly sizes: number[];
  constructor(sizes: number[]) {
    this.sizes = sizes;
  }
  check = (): boolean => true;
  run(model: Model, real: Real): void {
    for (const bytes of this.sizes) {
      const seq = real.spool.nextSeq();
      assert.ok(seq > model.lastSeq, "numbers rise");
      const observedAtMs = real.clock.now().getTime();
      real.spool.push({ seq, observedAtMs, payload: Buffer.alloc(bytes, seq % 251) });
      model.lastSeq = seq;
      model.pushed += 1;
      model.waiting.push({ seq, observedAtMs, bytes: bytes + HEADER_BYTES });
      forgetDropped(model, real);
    }
    check(model, real);
  }
  toString = (): string => `push(${this.sizes.join()})`;
}

class Read implements Step {
  readonly most: number;
  constructor(most: number) {
    this.most = most;
  }
  check = (): boolean => true;
  run(model: Model, real: Real): void {
    const found = real.spool.read({ records: this.most, bytes: 2000 });
    const oldestMs = real.clock.now().getTime() - AGE_MS;
    const from = model.given.at(-1) ?? -Infinity;
    const expected = model.waiting.filter(({ seq, observedAtMs }) => seq > from && observedAtMs >= oldestMs);
    assert.deepEqual(
      found.map(({ seq }) => seq),
      expected.slice(0, found.length).map(({ seq }) => seq),
    );
    assert.ok(found.length > 0 || expected.length === 0 || this.most === 0);
    for (const { seq, payload } of found) assert.ok(payload.every((byte) => byte === seq % 251));
    model.given.push(...found.map(({ seq }) => seq));
    // Of those that were too old, some are given up at once.
    const { queued } = real.spool.totals();
    for (let gone = model.waiting.length - queued; gone > 0; gone -= 1) {
      const [oldest] = model.waiting.splice(0, 1);
      assert.ok((oldest?.observedAtMs ?? Infinity) < oldestMs);
    }
    check(model, real);
  }
  toString = (): string => `read(${this.most})`;
}

class Acknowledge implements Step {
  readonly share: number;
  constructor(share: number) {
    this.share = share;
  }
  check = (model: Readonly<Model>): boolean => model.given.length > 0;
  run(model: Model, real: Real): void {
    const index = Math.min(Math.floor(model.given.length * this.share), model.given.length - 1);
    const upTo = model.given[index] ?? 0;
    const before = real.spool.totals();
    real.spool.acknowledge(upTo);
    const after = real.spool.totals();
    const gone = before.queued - after.queued;
    const tooOld = after.dropped - before.dropped;
    assert.ok(gone - tooOld === index + 1 && tooOld >= 0);
    model.acknowledged += index + 1;
    model.given.splice(0, index + 1);
    model.waiting.splice(0, gone);
    check(model, real);
  }
  toString = (): string => `acknowledge(${this.share})`;
}

class Rewind implements Step {
  check = (): boolean => true;
  run(model: Model, { spool }: Real): void {
    spool.rewind();
    model.given = [];
  }
  toString = (): string => "rewind";
}

class Pass implements Step {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
  check = (): boolean => true;
  run(model: Model, real: Real): void {
    real.clock.jump(new Date(real.clock.now().getTime() + this.ms));
    const before = real.spool.totals().queued;
    real.spool.settle();
    const oldestMs = real.clock.now().getTime() - AGE_MS;
    const gone = model.waiting.slice(0, before - real.spool.totals().queued);
    assert.ok(
      gone.every(({ observedAtMs }) => observedAtMs < oldestMs),
      "only what is too old",
    );
    forgetDropped(model, real);
    check(model, real);
  }
  toString = (): string => `pass(${this.ms})`;
}

class Restart implements Step {
  readonly crash: boolean;
  constructor(crash: boolean) {
    this.crash = crash;
  }
  check = (): boolean => true;
  run(model: Model, real: Real): void {
    if (!this.crash) real.spool.close();
    const before = real.spool.totals();
    real.spool = new Spool({ folder: real.folder, clock: real.clock, log: silentLog, ...real.budgets });
    const after = real.spool.totals();
    model.given = [];
    if (this.crash) {
      // Memory is gone: the newest. What was on the disk is there.
      const memory = memoryOf(model, real.budgets, before.queued - after.queued);
      model.lost += memory;
      model.waiting.splice(model.waiting.length - memory, memory);
      assert.equal(after.dropped, before.dropped);
    } else forgetDropped(model, real);
    check(model, real);
  }
  toString = (): string => (this.crash ? "crash" : "restart");
}

/** No more than fits into memory may be lost by a crash. */
function memoryOf(model: Model, { maxMemoryBytes }: SpoolBudgets, lost: number): number {
  const bytes = model.waiting.slice(model.waiting.length - lost).reduce((sum, each) => sum + each.bytes, 0);
  assert.ok(lost >= 0 && bytes <= maxMemoryBytes, `${lost} events with ${bytes} bytes were lost`);
  return lost;
}

test("whatever happens in whatever order, the spool holds what the model holds", () => {
  const steps = [
    fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 30 }).map((sizes) => new Push(sizes)),
    fc.integer({ min: 1, max: 40 }).map((most) => new Read(most)),
    fc.double({ min: 0, max: 1, noNaN: true }).map((share) => new Acknowledge(share)),
    fc.constant(new Rewind()),
    fc.integer({ min: 0, max: 600 }).map((ms) => new Pass(ms)),
    fc.boolean().map((crash) => new Restart(crash)),
  ];
  const budgets = fc.record({
    maxMemoryBytes: fc.constantFrom(0, 1000, 5000),
    maxDiskBytes: fc.constantFrom(0, 4000, 20_000),
    maxAgeMs: fc.constant(AGE_MS),
  });
  fc.assert(
    fc.property(budgets, fc.commands(steps, { maxCommands: 60 }), (limits, commands) => {
      const folder = mkdtempSync(join(tmpdir(), "binnacle-spool-"));
      try {
        fc.modelRun(() => {
          const clock = createFakeClock();
          const spool = new Spool({ folder, clock, log: silentLog, ...limits });
          return {
            model: { waiting: [], given: [], lastSeq: 0, pushed: 0, acknowledged: 0, lost: 0 },
            real: { spool, folder, clock, budgets: limits },
          };
        }, commands);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }),
    { numRuns: 150 },
  );
});
