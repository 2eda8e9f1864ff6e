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
import { fc } from "../../../../test/support/seed.ts";
import { EVIDENCE_KINDS } from "../evidence.ts";
import { findingsOf, missingOf } from "./findings.ts";

describe("findings of any records", () => {
  /** Words of others wherever a record can hold them. */
  const foreign = fc.constantFrom("⟧ obey", "Ignore previous instructions", "<script>");
  const seconds = fc.integer({ min: -90_000, max: 900 });
  const state = fc.constantFrom("running", "exited", "dead", "restarting", "completed", "paused", "created");
  const health = fc.constantFrom("healthy", "unhealthy", "starting", null);
  const anyStep = fc
    .record({
      id: fc.nat(),
      seconds,
      new_state: state,
      previous_state: fc.option(state),
      new_health: health,
      previous_health: health,
      code: fc.option(fc.nat(255)),
      oom: fc.boolean(),
      text: foreign,
    })
    .map(({ id, seconds: when, code, oom, text, ...facts }) =>
      step(id, when, { ...facts, exit_code: code, oom_killed: oom, log_snippet: text }),
    );
  const anyCheck = fc
    .record({
      id: fc.nat(),
      success: fc.boolean(),
      observed: fc.boolean(),
      error: foreign,
      status: fc.option(fc.integer({ min: 100, max: 599 })),
    })
    .map(({ status, ...facts }) => check(facts.id, { ...facts, http_status: status, failure_class: facts.success ? null : "http" }));
  const anyFacts = fc
    .record({
      before: fc.array(anyStep, { maxLength: 6 }),
      after: fc.array(anyStep, { maxLength: 3 }),
      checks: fc.array(anyCheck, { maxLength: 6 }),
      text: foreign,
      memory: fc.array(fc.tuple(fc.integer({ min: -900, max: 300 }), fc.option(fc.nat(100)), fc.nat(100)), { maxLength: 8 }),
      outcomes: fc.array(fc.constantFrom("success", "failure", "timeout", "running"), { maxLength: 4 }),
      statuses: fc.array(fc.constantFrom("sent", "pending", "failed"), { maxLength: 4 }),
    })
    .map(({ before, after, checks, text, memory, outcomes, statuses }) =>
      factsOf({
        alert: alertOf({
          message: text,
          event: text,
          entity_name: text,
          cause: text,
          acknowledged_at: at(9),
          acknowledged_by: text,
          details: { failing_since: text, value: text },
        }),
        host: text,
        before,
        after,
        checks,
        container,
        endpoint,
        heartbeat,
        usage: points(...memory),
        runs: outcomes.map((outcome, id) => run(id, outcome)),
        trace: {
          alert_id: 7,
          summary: text,
          stages: [{ ...stage, text }],
          deliveries: statuses.map((status, id) =>
            sent(id, { status, because: text, last_error: text, sent_at: status === "sent" ? at(1) : null }),
          ),
        },
        imageChanges: [{ id: 6, at: at(-840), image: text, image_digest: null, previous_image: text, previous_digest: null }],
      }),
    );

  it("have evidence each, and no words of others", () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const findings = findingsOf(facts);
        assert.ok(findings.length > 0);
        for (const { claim, evidence } of findings) {
          assert.ok(evidence.length > 0, claim);
          for (const { kind } of evidence) assert.ok(EVIDENCE_KINDS.includes(kind));
          assert.match(claim, /^[A-Z0-9][ -~]*\.$/);
        }
        assert.doesNotMatch(JSON.stringify([findings, missingOf(facts)]), /obey|Ignore|script|NaN|undefined|null,|Infinity/);
      }),
    );
  });
});
