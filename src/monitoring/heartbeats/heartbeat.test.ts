import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HOUR, noon, OTHER, playHeartbeat as play, RID, secondsOf } from "../../../test/support/heartbeat-story.ts";
import { standingOf } from "./heartbeat.ts";

describe("a heartbeat", () => {
  it("has no deadline until the first ping", () => {
    const job = play();
    assert.deepEqual([...job.state(), job.due()], ["new", null, null]);
    assert.equal(job.wait(10 * HOUR), undefined);
  });

  it("is up after a success, and expects the next an interval later", () => {
    const job = play();
    assert.equal(job.ping(10, "success"), "success");
    assert.deepEqual([...job.state(), job.due()], ["up", null, 10 + HOUR + 300]);
    assert.equal(job.wait(10 + HOUR + 299), undefined);
  });

  it("is down when the deadline is over, once", () => {
    const job = play();
    job.ping(0, "success");
    assert.equal(job.wait(HOUR + 300), "missed");
    assert.deepEqual([...job.state(), job.due()], ["down", "deadline", null]);
    assert.equal(job.wait(HOUR + 301), undefined);
    assert.equal(job.now().tally.incidents, 1);
    assert.deepEqual(job.now().recentOutcomes, ["success", "missed"]);
  });

  it("is up again after a success, and what was wrong is over", () => {
    const job = play();
    job.ping(0, "success");
    job.wait(HOUR + 300);
    job.ping(2 * HOUR, "success");
    assert.deepEqual([...job.state(), job.now().failingSince, job.due()], ["up", null, null, 3 * HOUR + 300]);
  });

  it("is started by a start, which is a sign of life: the deadline is renewed", () => {
    const job = play();
    job.ping(0, "success");
    assert.equal(job.ping(HOUR, "start"), "running");
    assert.deepEqual([...job.state(), job.due()], ["started", null, 2 * HOUR + 300]);
  });

  it("knows how long a run took", () => {
    const job = play();
    job.ping(0, "start");
    assert.equal(job.ping(90, 0), null);
    assert.deepEqual(job.ended, [
      { rid: null, startedAt: noon, endedAt: new Date(noon.getTime() + 90_000), outcome: "success", exitCode: 0 },
    ]);
    assert.deepEqual([...job.state(), job.now().lastDurationMs, job.now().lastExitCode], ["up", null, 90_000, 0]);
  });

  for (const [what, reason] of [
    [7, "exit_code"],
    ["fail", "fail"],
  ] as const) {
    it(`is down at once after ${what}, with the reason ${reason}`, () => {
      const job = play();
      job.ping(0, "start");
      job.ping(5, what);
      assert.deepEqual([...job.state(), job.due()], ["down", reason, null]);
      assert.equal(job.ended[0]?.outcome, "failure");
    });
  }

  it("stays wrong while the next run is under way, until that succeeds", () => {
    const job = play();
    job.ping(0, 1);
    job.ping(60, "start");
    assert.deepEqual(job.state(), ["started", "exit_code"]);
    assert.equal(standingOf(job.now()), "down");
    job.ping(90, "success");
    assert.deepEqual([...job.state(), job.now().tally.incidents], ["up", null, 1]);
  });

  it("counts one incident however often it fails again", () => {
    const job = play();
    job.ping(0, 1);
    job.ping(60, "fail");
    job.ping(90, "start");
    assert.equal(job.wait(90 + HOUR + 300), "missed");
    assert.deepEqual([...job.state(), secondsOf(job.now().failingSince)], ["down", "deadline", 0]);
    assert.equal(job.now().tally.incidents, 1);
  });

  it("takes a log for nothing but a log", () => {
    const job = play();
    assert.equal(job.ping(5, "log"), null);
    assert.deepEqual([...job.state(), secondsOf(job.now().lastPingAt)], ["new", null, 5]);
    job.ping(10, "success");
    job.ping(20, "log");
    assert.deepEqual([job.due(), job.now().tally.checks], [10 + HOUR + 300, 1]);
  });

  it("gives up a run when another one starts", () => {
    const job = play();
    job.ping(0, "start");
    job.ping(HOUR, "start");
    assert.deepEqual(
      job.ended.map(({ outcome }) => outcome),
      ["timeout"],
    );
    assert.deepEqual([...job.state(), job.now().runs.length], ["started", null, 1]);
    assert.equal(job.due(), HOUR + 300, "and is late unless this one ends");
  });

  it("distinguishes overlapping runs by their rids", () => {
    const job = play();
    job.ping(0, "start", RID);
    job.ping(10, "start", OTHER);
    job.ping(30, 0, RID);
    assert.deepEqual([...job.state(), job.now().lastDurationMs], ["started", null, 30_000]);
    job.ping(50, 0, OTHER);
    assert.deepEqual([...job.state(), job.now().lastDurationMs], ["up", null, 40_000]);
  });

  it("counts an end without a known start as a separate run", () => {
    const job = play();
    job.ping(0, "start", RID);
    assert.equal(job.ping(10, 3, OTHER), "failure");
    assert.equal(job.ping(20, "success"), "success");
    assert.deepEqual([...job.state(), job.now().runs.length, job.now().lastDurationMs], ["started", null, 1, null]);
  });
});

