import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { HeartbeatRecord } from "../../../../../src/monitoring/heartbeats/answers.ts";
import { formatLocal } from "../../../format/time.ts";
import { heartbeatRecord } from "../../../entities/heartbeats/record.fixture.ts";
import { headline, missedTime } from "./headline.ts";

const NOON = Date.parse("2026-03-01T12:00:00.000Z");
const at = (time: string): string => `2026-03-01T${time}.000Z`;
const local = (time: string): string => formatLocal(at(time), NOON, "minute");
const words = (changes: Partial<HeartbeatRecord>): string => {
  const { what, detail } = headline(heartbeatRecord(changes), NOON);
  return `${what} ${detail}`.trim();
};

describe("headline", () => {
  it("says when the next ping is expected, and that it is awaited", () => {
    assert.equal(words({}), `Reported 2 min ago. The next ping is expected at ${local("12:03:00")}, grace 1 min.`);
    assert.equal(
      words({ next_expected_at: at("11:59:30"), next_deadline_at: at("12:00:30") }),
      `Reported 2 min ago. Expected at ${local("11:59:30")} and not received yet: late after ${local("12:00:30")}.`,
    );
  });

  it("says what a new one waits for, and that one which failed before a pause has not succeeded since", () => {
    assert.match(words({ status: "new", next_expected_at: null, last_ping_at: null }), /^No ping received yet\./);
    assert.equal(
      words({ status: "new" }),
      `No success known since the last failure. The next ping is expected at ${local("12:03:00")}, grace 1 min.`,
    );
  });

  it("says since when it is late, and when it was expected", () => {
    const late = { status: "down", reason: "deadline", failing_since: at("11:50:01"), status_changed_at: at("11:50:01") } as const;
    const expected = `Late since ${local("11:50:01")}: expected at ${local("11:49:00")}, grace 1 min. Last ping 16 min ago.`;
    assert.equal(words({ ...late, last_ping_at: at("11:44:00") }), expected);
    assert.equal(words({ ...late, schedule: "cron", cron: "49 * * * *", interval_seconds: null, last_ping_at: at("11:44:00") }), expected);
  });

  it("says why its last run failed", () => {
    const failed = { status: "down", failing_since: at("11:50:00"), last_ping_at: at("11:50:00") } as const;
    assert.equal(
      words({ ...failed, reason: "exit_code", last_exit_code: 137 }),
      `Failing since ${local("11:50:00")}: last run failed with exit code 137, killed (SIGKILL). Last ping 10 min ago.`,
    );
    assert.match(words({ ...failed, reason: "timeout", max_runtime_seconds: 600 }), /a run took longer than 10 min\./);
    assert.match(words({ ...failed, reason: "fail" }), /the job reported a failure\./);
  });

  it("says how long a run has been under way, and what is still wrong", () => {
    const started = { status: "started", current_run_started_at: at("11:56:00"), open_runs: 1, max_runtime_seconds: 600 } as const;
    assert.equal(words(started), "Run in progress for 4 min, at most 10 min.");
    assert.equal(
      words({ ...started, reason: "exit_code", last_exit_code: 3, failing_since: at("11:50:00") }),
      `Run in progress for 4 min, at most 10 min. Failing since ${local("11:50:00")}: last run failed with exit code 3. The next success resolves this.`,
    );
    assert.match(words({ ...started, open_runs: 2 }), /^2 runs in progress, the oldest for 4 min/);
  });
});

describe("missedTime", () => {
  it("does not guess when the server was away at the deadline", () => {
    const late = { status: "down", reason: "deadline", status_changed_at: at("11:50:30") } as const;
    assert.equal(missedTime(heartbeatRecord({ ...late, cron: "0 3 * * *", interval_seconds: null })), undefined);
    assert.equal(missedTime(heartbeatRecord({ ...late, last_ping_at: at("11:40:00") })), undefined);
    assert.equal(missedTime(heartbeatRecord({ ...late, last_ping_at: null })), undefined);
  });
});
