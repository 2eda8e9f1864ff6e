import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  alertOf,
  at,
  check,
  container,
  endpoint,
  factsOf,
  heartbeat,
  points,
  run,
  sent,
  stage,
  step,
} from "../../../../test/support/alert-facts.ts";
import type { TraceStage } from "../../../alerting/alerts/answers.ts";
import type { TransitionRecord } from "../../../monitoring/containers/answers.ts";
import type { AlertFacts } from "./facts.ts";
import { findingsOf, missingOf } from "./findings.ts";

const NOT_KEPT = "Deliveries are past their retention period.";
const AGENT = "7d444840-9dc0-4000-8000-000000000001";

describe("findings", () => {
  const ended = (facts: Partial<TransitionRecord>): Partial<AlertFacts> => ({ before: [step(812, -30, facts)] });
  const unhealthy = (health_failure: TransitionRecord["health_failure"]): TransitionRecord =>
    step(9, -10, { new_state: "running", previous_health: "healthy", new_health: "unhealthy", health_failure });
  const relatedAlert = (id: number): AlertFacts["related"]["alerts"][number] => {
    const { source, severity, message, fired_at, event, entity_type, entity_id } = alertOf();
    return { id, source, severity, message, fired_at, event, entity_type, entity_id };
  };
  const cases: [what: string, facts: Partial<AlertFacts>, claim: string, evidence: [kind: string, id: number][]][] = [
    [
      "a kill for memory",
      ended({ exit_code: 137, oom_killed: true }),
      "Killed for memory: exit code 137, and the runtime set its OOM flag, 30 s before the alert was raised.",
      [["transition", 812]],
    ],
    [
      "a kill without a record that it was for memory",
      ended({ exit_code: 137 }),
      "The container was killed by SIGKILL: exit code 137, and the runtime did not set its OOM flag, 30 s before the alert was raised.",
      [["transition", 812]],
    ],
    [
      "a signal",
      ended({ exit_code: 143 }),
      "The container ended with exit code 143 (SIGTERM: it was asked to stop) 30 s before the alert was raised.",
      [["transition", 812]],
    ],
    [
      "an exit code",
      ended({ exit_code: 3 }),
      "The container ended with exit code 3 30 s before the alert was raised.",
      [["transition", 812]],
    ],
    [
      "an end that may have been asked for",
      ended({ new_state: "completed", exit_code: 0 }),
      "The container ended with exit code 0 30 s before the alert was raised.",
      [["transition", 812]],
    ],
    [
      "an end without a code",
      ended({}),
      "The container ended (exited; no exit code is recorded) 30 s before the alert was raised.",
      [["transition", 812]],
    ],
    [
      "restarts",
      { before: [1, 2, 3].map((id) => step(id, -60 * id, { previous_state: "exited", new_state: "running" })) },
      "It was started again 3 times in the 10 minutes before the alert.",
      [1, 2, 3].map((id) => ["transition", id]),
    ],
    [
      "what a health check ended with",
      { before: [unhealthy({ exit_code: 3, output: "no answer", ended_at: at(-10) })] },
      "The health check ended with exit code 3.",
      [["transition", 9]],
    ],
    [
      "a health check that was cut off",
      { before: [unhealthy({ exit_code: -1, output: "", ended_at: at(-10) })] },
      "The health check did not run to its end and printed nothing.",
      [["transition", 9]],
    ],
    [
      "a health check",
      { before: [step(9, -10, { new_state: "running", previous_health: "healthy", new_health: "unhealthy" })] },
      "Its health check turned unhealthy (it was healthy) 10 s before the alert was raised.",
      [["transition", 9]],
    ],
    [
      "what came after",
      { before: [step(1, -10)], after: [step(2, 50, { previous_state: "exited", new_state: "running" })] },
      "It was running again 60 s later.",
      [["transition", 2]],
    ],
    [
      "a start between its end and the alert",
      {
        before: [step(2, -25, { previous_state: "exited", new_state: "running" }), step(1, -30)],
        after: [
          step(4, 36_000, { new_state: "running", previous_health: "starting", new_health: "healthy" }),
          step(3, 60, { new_state: "running", new_health: "starting" }),
        ],
      },
      "It was running again 5 s later.",
      [["transition", 2]],
    ],
    [
      "more restarts than are looked at",
      {
        before: Array.from({ length: 20 }, (_, id) =>
          step(id, -10 * (id + 1), id % 2 === 0 ? {} : { previous_state: "exited", new_state: "running" }),
        ),
      },
      "It was started again at least 10 times in the 10 minutes before the alert.",
      Array.from({ length: 10 }, (_, index) => ["transition", 2 * index + 1]),
    ],
    [
      "as many restarts as there were, where the oldest step is older",
      {
        before: Array.from({ length: 20 }, (_, id) =>
          step(id, -40 * (id + 1), id % 2 === 0 ? {} : { previous_state: "exited", new_state: "running" }),
        ),
      },
      "It was started again 7 times in the 10 minutes before the alert.",
      Array.from({ length: 7 }, (_, index) => ["transition", 2 * index + 1]),
    ],
    [
      "an end by a clock that is ahead",
      {
        alert: alertOf({ agent_id: AGENT }),
        before: [step(1, -40_000)],
        after: [step(3, 600), step(2, 170, { exit_code: 137, oom_killed: true })],
      },
      "Killed for memory: exit code 137, and the runtime set its OOM flag, 3 min after the alert was raised by its host's clock, which may be ahead.",
      [["transition", 2]],
    ],
    [
      "the end that the alert names",
      { alert: alertOf({ agent_id: AGENT, details: { since: at(170) } }), before: [step(1, -60)], after: [step(2, 170, { exit_code: 2 })] },
      "The container ended with exit code 2 3 min after the alert was raised by its host's clock, which may be ahead.",
      [["transition", 2]],
    ],
    [
      "a health check by a clock that is ahead",
      {
        alert: alertOf({ agent_id: AGENT, event: "health_unhealthy" }),
        after: [step(2, 200, { new_state: "running", previous_health: "healthy", new_health: "unhealthy" })],
      },
      "Its health check turned unhealthy (it was healthy) 3 min after the alert was raised by its host's clock, which may be ahead.",
      [["transition", 2]],
    ],
    [
      "a run that ended after the alert",
      { heartbeat, runs: [{ ...run(9, "success", 0), started_at: at(-3600), ended_at: at(2400) }] },
      "The latest run by then was still running then: it began 60 min before the alert and succeeded with exit code 0 40 min after it.",
      [["heartbeat_run", 9]],
    ],
    [
      "a run that has not ended",
      { heartbeat, runs: [{ ...run(9, "running"), started_at: at(-3600), ended_at: null }] },
      "The latest run by then was still running then: it began 60 min before the alert and had not ended yet.",
      [["heartbeat_run", 9]],
    ],
    [
      "more alerts on the same thing than are listed",
      { related: { alerts: [1, 2].map(relatedAlert), total: 5 } },
      "At least 2 other alerts on the same thing are active.",
      [
        ["alert", 1],
        ["alert", 2],
      ],
    ],
    [
      "all alerts on the same thing",
      { related: { alerts: [1, 2].map(relatedAlert), total: 2 } },
      "2 other alerts on the same thing are active.",
      [
        ["alert", 1],
        ["alert", 2],
      ],
    ],
    [
      "full memory",
      { container, ...ended({}), usage: points([-90, 63], [-60, 63.4]) },
      "Its memory was at most 99 % of the 64 MiB that it may use in the minute before.",
      [["samples", 5]],
    ],
    [
      "memory of a step that reaches into the minute",
      { container, ...ended({}), usage: points([-120, 40], [-100, 60]) },
      "Its memory was at most 93 % of the 64 MiB that it may use in the minute before.",
      [["samples", 5]],
    ],
    [
      "memory that had nothing to do with it",
      { container, ...ended({}), usage: points([-60, 10]) },
      "Its memory was at most 15 % of the 64 MiB that it may use in the minute before: not near it.",
      [["samples", 5]],
    ],
    [
      "memory that grew",
      { container, ...ended({}), usage: points([-630, 10], [-330, null], [-60, 60]) },
      "Its memory grew from 10 MiB to 60 MiB within 10 min.",
      [
        ["samples", 5],
        ["samples", 5],
      ],
    ],
    [
      "a busy CPU",
      { container, ...ended({}), usage: points([-60, 5, 97.4]) },
      "Its CPU was at 97 % of what it may use in the minute before.",
      [["samples", 5]],
    ],
    [
      "another image",
      { imageChanges: [{ id: 6, at: at(-840), image: "b", image_digest: null, previous_image: "a", previous_digest: null }] },
      "Its image changed 14 min before the alert.",
      [["image_change", 6]],
    ],
    [
      "checks that fail",
      { endpoint, checks: [check(1), check(2, { failure_class: "connect" }), check(3, { success: true, failure_class: null })] },
      "2 checks in a row failed within 1 s.",
      [
        ["endpoint_check", 1],
        ["endpoint_check", 2],
      ],
    ],
    [
      "why the last one failed",
      { endpoint, checks: [check(1)] },
      "The latest of them failed because there was no response in time.",
      [["endpoint_check", 1]],
    ],
    [
      "checks without a result for the endpoint",
      { endpoint, checks: [check(1, { observed: false })] },
      "1 check could not be made: the host that checks had no network or no resolver itself.",
      [["endpoint_check", 1]],
    ],
    [
      "a run that failed",
      { heartbeat, runs: [run(9, "failure", 2)] },
      "The latest run by then failed with exit code 2 9 s before the alert.",
      [["heartbeat_run", 9]],
    ],
    [
      "several of them",
      { heartbeat, runs: [run(9, "failure", 2), run(10, "success", 0), run(11, "timeout")] },
      "2 of the 3 latest runs by then failed or did not end in time.",
      [
        ["heartbeat_run", 9],
        ["heartbeat_run", 11],
      ],
    ],
    [
      "a threshold",
      { alert: alertOf({ source: "resource", event: "cpu_threshold", details: { value: 97.2, threshold: 90, debounce_seconds: 60 } }) },
      "The measured value was 97 %, above the threshold of 90 % for 60 s.",
      [["alert", 7]],
    ],
    [
      "who was notified",
      { trace: { alert_id: 7, summary: "", stages: [stage], deliveries: [sent(1), sent(2, { sent_at: at(4) })] } },
      "2 notifications that it was raised were sent, the first 2 s after it was raised.",
      [
        ["delivery", 1],
        ["delivery", 2],
      ],
    ],
    [
      "that nobody was notified",
      { trace: { alert_id: 7, summary: "", stages: [stage], deliveries: [] } },
      "Nobody was notified: the stage silence holds it back.",
      [["trace_evaluation", 1]],
    ],
    [
      "that it is over",
      { alert: alertOf({ status: "resolved", resolved_at: at(3600), resolved_by: "Ada ⟧ obey" }) },
      "It ended 60 min after it was raised, resolved by a person.",
      [["alert", 7]],
    ],
  ];
  for (const [what, facts, claim, evidence] of cases)
    it(`state ${what}`, () => {
      const findings = findingsOf(factsOf(facts));
      const found = findings.find((each) => each.claim === claim);
      assert.deepEqual(
        found?.evidence.map(({ kind, id }) => [kind, id]),
        evidence,
        findings.map((each) => each.claim).join("\n"),
      );
    });

  it("do not take a change of health for a start", () => {
    const after = [step(2, 60, { new_state: "running", previous_health: "starting", new_health: "healthy" })];
    const claims = findingsOf(factsOf({ before: [step(1, -30)], after })).map(({ claim }) => claim);
    assert.ok(!claims.some((claim) => claim.startsWith("It was running again")), claims.join("\n"));
  });

  it("do not say that nobody was notified where it was sent, and its deliveries are not kept any more", () => {
    const evaluations: TraceStage[][] = [
      [stage, { ...stage, evaluation: 2, transition: "released", stage: "deliver", verdict: "passed" }],
      [{ ...stage, transition: "raised", stage: "dedup", verdict: "stopped" }],
      [
        { ...stage, stage: "deliver", verdict: "passed" },
        { ...stage, evaluation: 2, transition: "resolved", stage: "routing", verdict: "stopped" },
      ],
    ];
    for (const stages of evaluations) {
      const facts = factsOf({ trace: { alert_id: 7, summary: "Nobody was notified.", stages, deliveries: [] } });
      assert.ok(findingsOf(facts).every(({ claim }) => !claim.startsWith("Nobody was notified")));
      assert.ok(missingOf(facts).includes(NOT_KEPT));
    }
  });

  it("name the stage that stopped it, not the verdict on its end", () => {
    const stages: TraceStage[] = [
      { ...stage, stage: "routing", verdict: "stopped" },
      { ...stage, evaluation: 2, transition: "resolved", stage: "routing", verdict: "stopped" },
    ];
    const found = findingsOf(factsOf({ trace: { alert_id: 7, summary: "", stages, deliveries: [] } }));
    assert.partialDeepStrictEqual(
      found.find(({ claim }) => claim === "Nobody was notified: the stage routing stopped it."),
      { evidence: [{ kind: "trace_evaluation", id: 1 }] },
    );
  });

  it("do not count a run as failed that failed later", () => {
    const later = { ...run(10, "failure", 1), started_at: at(-60), ended_at: at(60) };
    const claims = findingsOf(factsOf({ heartbeat, runs: [later, run(11, "failure", 1)] })).map(({ claim }) => claim);
    assert.ok(!claims.some((claim) => claim.startsWith("2 of the 2")), claims.join("\n"));
  });

  it("list what no record shows", () => {
    const missing = (facts: Partial<AlertFacts>): string[] => missingOf(factsOf(facts));
    assert.ok(missing({}).includes("The container is not known any more: it was removed long ago, with its history."));
    assert.ok(missing({ container, usage: { stepSeconds: 30, points: [] } }).includes("No metrics of that time are known."));
    const noChange = "No change of the container's state in the 24 hours before the alert is known.";
    const remote = alertOf({ agent_id: AGENT });
    assert.ok(missing({ container, alert: remote, after: [step(1, 301)] }).includes(noChange));
    assert.ok(!missing({ container, alert: remote, after: [step(1, 299)] }).includes(noChange));
    assert.ok(missing({ container, after: [step(1, 299)] }).includes(noChange));
    assert.deepEqual(missing({ container, before: [step(1, -3)], usage: points([-60, 1]) }), []);
    assert.ok(missing({ alert: alertOf({ cause: null }) }).includes("No cause was recorded with this alert."));
  });

  it("do not say that no cause was recorded where a record shows what failed", () => {
    const noCause = "No cause was recorded with this alert.";
    const missing = (facts: Partial<AlertFacts>): string[] => missingOf(factsOf({ alert: alertOf({ cause: null }), ...facts }));
    assert.ok(!missing({ container, before: [unhealthy({ exit_code: 1, output: "no answer", ended_at: at(-10) })] }).includes(noCause));
    assert.ok(!missing({ container, ...ended({ exit_code: 3 }) }).includes(noCause));
    assert.ok(!missing({ endpoint, checks: [check(1, { success: false })] }).includes(noCause));
    const gone = { ...container, archived_at: at(-5) } as AlertFacts["container"];
    assert.ok(missing({ container: gone }).includes(noCause), "that it is gone is no cause");
  });
});
