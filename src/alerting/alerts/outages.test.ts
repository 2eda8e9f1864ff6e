import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { aboutContainer, aboutEndpoint, endpointAlert } from "../../../test/support/alerts.ts";
import type { Event } from "../../events.ts";
import { createOutages, hostOf } from "./signals.ts";

const AT = "2026-03-01T12:00:00.000Z";
const STATE = {
  previous_state: "running",
  health: null,
  exit_code: null,
  oom_killed: false,
  stop_requested: false,
  error_detail: null,
} as const;

describe("what is down", () => {
  const container = { type: "container", id: "42" };
  const endpoint = { type: "endpoint", id: "7" };
  const stopped: Event = { type: "container.state_changed", data: { ...aboutContainer(), ...STATE, state: "exited" } };

  it("is known by events, and what comes back is reported", () => {
    const outages = createOutages();
    assert.equal(outages.note(stopped), false);
    assert.deepEqual(outages.among([endpoint, container]), { name: 'container "web"', why: "is exited", since: new Date(AT) });
    assert.equal(outages.note({ type: "container.state_changed", data: { ...aboutContainer(), ...STATE, state: "running" } }), true);
    assert.equal(outages.among([container]), undefined);
    assert.equal(outages.note({ type: "container.removed", data: aboutContainer() }), false);
  });

  it("does not come back when it is removed", () => {
    const outages = createOutages();
    outages.note(stopped);
    assert.equal(outages.note({ type: "container.removed", data: aboutContainer() }), false);
    assert.equal(outages.among([container]), undefined);
  });

  it("is an endpoint that cannot be reached, not one whose certificate is refused", () => {
    const outages = createOutages();
    outages.note({ type: "endpoint.alert", data: endpointAlert({ failure_class: "tls" }) });
    assert.equal(outages.among([endpoint]), undefined);
    outages.note({ type: "endpoint.alert", data: endpointAlert() });
    assert.equal(outages.among([endpoint])?.why, "cannot be reached");
    assert.equal(outages.note({ type: "endpoint.removed", data: aboutEndpoint() }), true);
  });

  it("is a host whose runtime does not answer", () => {
    const outages = createOutages();
    const lost = { agent_id: null, runtime: "docker", connected: false, error: "gone", timestamp: AT };
    outages.note({ type: "runtime.status_changed", data: lost });
    assert.ok(outages.among([hostOf(null)]));
    assert.equal(outages.among([hostOf("0e0d2b0c-1d3f-4c57-9f6e-2f4f0c1c9b5a")]), undefined);
    assert.equal(outages.note({ type: "runtime.status_changed", data: { ...lost, connected: true } }), true);
  });

  it("is a host for two reasons, each of which ends alone", () => {
    const id = "0e0d2b0c-1d3f-4c57-9f6e-2f4f0c1c9b5a";
    const agent = {
      id,
      agent_id: id,
      name: "alpha",
      hostname: "ark",
      status: "active",
      connection_state: "disconnected",
      timestamp: AT,
    } as const;
    const lost = { agent_id: id, runtime: "docker", connected: false, error: "gone", timestamp: AT };
    const outages = createOutages();
    const why = (): string | undefined => outages.among([hostOf(id)])?.why;
    outages.note({ type: "runtime.status_changed", data: lost });
    assert.equal(outages.isSilent(id), false);
    outages.note({ type: "agent.disconnected", data: { ...agent, previous_connection_state: "connected", lost: true, since: AT } });
    assert.equal(why(), "is disconnected");
    assert.deepEqual([id, null].map(outages.isSilent), [true, false]);
    const back = { ...agent, connection_state: "connected", previous_connection_state: "disconnected", lost: false, since: AT } as const;
    assert.equal(outages.note({ type: "agent.connected", data: back }), true);
    assert.equal(outages.isSilent(id), false);
    assert.match(why() ?? "", /its engine does not answer/);
    outages.note({ type: "agent.disconnected", data: { ...agent, previous_connection_state: "connected", lost: true, since: AT } });
    assert.equal(outages.note({ type: "agent.deleted", data: agent }), true);
    assert.equal(why(), undefined);
  });

  it("shows nothing of an agent's host before its runtime is reported, again after each absence", () => {
    const id = "0e0d2b0c-1d3f-4c57-9f6e-2f4f0c1c9b5a";
    const about = { id, agent_id: id, name: "alpha", hostname: "ark", status: "active", timestamp: AT } as const;
    const answers = { agent_id: id, runtime: "docker", connected: true, error: null, timestamp: AT };
    const lost = { ...about, connection_state: "disconnected", previous_connection_state: "connected", lost: true, since: AT } as const;
    const back = { ...about, connection_state: "connected", previous_connection_state: "disconnected", lost: false, since: AT } as const;
    const outages = createOutages();
    const shown: boolean[] = [];
    const note = (event: Event): void => {
      outages.note(event);
      shown.push(outages.isShown(id));
    };
    note({ type: "agent.connected", data: back });
    note({ type: "runtime.status_changed", data: answers });
    note({ type: "agent.disconnected", data: lost });
    note({ type: "agent.connected", data: back });
    note({ type: "runtime.status_changed", data: answers });
    assert.deepEqual(shown, [false, true, false, false, true]);
  });

  it("is a host whose agent was revoked, until it is deleted", () => {
    const id = "0e0d2b0c-1d3f-4c57-9f6e-2f4f0c1c9b5a";
    const at = "2026-03-01T12:30:00.000Z";
    const agent = { id, agent_id: id, name: "alpha", hostname: "ark", status: "revoked", connection_state: "disconnected" } as const;
    const revoked: Event = { type: "agent.revoked", data: { ...agent, previous_status: "active", timestamp: at } };
    const reported = (connected: boolean): Event => ({
      type: "runtime.status_changed",
      data: { agent_id: id, runtime: "docker", connected, error: null, timestamp: AT },
    });
    for (const isReached of [true, false]) {
      const outages = createOutages();
      outages.note(reported(isReached));
      assert.equal(outages.note(revoked), false);
      const why = "is not monitored (its agent was revoked)";
      const since = new Date(isReached ? at : AT);
      assert.deepEqual(outages.among([hostOf(id)]), { name: 'host "alpha"', why, since });
      assert.deepEqual([outages.isShown(id), outages.isSilent(id), outages.mayBeLost(id)], [false, true, false]);
      assert.equal(outages.note({ type: "agent.deleted", data: { ...agent, timestamp: at } }), true);
      assert.equal(outages.among([hostOf(id)]), undefined);
      assert.deepEqual([outages.isShown(id), outages.isSilent(id), outages.mayBeLost(id)], [false, false, true]);
    }
  });

  it("is not remembered without end", () => {
    const outages = createOutages();
    for (let id = 0; id < 50_001; id += 1)
      outages.note({ type: "container.state_changed", data: { ...aboutContainer({ id }), ...STATE, state: "exited" } });
    assert.equal(outages.among([{ type: "container", id: "0" }]), undefined);
    assert.ok(outages.among([{ type: "container", id: "50000" }]));
  });

  it("a local runtime that is watched shows nothing, and may be lost, until its status is reported", () => {
    const reported = (connected: boolean): Event => ({
      type: "runtime.status_changed",
      data: { agent_id: null, runtime: "docker", connected, error: null, timestamp: AT },
    });
    const outages = createOutages({ watchesLocal: true });
    const seen = (): boolean[] => [outages.isShown(null), outages.mayBeLost(null)];
    assert.deepEqual(seen(), [false, true]);
    outages.note(reported(true));
    assert.deepEqual(seen(), [true, false]);
    outages.note(reported(false));
    assert.deepEqual(seen(), [false, true]);
    assert.equal(createOutages().isShown(null), true, "nobody watches it");
  });
});
