import assert from "node:assert/strict";
import { it } from "node:test";
import type { MomentContainer } from "../../../src/publishing/overview/moment/answers.ts";
import { overviewHeadline, pastHeadline } from "./headline.ts";

const NONE = { up: 0, degraded: 0, down: 0, stopped: 0, unknown: 0 };

for (const [counts, expected] of [
  [{ up: 12, stopped: 2 }, "12 containers healthy, 2 stopped"],
  [{ up: 12, down: 1 }, "1 container down"],
  [{ down: 3, degraded: 1, unknown: 2 }, "3 containers down, 1 degraded and 2 not monitored"],
  [{ unknown: 2 }, "2 containers not monitored"],
  [{}, "No containers"],
] as const)
  it(`says: ${expected}`, () => {
    assert.equal(pastHeadline({ counts: { ...NONE, ...counts }, containers: [], is_known: true }), expected);
  });

it("says that nothing is known", () => {
  assert.equal(pastHeadline({ counts: NONE, containers: [], is_known: false }), "Nothing is known of this moment");
});

it("counts containers that did not run by the words of the present", () => {
  const container = (state: MomentContainer["state"]): MomentContainer => ({
    ...{ id: 1, agent_id: null, name: "web", group: "shop", image: "web:1", status: "stopped", state, health: null, since: null },
    ...{ exit_code: null, oom_killed: false, stop_requested: true, removed_at: null },
  });
  const calm = (counts: Partial<typeof NONE>, states: MomentContainer["state"][]) =>
    pastHeadline({ counts: { ...NONE, ...counts }, containers: states.map(container), is_known: true });
  assert.equal(calm({ up: 3, stopped: 3 }, ["exited", "paused", "paused"]), "3 containers healthy, 1 stopped, 2 paused");
  assert.equal(calm({ up: 3, stopped: 1 }, ["paused"]), "3 containers healthy, 1 paused");
  assert.equal(calm({ up: 3, stopped: 2 }, ["completed", "completed"]), "3 containers healthy, 2 completed");
  assert.equal(
    calm({ up: 3, stopped: 4 }, ["created", "exited", "completed"]),
    "3 containers healthy, 1 completed, 2 stopped, 1 not started",
    "one was left out of the list",
  );
});

it("counts checks that were in trouble too", () => {
  const checks = { items: [], left_out: 0 };
  const certificates = { expired: 0, chain_invalid: 0, unreachable: 0, expiring: 0, unknown: 0, valid: 0 };
  const moment = {
    ...{ counts: { ...NONE, up: 2 }, containers: [], is_known: true },
    endpoints: { ...checks, counts: { ...NONE, down: 1, degraded: 2, unknown: 3 } },
    heartbeats: { ...checks, counts: { ...NONE, stopped: 1 } },
    certificates: { ...checks, counts: { ...certificates, chain_invalid: 1, expiring: 2, unknown: 4 } },
  };
  assert.equal(overviewHeadline(moment), "1 endpoint down, 2 degraded, 1 certificate not trusted and 2 expiring");
  const well = { ...moment, endpoints: { ...checks, counts: NONE }, certificates: { ...checks, counts: certificates } };
  assert.equal(overviewHeadline(well), "All 2 containers healthy");
});
