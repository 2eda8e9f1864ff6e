import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeClock } from "../../../../test/support/fake-clock.ts";
import { CountedTime } from "./counted-time.ts";

function countedFrom(now: string) {
  const clock = createFakeClock(new Date(now));
  const spans: number[] = [];
  const time = new CountedTime({ clock, projection: { count: ({ fromMs, untilMs }) => void spans.push(untilMs - fromMs) } });
  return { clock, spans, time };
}

test("counts what passes from the start on, and nothing twice", async () => {
  const { clock, spans, time } = countedFrom("2026-03-01T12:00:00Z");
  time.count();
  assert.deepEqual(spans, []);
  time.start();
  await clock.advance(1000);
  time.count();
  time.count();
  await clock.advance(15_000);
  time.count();
  assert.deepEqual(spans, [1000, 15_000]);
});

test("counts nothing of a sleep, nor when the clock was set back", async () => {
  const { clock, spans, time } = countedFrom("2026-03-01T12:00:00Z");
  time.start();
  await clock.advance(15_001);
  time.count();
  clock.jump(new Date("2026-03-01T11:00:00Z"));
  time.count();
  await clock.advance(1000);
  time.count();
  assert.deepEqual(spans, [1000]);
});

test("a new day is noted once, and said to be so far away", async () => {
  const { clock, time } = countedFrom("2026-03-01T23:59:59Z");
  time.start();
  assert.deepEqual([time.isNewDay(), time.untilMidnightMs()], [false, 1000]);
  await clock.advance(1000);
  time.count();
  assert.deepEqual([time.isNewDay(), time.isNewDay(), time.untilMidnightMs()], [true, false, 86_400_000]);
});
