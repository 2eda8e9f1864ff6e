import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { MINUTE_MS } from "../../contract/time.ts";
import { problemsIn, statesIn } from "../../../test/support/judged-swarm.ts";
import { swarmNode, swarmService, swarmSighting, swarmTask, swarmTopology } from "../../../test/support/swarm-topology.ts";
import type { Event, EventData } from "../../events.ts";
import type { SwarmSighting, SwarmTopology } from "../../observations/swarm.ts";
import type { ActiveSwarmAlert } from "./changes.ts";
import { newMemory } from "./problem.ts";
import { problemsOf } from "./problems.ts";
import { createRegister, type Register } from "./register.ts";

const NOON_MS = Date.parse("2026-03-01T12:00:00Z");

let register: Register;
let active: ActiveSwarmAlert[];
let ms: number;
beforeEach(() => {
  active = [];
  ms = 0;
  register = createRegister({ active: () => active });
});

const at = (): Date => new Date(NOON_MS + ms);
const alertsOf = (events: readonly Event[]): EventData["swarm.alert"][] =>
  events.flatMap(({ type, data }) => (type === "swarm.alert" ? [data] : []));
const take = (swarm: Partial<SwarmSighting>, agentId: string | null = null): EventData["swarm.alert"][] =>
  alertsOf(register.take({ agentId, swarm: swarmSighting(swarm), observedAt: at(), receivedMs: ms }, at()));
const show = (topology: Partial<SwarmTopology>): EventData["swarm.alert"][] => take({ topology: swarmTopology(topology) });
/** It is shown for so long, every ten seconds. */
function lasts(minutes: number, topology: () => Partial<SwarmTopology>): EventData["swarm.alert"][] {
  const alerts: EventData["swarm.alert"][] = [];
  for (const end = ms + minutes * MINUTE_MS; ms < end; ms += 10_000) alerts.push(...show(topology()));
  return alerts;
}
const found = (): string[] => problemsIn(register);
const states = (): string[] => statesIn(register);
const parentsOf = (alert: string): string[] | undefined => register.problems().find((each) => each.alert === alert)?.node_ids;

describe("nodes that an alert of a service follows", () => {
  const nodes = [swarmNode(1), swarmNode(2, { state: "down" }), swarmNode(3)];
  const older = new Date(NOON_MS - 60 * MINUTE_MS);

  it("are none that are up, nor those on which its slots ended before", () => {
    const tasks = [
      swarmTask({ id: "now", nodeId: "n1", state: "starting", createdAt: at() }),
      swarmTask({ id: "left", nodeId: "n2", desiredState: "shutdown", createdAt: older }),
      swarmTask({ id: "over", nodeId: "n3", state: "failed", desiredState: "shutdown", createdAt: older }),
    ];
    lasts(6, () => ({ nodes, tasks }));
    assert.deepEqual(parentsOf("replica_unhealthy"), []);
  });

  it("are none while one that is down explains but some of what is missing", () => {
    const services = [swarmService({ replicas: 3 })];
    const lost = swarmTask({ id: "lost", slot: 1, nodeId: "n2" });
    const failing = swarmTask({ id: "failing", slot: 2, nodeId: "n1", state: "starting" });
    lasts(6, () => ({ services, nodes, tasks: [lost, failing] }));
    assert.deepEqual(parentsOf("replica_unhealthy"), []);
    lasts(1, () => ({ services, nodes, tasks: [lost, { ...failing, nodeId: "n2" }, swarmTask({ id: "well", slot: 3 })] }));
    assert.deepEqual(parentsOf("replica_unhealthy"), ["n2"]);
  });

  it("are none where the newest task has ended", () => {
    lasts(6, () => ({ nodes, tasks: [swarmTask({ nodeId: "n2", state: "failed", desiredState: "shutdown" })] }));
    assert.deepEqual(parentsOf("replica_unhealthy"), []);
  });

  it("are the node that took the task with it, while no other fits", () => {
    const tasks = [
      swarmTask({ id: "left", nodeId: "n2", desiredState: "shutdown", createdAt: older }),
      swarmTask({ id: "now", nodeId: null, state: "pending", createdAt: at() }),
    ];
    lasts(6, () => ({ nodes, tasks }));
    assert.deepEqual(parentsOf("replica_unhealthy"), ["n2"]);
  });

  it("are none of an update", () => {
    const rollout = { state: "paused", message: "", startedAt: at(), completedAt: null } as const;
    show({ nodes, services: [swarmService({ rollout })], tasks: [swarmTask({ nodeId: "n2" })] });
    assert.deepEqual(parentsOf("update_paused"), []);
  });
});

