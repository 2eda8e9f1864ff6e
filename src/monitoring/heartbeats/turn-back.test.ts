import assert from "node:assert/strict";
import { it } from "node:test";
import { HOUR, hourly, RID } from "../../../test/support/heartbeat-story.ts";
import { DAY_MS } from "../../contract/time.ts";
import type { PingKind } from "../../events.ts";
import { applyPing, createHeartbeat, standingOf, type Times } from "./heartbeat.ts";
import { createTimetable } from "./schedule.ts";
import { turnBack } from "./turn-back.ts";
import { countTime, type Day } from "./uptime.ts";

const MIDNIGHT = Date.parse("2026-03-01T00:00:00Z");
const times: Times = { expect: createTimetable(), gaps: [] };
const later = (seconds: number, days = 0): Date => new Date(MIDNIGHT + days * DAY_MS + seconds * 1000);

/** A job that was set up and reported on a clock so many days ahead, which was then set back. */
function setBack(days: number) {
  let heartbeat = createHeartbeat(hourly, { uuid: RID, now: later(0, days) });
  const past: Day[] = [];
  const ping = (at: Date, kind: PingKind): void => {
    const change = applyPing(heartbeat, { at, kind, exitCode: null, rid: null }, times);
    heartbeat = change.next;
    past.push(...change.past);
  };
  ping(later(60, days), "success");
  heartbeat = turnBack(heartbeat, { byMs: days * DAY_MS, now: later(61) }, times);
  return { now: () => heartbeat, ping, past };
}

it("days are counted at once after a clock that was far ahead is set back", () => {
  const job = setBack(40);
  assert.deepEqual(job.now().lastPingAt, later(60));
  for (let hour = 1; hour <= 47; hour += 1) job.ping(later(hour * HOUR), hour < 25 ? "fail" : "success");
  const { tally, past } = countTime(job.now().tally, standingOf(job.now()), later(0, 2), []);
  const days = [...job.past, ...past];
  assert.deepEqual(
    days.map(({ startMs, downMs, checks }) => [startMs, downMs, checks]),
    [
      [MIDNIGHT, 23 * HOUR * 1000, 23],
      [MIDNIGHT + DAY_MS, HOUR * 1000, 24],
    ],
  );
  assert.equal(tally.startMs, MIDNIGHT + 2 * DAY_MS);
  assert.deepEqual(job.now().lastPingAt, later(47 * HOUR));
});

it("what was counted of today stays", () => {
  const job = setBack(0);
  assert.equal(job.now().tally.checks, 1);
});
