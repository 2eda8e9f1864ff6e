import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY_MS } from "../../contract/time.ts";
import { failure, success } from "../../../test/support/endpoints.ts";
import { fc } from "../../../test/support/seed.ts";
import type { EndpointStatus } from "../../events.ts";
import type { CheckResult } from "../../observations.ts";
import { toCheck } from "./checks/head.ts";
import { applyCheck, type CheckChange, type EndpointState, mustBeSaved, notChecked, repeats, suspend } from "./endpoint.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const at = (second: number): Date => new Date(NOON.getTime() + second * 1000);
const thresholds = { failureThreshold: 3, recoveryThreshold: 2 };
const noNetwork: CheckResult = { ...failure, observed: false, error: "This host has no network." };
const trustedFor = (days: number): CheckResult => ({
  ...success,
  certificate: { trusted: true, expiresAt: new Date(NOON.getTime() + days * DAY_MS) },
});
const untrusted: CheckResult = { ...success, certificate: { trusted: false, expiresAt: null } };

/** The states after each of these results, one a second. */
function run(results: readonly CheckResult[], from: EndpointState = notChecked(NOON)): { state: EndpointState; change: CheckChange }[] {
  const steps: { state: EndpointState; change: CheckChange }[] = [];
  let state = from;
  for (const [index, result] of results.entries()) {
    const { next, change } = applyCheck(state, toCheck(result, at(index + 1)), thresholds, result.certificate);
    steps.push({ state: next, change });
    state = next;
  }
  return steps;
}

describe("what a check makes of an endpoint", () => {
  const [ok, no, away] = [success, failure, noNetwork];
  const cases: [what: string, results: CheckResult[], statuses: EndpointStatus[], changes: CheckChange[]][] = [
    ["a first success is believed at once", [ok], ["up"], ["status"]],
    ["a first failure is not", [no], ["unknown"], [undefined]],
    [
      "down at the threshold, and published once",
      [ok, no, no, no, no],
      ["up", "up", "up", "down", "down"],
      ["status", undefined, undefined, "alert", undefined],
    ],
    ["down at the threshold when it was never up", [no, no, no], ["unknown", "unknown", "down"], [undefined, undefined, "alert"]],
    [
      "a success between starts the count over",
      [ok, no, no, ok, no, no],
      ["up", "up", "up", "up", "up", "up"],
      ["status", undefined, undefined, undefined, undefined, undefined],
    ],
    [
      "up again at the recovery threshold",
      [no, no, no, ok, ok],
      ["unknown", "unknown", "down", "down", "up"],
      [undefined, undefined, "alert", undefined, "recovery"],
    ],
    [
      "a failure between starts the recovery over",
      [no, no, no, ok, no, ok, ok],
      ["unknown", "unknown", "down", "down", "down", "down", "up"],
      [undefined, undefined, "alert", undefined, undefined, undefined, "recovery"],
    ],
    [
      "what was not observed counts neither way",
      [ok, no, away, no, away, no],
      ["up", "up", "up", "up", "up", "down"],
      ["status", undefined, undefined, undefined, undefined, "alert"],
    ],
    ["an untrusted certificate is trouble", [untrusted, untrusted, ok], ["degraded", "degraded", "up"], ["status", undefined, "status"]],
    ["so is one that is over within a week", [trustedFor(8), trustedFor(6.9)], ["up", "degraded"], ["status", "status"]],
    [
      "an untrusted one fails and recovers to degraded",
      [untrusted, no, no, no, untrusted, untrusted],
      ["degraded", "degraded", "degraded", "down", "down", "degraded"],
      ["status", undefined, undefined, "alert", undefined, "recovery"],
    ],
  ];
  for (const [what, results, statuses, changes] of cases) {
    it(what, () => {
      const steps = run(results);
      assert.deepEqual(
        steps.map(({ state }) => state.status),
        statuses,
      );
      assert.deepEqual(
        steps.map(({ change }) => change),
        changes,
      );
    });
  }

  it("remembers when it was observed last", () => {
    const state = run([ok, away, away]).at(-1)?.state;
    assert.partialDeepStrictEqual(state, {
      status: "up",
      lastCheckAt: at(3),
      lastObservedAt: at(1),
      lastError: "This host has no network.",
    });
  });

  it("remembers since when it fails, and since when it is down", () => {
    const down = run([ok, no, no, no, no]).at(-1)?.state;
    assert.partialDeepStrictEqual(down, {
      alerting: true,
      statusSince: at(4),
      failingSince: at(2),
      consecutiveFailures: 4,
      consecutiveSuccesses: 0,
      lastCheckAt: at(5),
      lastObservedAt: at(5),
      lastHttpStatus: 503,
      lastFailureClass: "http",
      lastError: "The answer was 503, not 2xx.",
    });
    const up = run([ok, ok], down).at(-1)?.state;
    assert.partialDeepStrictEqual(up, {
      alerting: false,
      failingSince: null,
      lastError: null,
      lastFailureClass: null,
      consecutiveSuccesses: 2,
    });
  });

  it("keeps the certificate that was seen when a failure saw none", () => {
    const state = run([trustedFor(90), { ...failure, certificate: null }]).at(-1)?.state;
    assert.equal(state?.certificate?.trusted, true);
  });

  it("makes one that nobody checks unknown, and starts over", () => {
    const down = run([no, no, no]).at(-1)?.state ?? notChecked(NOON);
    const resting = suspend(down, at(60));
    assert.partialDeepStrictEqual(resting, {
      status: "unknown",
      statusSince: at(60),
      alerting: false,
      consecutiveFailures: 0,
      failingSince: null,
    });
    assert.equal(resting.lastError, down.lastError);
    assert.deepEqual(suspend(resting, at(90)), resting);
  });
});

