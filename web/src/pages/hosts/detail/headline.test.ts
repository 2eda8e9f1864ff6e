import assert from "node:assert/strict";
import { test } from "node:test";
import { agentRecord } from "../../../entities/hosts/record.fixture.ts";
import { headline } from "./headline.ts";

test("a host says what its state means, and what to do", () => {
  const of = (changes: Parameters<typeof agentRecord>[0]): string =>
    headline({ isLocal: false, runtime: undefined, agent: agentRecord(changes) });
  assert.match(of({}), /live/);
  assert.match(of({ connection_state: "disconnected" }), /last known state.*agent is running/);
  assert.match(of({ status: "revoked", connection_state: "disconnected" }), /no longer work/);
  assert.match(of({ spool: { queued: 12_034, draining: true, dropped: 0 } }), /12,034 events left.*no alerts/);
  assert.doesNotMatch(of({ spool: { queued: 0, draining: true, dropped: 0 } }), /wait/);
  assert.equal(headline({ isLocal: false, runtime: undefined, agent: undefined }), "");
});

test("the local host is as its runtime is reached", () => {
  const of = (runtime: { connected: boolean; error: string | null } | undefined): string =>
    headline({ isLocal: true, runtime, agent: undefined });
  assert.equal(of(undefined), "");
  assert.match(of({ connected: true, error: null }), /without an agent/);
  assert.equal(of({ connected: false, error: "The socket is not there." }), "The socket is not there.");
  assert.match(of({ connected: false, error: null }), /unreachable/);
});
