import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { notification } from "../../../test/support/deliveries.ts";
import type { AlertRecord } from "../alerts/api.ts";
import { summarize, type Summary } from "./summary.ts";

const AGENT = "0b9c54a0-0000-4000-8000-00000000000a";

function summaryOf(host: string | undefined, of: Partial<AlertRecord> = {}): Summary {
  const plain = notification(7, "alert.fired", new Date("2026-03-01T12:00:00Z"));
  return summarize({ ...plain, alert: { ...plain.alert, ...of }, ...(host === undefined ? {} : { host }) });
}

describe("the summary of a notification", () => {
  it("names the host where it is another one", () => {
    const { headline, facts } = summaryOf("alpha", { agent_id: AGENT });
    assert.equal(headline, "Warning: container container-7 on alpha");
    assert.deepEqual(
      facts.find(({ label }) => label === "Host"),
      { label: "Host", value: "alpha" },
    );
  });

  it("names none where it is this one, or where the alert is about the host", () => {
    for (const summary of [summaryOf(undefined), summaryOf("alpha", { agent_id: AGENT, entity_type: "agent", entity_name: "alpha" })]) {
      assert.doesNotMatch(summary.headline, / on /);
      assert.ok(!summary.facts.some(({ label }) => label === "Host"));
    }
  });

  it("is clean and short whatever a host is called", () => {
    const { headline } = summaryOf(`a\u202e\n${"b".repeat(500)}`, { agent_id: AGENT });
    assert.match(headline, /^Warning: container container-7 on a b+…$/);
    assert.ok(headline.length < 110);
  });
});
