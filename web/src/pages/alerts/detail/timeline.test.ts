import assert from "node:assert/strict";
import { test } from "node:test";
import type { AlertTrace } from "../../../../../src/alerting/alerts/answers.ts";
import type { DeliveryRecord } from "../../../../../src/alerting/deliveries/answers.ts";
import { alertRecord } from "../../../entities/alerts/record.fixture.ts";
import { attemptWords, deliveryStatus, eventWords } from "./delivery-words.ts";
import { timelineOf } from "./timeline.ts";
import { evaluationsOf, foldedStages, holdingText, isUnrouted } from "./trace-words.ts";

function deliveryRecord(parts: Partial<DeliveryRecord> = {}): DeliveryRecord {
  return {
    id: 1,
    alert_id: 1,
    channel_id: 4,
    event: "alert.fired",
    escalation: null,
    because: "rule 1",
    replay_of: null,
    status: "sent",
    attempts: 1,
    next_attempt_at: null,
    last_attempt_at: "2026-11-21T04:10:01.000Z",
    last_status_code: 200,
    last_error: null,
    sent_at: "2026-11-21T04:10:01.000Z",
    created_at: "2026-11-21T04:10:00.000Z",
    ...parts,
  };
}

const trace: AlertTrace = {
  alert_id: 1,
  summary: "1 notification: 1 sent.",
  stages: [
    {
      evaluation: 1,
      transition: "fired",
      stage: "maintenance",
      verdict: "passed",
      text: "No active maintenance window.",
      at: "2026-11-21T04:00:00.000Z",
    },
    { evaluation: 1, transition: "fired", stage: "silence", verdict: "held", text: "Silence 3 covers it.", at: "2026-11-21T04:00:00.000Z" },
    {
      evaluation: 2,
      transition: "released",
      stage: "deliver",
      verdict: "passed",
      text: "A delivery was written.",
      at: "2026-11-21T04:10:00.000Z",
    },
  ],
  deliveries: [
    deliveryRecord(),
    deliveryRecord({
      id: 2,
      channel_id: 5,
      status: "failed",
      attempts: 5,
      last_status_code: 503,
      last_error: "it answered 503",
      sent_at: null,
      last_attempt_at: "2026-11-21T04:18:00.000Z",
    }),
  ],
};

test("what happened to an alert, the latest first", () => {
  const alert = alertRecord({
    acknowledged_at: "2026-11-21T04:12:00.000Z",
    acknowledged_by: "Ada",
    acknowledged_note: "looking",
    status: "resolved",
    resolved_at: "2026-11-21T04:20:00.000Z",
    resolved_by: "auto",
    resolution: { by: "observation", reason: "Its checks succeed again." },
  });
  assert.deepEqual(
    timelineOf(alert, trace, (id) => `#${id}`).map(({ at, what, more }) => `${at.slice(11, 16)} ${what}${more === "" ? "" : `: ${more}`}`),
    [
      "04:20 Resolved: Its checks succeed again.",
      "04:18 Failed to send to #5: it answered 503",
      "04:12 Acknowledged by Ada: looking",
      "04:10 Sent to #4",
      "04:10 No longer suppressed",
      "04:00 Suppressed: Silence 3 covers it.",
      "04:00 Fired",
    ],
  );
});

test("the evaluations of a trace, the latest first, and what holds it back now", () => {
  assert.deepEqual(
    evaluationsOf(trace).map(({ transition, stages }) => [transition, stages.length]),
    [
      ["released", 1],
      ["fired", 2],
    ],
  );
  assert.equal(holdingText(trace), undefined);
  assert.equal(holdingText({ stages: trace.stages.slice(0, 2) }), "Silence 3 covers it.");
});

test("steps that nothing came of are one row of the trace", () => {
  const steps = [
    ["settle", "passed"],
    ["maintenance", "passed"],
    ["silence", "passed"],
    ["flapping", "passed"],
    ["routing", "passed"],
    ["dedup", "passed"],
    ["deliver", "passed"],
  ] as const;
  const rows = foldedStages(
    steps.map(([stage, verdict]) => ({ evaluation: 1, transition: "fired", stage, verdict, text: "", at: "2026-11-21T04:00:00.000Z" })),
  );
  assert.deepEqual(
    rows.map((stages) => stages.map(({ stage }) => stage)),
    [["settle", "maintenance", "silence"], ["flapping"], ["routing"], ["dedup"], ["deliver"]],
  );
  const [passed, held] = trace.stages;
  assert.deepEqual(foldedStages([passed, held].filter((stage) => stage !== undefined)), [[passed], [held]]);
});

test("nobody is notified where nothing names a channel", () => {
  const routing = {
    evaluation: 1,
    transition: "fired",
    stage: "routing",
    verdict: "stopped",
    text: "No rule.",
    at: "2026-11-21T04:00:00.000Z",
  } as const;
  assert.equal(isUnrouted({ stages: [routing], deliveries: [] }), true);
  assert.equal(isUnrouted({ stages: [{ ...routing, transition: "resolved" }], deliveries: [] }), false);
  assert.equal(isUnrouted(trace), false);
});

test("how a delivery stands", () => {
  assert.equal(attemptWords(deliveryRecord()), "1 attempt, HTTP 200");
  assert.equal(
    attemptWords(deliveryRecord({ status: "pending", attempts: 2, last_error: "no answer within 10 seconds" })),
    "2 of 5 attempts, last error: no answer within 10 seconds",
  );
  assert.equal(
    attemptWords(deliveryRecord({ attempts: 2, last_error: "The mail server refused ada@example.com (550)." })),
    "2 attempts, last error: The mail server refused ada@example.com (550).",
  );
  assert.equal(deliveryStatus(deliveryRecord({ status: "pending", attempts: 0 })).word, "Queued");
  assert.equal(eventWords(deliveryRecord({ escalation: { run_id: 1, level: 1 } })), "Fired, level 2 of an escalation");
});