describe("the max runtime", () => {
  it("is over: the run ended then, and the heartbeat is down with the reason timeout", () => {
    const job = play({ maxRuntimeSeconds: 60 });
    job.ping(0, "start");
    assert.equal(job.due(), 60);
    assert.equal(job.wait(61), "timed_out");
    assert.deepEqual(job.state(), ["down", "timeout"]);
    assert.deepEqual(
      job.ended.map(({ endedAt, outcome }) => [secondsOf(endedAt), outcome]),
      [[60, "timeout"]],
    );
  });

  it("is not over: a run under way is not late, however long the schedule says", () => {
    const job = play({ maxRuntimeSeconds: 5 * HOUR });
    job.ping(0, "start");
    assert.deepEqual([job.deadline(), job.due()], [5 * HOUR, 5 * HOUR]);
    assert.equal(job.wait(3 * HOUR), undefined);
    assert.equal(job.wait(5 * HOUR), "timed_out");
  });

  it("without one a run that never ends is late with the next", () => {
    const job = play();
    job.ping(0, "start");
    assert.equal(job.wait(HOUR + 300), "missed");
    assert.deepEqual([...job.state(), job.now().runs.length], ["down", "deadline", 1]);
    job.ping(2 * HOUR, "success");
    assert.deepEqual([...job.state(), job.now().lastDurationMs], ["up", null, 2 * HOUR * 1000]);
  });

  it("without one a job that starts every time and never ends is late with the second start", () => {
    const job = play({ schedule: { kind: "cron", cron: "0 12 * * *", timezone: "UTC" } });
    const day = 24 * HOUR;
    job.ping(2, "start");
    job.ping(day + 2, "start");
    assert.deepEqual([...job.state(), job.due()], ["started", null, day + 300]);
    assert.equal(job.wait(day + 300), "missed");
    assert.deepEqual([...job.state(), job.now().recentOutcomes], ["down", "deadline", ["timeout", "missed"]]);
    job.ping(2 * day + 2, "start");
    assert.deepEqual([...job.state(), job.due()], ["started", "deadline", 3 * day + 300]);
    job.ping(2 * day + HOUR, "success");
    assert.deepEqual([...job.state(), job.due()], ["up", null, 3 * day + 300]);
  });

  it("longer than the interval, runs that give each other up move the deadline no further than the first is allowed", () => {
    const job = play({ maxRuntimeSeconds: 3 * HOUR });
    for (const hour of [0, 1, 2]) job.ping(hour * HOUR, "start");
    assert.deepEqual([job.deadline(), job.due()], [3 * HOUR, 3 * HOUR]);
    assert.equal(job.wait(3 * HOUR), "missed");
  });

  it("without one a run with a rid is forgotten after a day, without blame", () => {
    const job = play({ schedule: { kind: "interval", intervalSeconds: 7 * 24 * HOUR, timezone: "UTC" } });
    job.ping(0, "start", RID);
    assert.equal(job.wait(24 * HOUR), "timed_out");
    assert.deepEqual([...job.state(), job.now().runs.length], ["new", null, 0]);
    job.ping(30 * HOUR, "success");
    job.ping(31 * HOUR, "start", RID);
    job.wait(55 * HOUR);
    assert.deepEqual([...job.state(), job.now().runs.length], ["up", null, 0]);
  });

  it("that a run is forgotten makes nothing well that failed before it", () => {
    const job = play({ schedule: { kind: "interval", intervalSeconds: 7 * 24 * HOUR, timezone: "UTC" } });
    job.ping(0, 1);
    job.ping(30 * HOUR, "start", RID);
    assert.deepEqual(job.state(), ["started", "exit_code"]);
    job.wait(54 * HOUR);
    assert.deepEqual([...job.state(), job.now().runs.length], ["down", "exit_code", 0]);
  });
});