const anyResult = fc.constantFrom(success, failure, noNetwork, untrusted, trustedFor(3), trustedFor(300));

describe("any sequence of checks", () => {
  it("alerts exactly from down to recovery, with runs as long as the thresholds", () => {
    fc.assert(
      fc.property(fc.array(anyResult, { maxLength: 60 }), (results) => {
        let previous = notChecked(NOON);
        let alerting = false;
        for (const { state, change } of run(results)) {
          if (change === "alert") alerting = true;
          if (change === "recovery") alerting = false;
          assert.equal(state.alerting, alerting);
          assert.equal(state.status === "down", alerting);
          if (change === "alert") assert.equal(state.consecutiveFailures, 3);
          if (change === "recovery") assert.equal(state.consecutiveSuccesses, 2);
          assert.equal(change === undefined, state.status === previous.status);
          assert.ok(state.consecutiveFailures === 0 || state.consecutiveSuccesses === 0);
          previous = state;
        }
      }),
    );
  });

  it("is brought back by the checks alone from the last state that had to be saved", () => {
    fc.assert(
      fc.property(fc.array(anyResult, { maxLength: 60 }), (results) => {
        let live = notChecked(NOON);
        let kept = live;
        for (const [index, result] of results.entries()) {
          const check = toCheck(result, at(index + 1));
          const { next } = applyCheck(live, check, thresholds, result.certificate);
          kept = mustBeSaved(live, next) ? next : applyCheck(kept, check, thresholds, undefined).next;
          live = next;
          assert.deepEqual(kept, live);
        }
      }),
    );
  });

  it("has checks that only repeat it, which change nothing when they are applied later, together", () => {
    let waited = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(anyResult, fc.integer({ min: 1, max: 6 })), { maxLength: 12 }), (runs) => {
        const results = runs.flatMap(([result, times]) => Array<CheckResult>(times).fill(result));
        let live = notChecked(NOON);
        let known = live;
        for (const [index, result] of results.entries()) {
          const check = toCheck(result, at(index + 1));
          const { next, change } = applyCheck(live, check, thresholds, result.certificate);
          live = next;
          if (check.observed && repeats(known, applyCheck(known, check, thresholds, result.certificate).next)) {
            waited += 1;
            assert.equal(change, undefined);
          } else known = live;
        }
      }),
    );
    assert.ok(waited > 100, `${waited} waited`);
  });
});
