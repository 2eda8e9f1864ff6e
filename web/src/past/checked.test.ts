import assert from "node:assert/strict";
import { it } from "node:test";
import type { Moment, MomentEndpoint } from "../../../src/publishing/overview/moment/answers.ts";
import { checkedHeadline, pastThings } from "./checked.ts";

const AT = "2026-11-27T09:00:00.000Z";
const EARLIER = "2026-11-20T09:00:00.000Z";
const LATER = "2026-11-28T09:00:00.000Z";
const NONE = { up: 0, degraded: 0, down: 0, stopped: 0, unknown: 0 };

const endpoint = (facts: Partial<MomentEndpoint>): MomentEndpoint => ({
  ...{ id: 1, agent_id: null, name: "web", target: "http://web", status: "up", last_check_at: AT },
  ...{ response_time_ms: 12, error: null, known_since: EARLIER, ...facts },
});

const moment = (facts: Partial<Moment>): Moment => ({
  ...{ at: AT, known_since: EARLIER, is_known: true, previous_change_at: null, next_change_at: null, hosts: [], counts: NONE },
  ...{ containers: [], left_out: 0, alerts: [], alert_total: 0 },
  endpoints: { counts: NONE, items: [], left_out: 0 },
  heartbeats: { counts: NONE, items: [], left_out: 0 },
  certificates: {
    counts: { expired: 0, chain_invalid: 0, unreachable: 0, expiring: 0, unknown: 0, valid: 0 },
    items: [],
    left_out: 0,
  },
  ...facts,
});

for (const [what, facts, expected] of [
  ["was up", {}, ["ok", "Up", undefined]],
  ["was down, and why", { status: "down", error: "refused" }, ["down", "Down", "refused"]],
  ["was paused", { status: "stopped" }, ["idle", "Paused", undefined]],
  [
    "is known since later",
    { status: "unknown", last_check_at: null, known_since: LATER },
    ["idle", "Not known", "no check before then is kept"],
  ],
  ["has no check", { status: "unknown", last_check_at: null, known_since: null }, ["idle", "Not known", "no check is kept"]],
  ["was not checked in time", { status: "unknown", last_check_at: EARLIER }, ["idle", "Not known", "no check in time"]],
] as const)
  it(`says of an endpoint that it ${what}`, () => {
    const [thing] = pastThings(moment({ endpoints: { counts: NONE, items: [endpoint(facts)], left_out: 0 } }), "endpoints");
    assert.deepEqual([thing?.status.status, thing?.status.word, thing?.status.cause], expected);
  });

it("says how many days a certificate had left then", () => {
  const item = { id: 1, agent_id: null, name: "web.test", status: "valid" as const, last_check_at: AT, error: null, known_since: EARLIER };
  const { certificates } = moment({});
  const [thing] = pastThings(
    moment({ certificates: { ...certificates, items: [{ ...item, expires_at: "2026-12-07T09:00:00.000Z" }] } }),
    "certificates",
  );
  assert.deepEqual([thing?.status.word, thing?.status.cause], ["Valid", "10 days left"]);
});

it("never takes what is not known for well", () => {
  const headline = (counts: Partial<typeof NONE>) =>
    checkedHeadline(moment({ heartbeats: { counts: { ...NONE, ...counts }, items: [], left_out: 0 } }), "heartbeats");
  assert.equal(headline({}), "None then");
  assert.equal(headline({ up: 2, stopped: 1 }), "3 heartbeats, nothing wrong");
  assert.equal(headline({ up: 2, down: 1, unknown: 3 }), "1 down and 3 not known");
});
