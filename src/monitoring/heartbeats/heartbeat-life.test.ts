import assert from "node:assert/strict";
import { it } from "node:test";
import { HOUR, hourly, OTHER, playHeartbeat as play, RID } from "../../../test/support/heartbeat-story.ts";
import { fc } from "../../../test/support/seed.ts";
import type { PingKind } from "../../events.ts";
import { applyDeadline, applyPing, createHeartbeat, type Heartbeat, type Settings, type Times } from "./heartbeat.ts";
import { createTimetable } from "./schedule.ts";

it("lives through a leap day and both changes of clocks without a false alarm, and is late when a night is left out", () => {
  const expect = createTimetable();
  const times: Times = { expect, gaps: [] };
  const settings: Settings = {
    ...hourly,
    schedule: { kind: "cron", cron: "30 2 * * *", timezone: "Europe/Berlin" },
    maxRuntimeSeconds: HOUR,
  };
  let heartbeat = createHeartbeat(settings, { uuid: RID, now: new Date("2027-12-31T12:00:00Z") });
  const ping = (at: Date, kind: PingKind): void => {
    heartbeat = applyPing(heartbeat, { at, kind, exitCode: null, rid: null }, times).next;
  };
  ping(new Date("2027-12-31T12:00:00Z"), "success");
  const nights: string[] = [];
  for (let at = heartbeat.expectedAt; at !== null && at < new Date("2028-12-31T12:00:00Z"); at = heartbeat.expectedAt) {
    nights.push(at.toISOString());
    // A few seconds late, ten minutes long; then we look a minute before the deadline.
    ping(new Date(at.getTime() + 7000), "start");
    ping(new Date(at.getTime() + 600_000), "success");
    assert.equal(heartbeat.status, "up");
    assert.equal(applyDeadline(heartbeat, new Date((heartbeat.dueAt?.getTime() ?? 0) - 60_000), times), undefined);
  }
  assert.equal(nights.length, 366);
  assert.deepEqual(
    nights.filter((at) => /-02-29|-03-2[56]|-10-(28|29|30)/.test(at)).map((at) => at.slice(5, 16)),
    ["02-29T01:30", "03-25T01:30", "03-26T01:00", "10-28T00:30", "10-29T00:30", "10-30T01:30"],
  );
  const late = applyDeadline(heartbeat, new Date("2028-12-31T01:35:00Z"), times);
  assert.equal(late, undefined);
  assert.equal(applyDeadline(heartbeat, new Date("2029-01-01T01:35:00Z"), times)?.what, "missed");
});

it("whatever happens, its state stays consistent", () => {
  const rid = fc.constantFrom(null, RID, OTHER);
  const step = fc.oneof(
    fc.tuple(fc.constantFrom<PingKind | number>("success", "start", "fail", "log", 0, 1), rid),
    fc.constantFrom("wait", "pause", "resume", "edit", "restart"),
  );
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 * HOUR }), step), { maxLength: 40 });
  const maxRuntimeSeconds = fc.constantFrom(null, 30, 3 * HOUR);
  fc.assert(
    fc.property(maxRuntimeSeconds, steps, (max, all) => {
      const job = play({ maxRuntimeSeconds: max });
      let at = 0;
      let started = 0;
      for (const [pause, what] of all) {
        at += pause;
        if (Array.isArray(what)) started += Number(job.ping(at, what[0], what[1]) === "running");
        else if (what === "wait") job.wait(at);
        else if (what === "edit") job.edit(at, { graceSeconds: (at % 3) * 60 });
        else if (what === "restart") job.away(at - pause / 2, at);
        else if (what === "pause" || job.now().status === "paused") job[what](at);
        holds(job.now());
        assert.equal(started, job.ended.length + job.now().runs.length, "every run that began is under way or over");
      }
    }),
  );

  function holds(now: Heartbeat): void {
    assert.equal(now.reason === null, now.failingSince === null);
    assert.equal(new Set(now.runs.map((run) => run.rid)).size, now.runs.length, "no rid twice");
    if (now.status === "paused" || now.status === "new") assert.equal(now.reason, null);
    if (now.status === "paused" || (now.status === "new" && now.recentOutcomes.length === 0)) assert.equal(now.dueAt, null);
    if (now.status === "up") assert.deepEqual([now.reason, now.runs.length], [null, 0]);
    if (now.status === "started") assert.ok(now.runs.length > 0);
    if (now.status === "down") assert.notEqual(now.reason, null);
    const isExpected = now.status === "up" || now.status === "started" || (now.status === "new" && now.recentOutcomes.length > 0);
    if (isExpected) assert.ok(now.deadlineAt !== null, "who is expected has a deadline");
    assert.ok(now.deadlineAt === null || (now.dueAt !== null && now.dueAt <= now.deadlineAt));
    assert.ok(now.tally.downMs <= now.tally.countedMs);
  }
});
