import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeClock } from "../../../../test/support/fake-clock.ts";
import { createLastChecks } from "./last-checks.ts";

const everyMs = 30_000;

function open() {
  const clock = createFakeClock(new Date("2026-03-01T12:00:00Z"));
  const checks = createLastChecks(clock);
  /** Seconds since it was observed last. */
  const age = (at: Date | null): number | undefined => {
    const last = checks.lastObservedAt("endpoint 1", { at, everyMs });
    return last === null ? undefined : (clock.now().getTime() - last.getTime()) / 1000;
  };
  return { clock, age };
}

test("a check is valid until the next is overdue, and is as old as it is after that", async () => {
  const { clock, age } = open();
  assert.equal(age(null), undefined);
  const at = clock.now();
  await clock.advance(60_000);
  assert.equal(age(at), 0);
  await clock.advance(1_000);
  assert.equal(age(at), 61);
  assert.equal(age(clock.now()), 0);
});

test("the clock of the host that checks may be wrong by hours", async () => {
  const { clock, age } = open();
  const hostTime = (): Date => new Date(clock.now().getTime() - 7_200_000);
  age(hostTime());
  await clock.advance(1_000);
  const at = hostTime();
  assert.equal(age(at), 0, "it came just now");
  await clock.advance(70_000);
  assert.equal(age(at), 70);
});

test("setting our clock makes no check newer or older", async () => {
  const { clock, age } = open();
  const at = clock.now();
  assert.equal(age(at), 0);
  clock.jump(new Date(at.getTime() - 3_600_000));
  await clock.advance(70_000);
  assert.equal(age(at), 70);
});