it("ends what is wrong with a service that is to be ignored from now on as removed", () => {
  const rollout = { state: "paused", message: "", startedAt: at(), completedAt: null } as const;
  const service = swarmService({ rollout });
  show({ services: [service] });
  const ended = show({ services: [{ ...service, settings: { ...service.settings, ignored: true } }] });
  assert.deepEqual(
    ended.map(({ alert, active: isActive, ended_by: by }) => [alert, isActive, by]),
    [["update_paused", false, "removal"]],
  );
});

it("says of a service that stopped to be started again that it does not run", () => {
  const failed = (number: number) => swarmTask({ id: `t${number}`, state: "failed", desiredState: "shutdown", since: at() });
  show({ tasks: [failed(1)] });
  show({ tasks: [failed(1), failed(2), failed(3)] });
  const message = (): string | undefined => register.problems().find(({ alert }) => alert === "crash_loop")?.message;
  assert.equal(message(), "web is crash-looping: web.1 failed 3 times in 10 minutes.");
  lasts(11, () => ({ tasks: [] }));
  assert.equal(message(), "web was crash-looping, and runs 0 of 1 task since.");
});

it("keeps no label of a service that looks secret", () => {
  const rollout = { state: "paused", message: "", startedAt: at(), completedAt: null } as const;
  const [alert] = show({ services: [swarmService({ rollout, labels: { "db.password": "hunter2", tier: "front" } })] });
  assert.deepEqual(alert?.labels, { "db.password": "***", tier: "front" });
  assert.equal(JSON.stringify(register.clusters()).includes("hunter2"), false);
  assert.equal(JSON.stringify(register.views()).includes("hunter2"), false);
});

describe("a service that is to run once", () => {
  const done = (slot: number) =>
    swarmTask({ id: `t${slot}`, slot, state: "complete", desiredState: "shutdown", createdAt: at(), exitCode: 0 });

  it("is done when its tasks are, and nothing is wrong", () => {
    lasts(6, () => ({ tasks: [done(1)] }));
    assert.deepEqual([found(), states()], [[], ["web completed 0/1 1"]]);
  });

  it("is short of those that failed alone", () => {
    const services = [swarmService({ replicas: 3 })];
    const failed = swarmTask({ id: "t3", slot: 3, state: "failed", desiredState: "shutdown" });
    lasts(6, () => ({ services, tasks: [done(1), swarmTask({ id: "t2", slot: 2 }), failed] }));
    assert.deepEqual([found(), states()], [["replica_unhealthy web warning"], ["web degraded 1/3 null"]]);
    show({ services, tasks: [done(1), swarmTask({ id: "t2", slot: 2 }), done(3)] });
    assert.deepEqual([found(), states()], [[], ["web running 1/3 null"]]);
  });

  it("is not done while a slot has its next task", () => {
    const next = swarmTask({ id: "next", state: "ready", createdAt: new Date(NOON_MS + 1000) });
    show({ tasks: [done(1), next] });
    assert.deepEqual(states(), ["web down 0/1 null"]);
  });
});

describe("a global service", () => {
  const services = [swarmService({ mode: "global", replicas: null })];
  const onNode = (number: number, facts: Parameters<typeof swarmTask>[0] = {}) =>
    swarmTask({ id: `t${number}`, slot: null, nodeId: `n${number}`, ...facts });
  const failed = { state: "failed", desiredState: "shutdown" } as const;

  it("is missed where its tasks failed", () => {
    lasts(6, () => ({ services, tasks: [onNode(1, failed), onNode(2, failed)] }));
    assert.deepEqual([found(), states()], [["replica_unhealthy web critical"], ["web down 0/2 null"]]);
    show({ services, tasks: [onNode(1), onNode(2)] });
    assert.deepEqual([found(), states()], [[], ["web running 2/2 null"]]);
  });

  it("is missed all the while that its tasks wait to be started again", () => {
    let look = 0;
    const waits = { state: "ready", desiredState: "ready" } as const;
    lasts(6, () => ({ services, tasks: [onNode(1), onNode(2, look++ % 2 === 0 ? failed : waits)] }));
    assert.deepEqual(found(), ["replica_unhealthy web warning"]);
  });

  it("is not asked for on nodes that are down, drained or gone, nor where it was ended", () => {
    const nodes = [swarmNode(1), swarmNode(2, { state: "down" }), swarmNode(3, { availability: "drain" }), swarmNode(4)];
    const ended = { state: "shutdown", desiredState: "shutdown" } as const;
    show({ services, nodes, tasks: [onNode(1), onNode(2), onNode(3, ended), onNode(4, ended), onNode(5, failed)] });
    assert.deepEqual(states(), ["web running 1/1 null"]);
  });
});

