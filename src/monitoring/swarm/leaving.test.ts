import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { swarmNode, swarmService, swarmSighting, swarmTopology } from "../../../test/support/swarm-topology.ts";
import type { Event, EventData } from "../../events.ts";
import type { SwarmSighting } from "../../observations/swarm.ts";
import type { ActiveSwarmAlert } from "./changes.ts";
import { createRegister, type Register } from "./register.ts";

const NOON = new Date("2026-03-01T12:00:00Z");

let register: Register;
let active: ActiveSwarmAlert[];
let ms: number;
beforeEach(() => {
  active = [];
  ms = 0;
  register = createRegister({ active: () => active });
});

const alertsOf = (events: readonly Event[]): EventData["swarm.alert"][] =>
  events.flatMap(({ type, data }) => (type === "swarm.alert" ? [data] : []));
const take = (swarm: Partial<SwarmSighting>, agentId: string | null = null): EventData["swarm.alert"][] =>
  alertsOf(register.take({ agentId, swarm: swarmSighting(swarm), observedAt: NOON, receivedMs: ms }, NOON));
const rollout = { state: "paused", message: "", startedAt: NOON, completedAt: null } as const;
const paused = { topology: swarmTopology({ services: [swarmService({ rollout })] }) };
const clusters = (): string[] => register.clusters().map(({ id }) => id);
const ends = (alerts: readonly EventData["swarm.alert"][]): unknown[] =>
  alerts.map(({ alert, cluster_id: clusterId, active: isActive, ended_by: by }) => [alert, clusterId, isActive, by]);
const ENDED = [["update_paused", "c1", false, "removal"]];
const other = { clusterId: "c2", nodeId: "m1", topology: swarmTopology({ services: [], tasks: [], nodes: [] }) };

it("forgets the swarm that its last host left for another, with its alerts", () => {
  take(paused);
  assert.deepEqual(ends(take(other)), ENDED);
  assert.deepEqual([clusters(), register.problems()], [["c2"], []]);
});

it("keeps one of a host that names another swarm each time", () => {
  for (let number = 1; number <= 20; number += 1) take({ ...paused, clusterId: `c${number}` });
  assert.deepEqual(clusters(), ["c20"]);
});

it("forgets the swarm of a manager that is a worker of another now, not that of one that was demoted", () => {
  const worker = { standing: "worker", clusterId: null, topology: null, reason: "This engine is a worker." } as const;
  take(paused);
  assert.deepEqual(ends(take(worker)), []);
  assert.deepEqual(clusters(), ["c1"]);
  assert.deepEqual(ends(take({ ...worker, nodeId: "m1" })), ENDED);
  assert.deepEqual(clusters(), []);
});

it("keeps a swarm of which another host is a part", () => {
  take(paused);
  take({ ...paused, nodeId: "n2" }, "a");
  assert.deepEqual(ends(take(other)), []);
  assert.deepEqual(clusters(), ["c1", "c2"]);
});

it("ends alerts of before the start when the only host of their swarm is in another", () => {
  const [alert] = take(paused);
  assert.ok(alert);
  active = [{ alert: alert.alert, clusterId: "c1", data: alert }];
  register = createRegister({ active: () => active });
  assert.deepEqual(ends(take(other)), ENDED);
});

it("lets no host speak for a swarm that reports as worker, or is no manager in what its managers show", () => {
  const speaker = (): string | null | undefined => register.clusters()[0]?.agentId;
  take({ topology: swarmTopology({ nodes: [swarmNode(1), swarmNode(2, { role: "worker", manager: null })] }) });
  ms += 1_000;
  const usurper = swarmTopology({ services: [], nodes: [swarmNode(2, { manager: { leader: true, reachability: "reachable" } })] });
  take({ standing: "worker", nodeId: "n2", topology: usurper }, "a");
  assert.equal(speaker(), null);
  take({ nodeId: "n2", topology: usurper }, "a");
  assert.equal(speaker(), null);
  // Nobody else is left.
  ms += 60_000;
  take({ nodeId: "n2", topology: usurper }, "a");
  assert.equal(speaker(), "a");
});
