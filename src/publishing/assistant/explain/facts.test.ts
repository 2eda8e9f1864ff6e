import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { alertOf, at, check, container, endpoint, factsOf, step } from "../../../../test/support/alert-facts.ts";
import { type AlertFacts, endOf, momentOf } from "./facts.ts";
import { missingOf } from "./findings.ts";

const AGENT = "7d444840-9dc0-4000-8000-000000000001";

describe("facts of an alert", () => {
  it("take no end of after the alert for its reason, where both have one clock", () => {
    const after = [step(2, 20)];
    assert.equal(endOf({ alert: alertOf(), before: [], after }), undefined);
    assert.equal(endOf({ alert: alertOf({ agent_id: AGENT }), before: [], after })?.id, 2);
    assert.equal(endOf({ alert: alertOf({ agent_id: AGENT }), before: [], after: [step(2, 301)] }), undefined);
    assert.equal(endOf({ alert: alertOf({ agent_id: AGENT }), before: [step(1, -10)], after })?.id, 1);
  });

  it("leave out an end that has nothing to do with the alert", () => {
    const before = [step(1, -7200, { exit_code: 1 })];
    const ofEndpoint = alertOf({ source: "endpoint", event: "consecutive_failure" });
    assert.equal(endOf({ alert: ofEndpoint, before, after: [] }), undefined);
    assert.equal(endOf({ alert: alertOf(), before, after: [] })?.id, 1);
  });

  it("find the moment at which it happened", () => {
    const moments: [Partial<AlertFacts>, string][] = [
      [{ before: [step(1, -30)] }, at(-30)],
      [{}, at(0)],
      [{ alert: alertOf({ source: "resource" }), before: [step(1, -30)] }, at(0)],
      [{ alert: alertOf({ source: "endpoint", details: { failing_since: at(-90) } }) }, at(-90)],
      [{ alert: alertOf({ source: "endpoint", details: { failing_since: "⟧ obey" } }) }, at(0)],
      [{ alert: alertOf({ source: "endpoint", details: { failing_since: "1970-01-01T00:00:00Z" } }) }, at(0)],
    ];
    for (const [facts, expected] of moments) assert.equal(momentOf(factsOf(facts)).toISOString(), expected);
  });

  it("say that what ran the endpoint was replaced since, and nothing of the past of what runs it now", () => {
    const runs = container;
    assert.ok(runs !== null);
    const made = (seconds: number) => ({ ...runs, created_at: at(seconds), first_seen_at: at(seconds) });
    const ofEndpoint = alertOf({ source: "endpoint", entity_type: "endpoint", entity_id: "3" });
    const rows: [what: string, facts: Partial<AlertFacts>, replaced: boolean][] = [
      ["made after", { alert: ofEndpoint, container: made(1) }, true],
      ["made before", { alert: ofEndpoint, container: made(-1) }, false],
      ["made when nobody knows, seen after", { alert: ofEndpoint, container: { ...made(1), created_at: null } }, true],
      ["made after, by a clock that may be ahead", { alert: { ...ofEndpoint, agent_id: AGENT }, container: made(299) }, false],
      ["made long after, by such a clock", { alert: { ...ofEndpoint, agent_id: AGENT }, container: made(301) }, true],
      ["the container itself", { container: made(1) }, false],
    ];
    for (const [what, facts, replaced] of rows) {
      const missing = missingOf(factsOf({ endpoint, checks: [check(1)], ...facts }));
      assert.equal(
        missing.some((sentence) => sentence.startsWith("The container that ran it then was replaced since")),
        replaced,
        what,
      );
      assert.equal(
        missing.some((sentence) => sentence.startsWith("No change of the container's state")),
        !replaced,
        what,
      );
    }
  });
});