it("calls an update that was rolled back well only when one comes through", () => {
  const rollout = (state: "updating" | "rollback_started" | "completed", message = "") => ({
    services: [swarmService({ rollout: { state, message, startedAt: at(), completedAt: null } })],
  });
  show(rollout("updating"));
  const [alert] = show(rollout("rollback_started", "update rolled back due to failure or early termination of task x"));
  // The engine forgets it with the next change of the service, be it its scale.
  show({});
  assert.deepEqual(found(), ["update_rollback web warning"]);

  // A restart of ours changes nothing.
  assert.ok(alert);
  active = [{ alert: alert.alert, clusterId: "c1", data: alert }];
  register = createRegister({ active: () => active });
  show({});
  show({});
  assert.deepEqual(found(), ["update_rollback web warning"]);
  show(rollout("completed"));
  assert.deepEqual(found(), []);
});

describe("a rollback that is over when it is seen", () => {
  const rollout = (state: "updating" | "rollback_completed", startedAt: Date) => ({
    services: [swarmService({ rollout: { state, message: "rollback completed", startedAt, completedAt: null } })],
  });

  it("is one of a failure when it belongs to the update that was in progress", () => {
    show(rollout("updating", at()));
    show(rollout("rollback_completed", at()));
    assert.deepEqual(found(), ["update_rollback web warning"]);
  });

  it("is none when somebody asked for it meanwhile", () => {
    show(rollout("updating", at()));
    show(rollout("rollback_completed", new Date(NOON_MS + 60_000)));
    assert.deepEqual(found(), []);
  });
});

describe("a quorum", () => {
  const lost = { standing: "no_quorum", topology: null, reason: "The swarm has no leader." } as const;
  const quorum = (): string[] => found().filter((each) => each.startsWith("quorum_degraded"));
  const judge = (): EventData["swarm.alert"][] => alertsOf(register.judge(at(), ms));

  it("is not lost by a word that is old", () => {
    show({});
    take(lost, "a");
    ms += 60_000;
    judge();
    ms += 60_000;
    judge();
    assert.deepEqual(quorum(), []);
  });

  it("is lost 15 seconds after somebody says so, however long a manager was unreachable before", () => {
    const nodes = [swarmNode(1), swarmNode(2), swarmNode(3, { manager: { leader: false, reachability: "unreachable" } })];
    lasts(6, () => ({ nodes }));
    assert.deepEqual(quorum(), ["quorum_degraded Swarm warning"]);
    take(lost);
    assert.deepEqual(quorum(), ["quorum_degraded Swarm warning"]);
    ms += 15_000;
    take(lost);
    assert.deepEqual(quorum(), ["quorum_degraded Swarm critical"]);
  });

  it("that was lost before the first look is alerted", () => {
    take(lost);
    ms += 15_000;
    const [alert] = take(lost);
    assert.deepEqual([alert?.cluster_id, alert?.severity, alert?.cause], ["c1", "critical", "The swarm has no leader."]);
    assert.deepEqual(register.clusters(), []);
    assert.equal(alertsOf(register.announce(at())).length, 1);
    assert.deepEqual(
      show({}).map(({ active: isActive, ended_by: by }) => [isActive, by]),
      [[false, "observation"]],
    );
    assert.deepEqual(found(), []);
  });

  it("of a swarm that is not named is alerted by its node until it is", () => {
    take({ ...lost, clusterId: null });
    ms += 15_000;
    const [alert] = take({ ...lost, clusterId: null });
    assert.deepEqual([alert?.cluster_id, alert?.severity], ["node:n1", "critical"]);
    const [over] = show({});
    assert.deepEqual([over?.cluster_id, over?.active], ["node:n1", false]);
    assert.deepEqual([found(), judge()], [[], []]);

    // Also where the program was restarted in between.
    assert.ok(alert);
    active = [{ alert: alert.alert, clusterId: "node:n1", data: alert }];
    register = createRegister({ active: () => active });
    const [later] = show({});
    assert.deepEqual([later?.cluster_id, later?.active], ["node:n1", false]);
  });
});