describe("paused", () => {
  it("is judged by nothing, and nothing is wrong with it", () => {
    const job = play();
    job.ping(0, 1);
    job.pause(10);
    assert.deepEqual([...job.state(), job.now().failingSince, job.due()], ["paused", null, null, null]);
    assert.equal(job.wait(100 * HOUR), undefined);
  });

  it("pings are noted, and it stays paused", () => {
    const job = play({ maxRuntimeSeconds: 60 });
    job.pause(0);
    job.ping(10, "start");
    job.ping(20, 1);
    job.ping(30, "start");
    assert.deepEqual([...job.state(), job.due(), job.now().lastExitCode], ["paused", null, null, 1]);
    assert.deepEqual(job.now().recentOutcomes, ["failure"]);
  });

  it("resumed has a fresh deadline", () => {
    const job = play();
    job.ping(0, "success");
    job.pause(60);
    job.resume(10 * HOUR);
    assert.deepEqual([...job.state(), job.due()], ["up", null, 11 * HOUR + 300]);
  });

  it("resumed is new when it never ran, and started when a run is under way", () => {
    const idle = play();
    idle.pause(0);
    idle.resume(10);
    assert.deepEqual([...idle.state(), idle.due()], ["new", null, null]);
    const busy = play();
    busy.ping(0, "start");
    busy.pause(5);
    busy.resume(10);
    assert.deepEqual([...busy.state(), busy.due()], ["started", null, 10 + HOUR + 300]);
  });

  it("resumed does not blame a run for what lasted too long meanwhile", () => {
    const job = play({ maxRuntimeSeconds: 60 });
    job.ping(0, "start");
    job.pause(5);
    job.resume(HOUR);
    assert.deepEqual([...job.state(), job.due(), job.now().recentOutcomes], ["new", null, 2 * HOUR + 300, ["timeout"]]);
  });

  it("resumed is not well because it was paused while it failed: it is new, with a fresh deadline", () => {
    const job = play();
    job.ping(0, 1);
    job.pause(60);
    job.resume(120);
    assert.deepEqual([...job.state(), standingOf(job.now()), job.due()], ["new", null, "unknown", 120 + HOUR + 300]);
    assert.equal(job.wait(120 + HOUR + 300), "missed");
    assert.deepEqual(job.state(), ["down", "deadline"]);
    job.pause(2 * HOUR);
    job.resume(2 * HOUR + 1);
    job.ping(2 * HOUR + 2, "success");
    assert.deepEqual(job.state(), ["up", null]);
  });
});

describe("edited", () => {
  it("a new schedule means a fresh deadline, so that nobody is late by a rule that was not there", () => {
    const job = play({ schedule: { kind: "interval", intervalSeconds: 24 * HOUR, timezone: "UTC" } });
    job.ping(0, "success");
    job.edit(5 * HOUR, { schedule: { kind: "interval", intervalSeconds: HOUR, timezone: "UTC" } });
    assert.deepEqual([...job.state(), job.due()], ["up", null, 6 * HOUR + 300]);
  });

  it("another grace counts from the time it was expected anyway", () => {
    const job = play();
    job.ping(0, "success");
    job.edit(60, { graceSeconds: 10 });
    assert.equal(job.due(), HOUR + 10);
  });

  it("another name changes nothing else, and what is down stays down", () => {
    const job = play();
    job.ping(0, 1);
    job.edit(60, { name: "other", schedule: { kind: "cron", cron: "0 3 * * *", timezone: "UTC" } });
    assert.deepEqual([...job.state(), job.due(), job.now().name], ["down", "exit_code", null, "other"]);
  });
});

describe("while no ping can be taken", () => {
  it("nobody gets later: the deadline moves by that time, and not a second more", () => {
    const job = play();
    job.ping(0, "success");
    job.away(HOUR, 3 * HOUR);
    assert.equal(job.due(), 3 * HOUR + 300);
    job.away(3 * HOUR + 10, 3 * HOUR + 70);
    assert.equal(job.due(), 3 * HOUR + 360);
    const strict = play({ graceSeconds: 0 });
    strict.ping(0, "success");
    strict.away(HOUR - 5, HOUR + 5);
    assert.equal(strict.due(), HOUR + 10);
  });

  it("does not matter to who was late before", () => {
    const job = play();
    job.ping(0, "success");
    job.away(HOUR + 300, 3 * HOUR);
    assert.equal(job.due(), HOUR + 300);
    assert.equal(job.wait(3 * HOUR), "missed");
  });

  it("then he is judged by what arrived", () => {
    const [silent, alive] = [play(), play()];
    for (const job of [silent, alive]) {
      job.ping(0, "success");
      job.away(HOUR, 3 * HOUR);
    }
    alive.ping(3 * HOUR + 10, "success");
    assert.equal(alive.wait(3 * HOUR + 300), undefined);
    assert.equal(silent.wait(3 * HOUR + 300), "missed");
  });

  it("does not matter to what happened since", () => {
    const quick = play({ maxRuntimeSeconds: 5 });
    quick.away(0, 60);
    quick.ping(70, "start");
    assert.equal(quick.due(), 75);
  });

  it("a run that began before is not given up because of one that began since", () => {
    const job = play({ maxRuntimeSeconds: 5 });
    job.ping(0, "start", RID);
    job.away(1, 69);
    job.ping(69, "start", OTHER);
    assert.equal(job.wait(73), "timed_out");
    assert.deepEqual(
      job.now().runs.map(({ rid }) => rid),
      [OTHER],
    );
    assert.equal(job.due(), 74);
  });
});
