import assert from "node:assert/strict";
import { it } from "node:test";
import type { Moment, MomentCertificate, MomentEndpoint } from "../../../src/publishing/overview/moment/answers.ts";
import { checkedHeadline, pastThings, wasInTrouble } from "./checked.ts";

const AT = "2026-11-27T09:00:00.000Z";
const EARLIER = "2026-11-20T09:00:00.000Z";
const LATER = "2026-11-28T09:00:00.000Z";
const NONE = { up: 0, degraded: 0, down: 0, stopped: 0, unknown: 0 };

const endpoint = (facts: Partial<MomentEndpoint>): MomentEndpoint => ({
  ...{ id: 1, agent_id: null, name: "web", target: "http://web", status: "up", last_check_at: AT, status_reason: null, paused_since: null },
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
    "was degraded, and why",
    { status: "degraded", status_reason: "certificate_expiring" },
    ["degraded", "Degraded", "certificate expires within 7 days"],
  ],
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

for (const [facts, expected, isTrouble] of [
  [{ status: "valid" }, ["ok", "Valid", "10 days left"], false],
  [{ status: "expiring", message: "It expires soon." }, ["degraded", "Expiring", "10 days left"], true],
  [{ status: "expired", expires_at: "2026-11-24T08:00:00.000Z" }, ["down", "Expired", "expired 3 days ago"], true],
  [{ status: "chain_invalid", message: "It was revoked." }, ["down", "Chain invalid", "It was revoked."], true],
  [{ status: "unreachable", message: "No answer.", error: "No answer." }, ["degraded", "Unreachable", "No answer."], true],
  [{ status: "unknown", last_check_at: EARLIER }, ["idle", "Not known", "no check in time"], false],
] as const)
  it(`says of a certificate that was ${facts.status} what was wrong`, () => {
    const item: MomentCertificate = {
      ...{ id: 1, agent_id: null, name: "web.test", status: "valid", last_check_at: AT, message: null, error: null },
      ...{ known_since: EARLIER, expires_at: "2026-12-07T09:00:00.000Z", ...facts },
    };
    const { certificates } = moment({});
    const [thing] = pastThings(moment({ certificates: { ...certificates, items: [item] } }), "certificates");
    assert.ok(thing);
    assert.deepEqual([thing.status.status, thing.status.word, thing.status.cause], expected);
    assert.deepEqual([wasInTrouble(thing), thing.expiresAt, thing.message], [isTrouble, item.expires_at, item.message ?? undefined]);
  });

it("says since when a heartbeat was paused", () => {
  const item = { id: 1, name: "backup", status: "stopped" as const, paused_since: EARLIER, last_ping_at: AT, known_since: EARLIER };
  const [thing] = pastThings(moment({ heartbeats: { counts: NONE, items: [item], left_out: 0 } }), "heartbeats");
  assert.deepEqual([thing?.status.word, thing?.pausedSince], ["Paused", EARLIER]);
});

it("never takes what is not known for well", () => {
  const headline = (counts: Partial<typeof NONE>) =>
    checkedHeadline(moment({ heartbeats: { counts: { ...NONE, ...counts }, items: [], left_out: 0 } }), "heartbeats");
  assert.equal(headline({}), "None then");
  assert.equal(headline({ up: 2, stopped: 1 }), "3 heartbeats, nothing wrong");
  assert.equal(headline({ up: 2, down: 1, unknown: 3 }), "1 down and 3 not known");
});