describe("an update that continues", () => {
  const services = [
    swarmService({ replicas: 2, rollout: { state: "updating", message: "", startedAt: new Date(NOON_MS), completedAt: null } }),
  ];
  const missing = (slot: number) => [
    swarmTask({ id: `a${slot}`, slot, state: "starting", createdAt: at() }),
    swarmTask({ id: "b", slot: 3 - slot }),
  ];

  it("is not short while it replaces one task after the other", () => {
    lasts(12, () => ({ services, tasks: missing(Math.floor(ms / 40_000) % 2 === 0 ? 1 : 2) }));
    assert.deepEqual(found(), []);
  });

  it("is short when it does not come on", () => {
    lasts(6, () => ({ services, tasks: missing(1) }));
    assert.deepEqual(found(), ["replica_unhealthy web warning"]);
    // Then only health ends it.
    show({ services, tasks: missing(2) });
    assert.deepEqual(found(), ["replica_unhealthy web warning"]);
    show({ services, tasks: [swarmTask(), swarmTask({ id: "b", slot: 2 })] });
    assert.deepEqual(found(), []);
  });
});

it("forgets what it remembered of a service with the service", () => {
  const memory = newMemory();
  const updating = { state: "updating", message: "", startedAt: at(), completedAt: null } as const;
  const rolledBack = { ...updating, state: "rollback_started", message: "update rolled back due to failure" } as const;
  const tasks = [swarmTask({ state: "failed", since: at() })];
  const cluster = (topology: SwarmTopology) => ({
    ...{ id: "c1", topology, observedAt: at(), agentId: null, isObserved: true, reason: null, hosts: [] },
  });
  const services = [swarmService({ rollout: updating }), swarmService({ name: "api", rollout: rolledBack })];
  problemsOf(cluster(swarmTopology({ services, tasks })), { memory, alerted: new Set(), now: at() });
  const sizes = () => [memory.failures, memory.updating, memory.rolledBack, memory.missing].map(({ size }) => size);
  assert.deepEqual(sizes(), [1, 1, 1, 2]);
  problemsOf(cluster(swarmTopology({ services: [], tasks: [] })), { memory, alerted: new Set(), now: at() });
  assert.deepEqual(sizes(), [0, 0, 0, 0]);
});

it("forgets failures of a slot that was scaled away", () => {
  const memory = newMemory();
  const look = (tasks: SwarmTopology["tasks"], now: Date): void => {
    const cluster = {
      id: "c1",
      topology: swarmTopology({ tasks }),
      observedAt: now,
      agentId: null,
      isObserved: true,
      reason: null,
      hosts: [],
    };
    problemsOf(cluster, { memory, alerted: new Set(), now });
  };
  look([swarmTask(), swarmTask({ id: "t2", slot: 2, state: "failed", since: at() })], at());
  look([swarmTask()], new Date(NOON_MS + 9 * MINUTE_MS));
  assert.equal(memory.failures.size, 1);
  look([swarmTask()], new Date(NOON_MS + 11 * MINUTE_MS));
  assert.equal(memory.failures.size, 0);
});

it("keeps what another host reported when a host is forgotten", () => {
  const rollout = { state: "paused", message: "", startedAt: at(), completedAt: null } as const;
  const topology = swarmTopology({ services: [swarmService({ rollout })] });
  take({ topology });
  take({ topology, nodeId: "n2" }, "a");
  register.forgetHost("a", ms);
  assert.deepEqual(
    alertsOf(register.announce(at())).map(({ alert, agent_id: agentId }) => [alert, agentId]),
    [["update_paused", null]],
  );
});

it("ends alerts of before the start when the only engine has left its swarm", () => {
  const rollout = { state: "paused", message: "", startedAt: at(), completedAt: null } as const;
  const [alert] = show({ services: [swarmService({ rollout })] });
  assert.ok(alert);
  active = [{ alert: alert.alert, clusterId: "c1", data: alert }];
  register = createRegister({ active: () => active });
  const inactive = { standing: "inactive", clusterId: null, nodeId: null, topology: null } as const;
  assert.deepEqual(
    take(inactive).map(({ alert: of, active: isActive, ended_by: by }) => [of, isActive, by]),
    [["update_paused", false, "removal"]],
  );
});

it("ends no alerts of before the start by a host that is not the only one", () => {
  const rollout = { state: "paused", message: "", startedAt: at(), completedAt: null } as const;
  const [alert] = take({ topology: swarmTopology({ services: [swarmService({ rollout })] }) }, "a");
  assert.ok(alert);
  active = [{ alert: alert.alert, clusterId: "c1", data: alert }];
  register = createRegister({ active: () => active });
  assert.deepEqual(take({ standing: "inactive", clusterId: null, nodeId: null, topology: null }), []);
});
