import assert from "node:assert/strict";
import { it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { labelled } from "../../../test/support/endpoints.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import { swarmNode, swarmService, swarmTask, swarmTopology } from "../../../test/support/swarm-topology.ts";
import { until } from "../../../test/support/until.ts";
import { AGENT, OTHER_AGENT as MANAGER, watchSwarms } from "../../../test/support/watched-swarms.ts";
import type { ContainerSighting } from "../../observations.ts";
import type { SwarmSighting, SwarmTask, SwarmTopology } from "../../observations/swarm.ts";

/** What an agent shows of a swarm holds for hosts of that swarm alone. The local host is the worker n2 of the swarm c1, whose manager n1 has an agent; the other agent claims things. */
onBothDatabases((databases) => {
  const w = watchSwarms(databases);
  const nodes = [swarmNode(1), swarmNode(2, { role: "worker", manager: null })];
  const ignored = { labels: { "service.ignore": "true" }, settings: { ...defaultSettings, ignored: true } };

  const shows = (topology: Partial<SwarmTopology> = {}): Promise<void> =>
    w.show({ topology: swarmTopology({ nodes, ...topology }) }, MANAGER);
  /** The agent shows a swarm that it made up, with the ids of the other. */
  const claims = (topology: Partial<SwarmTopology>, facts: Partial<SwarmSighting> = {}): Promise<void> =>
    w.show({ clusterId: "evil", nodeId: "n9", topology: swarmTopology({ nodes: [swarmNode(9), ...nodes], ...topology }), ...facts }, AGENT);

  function made(number: number, facts: Partial<ContainerSighting> = {}): ContainerSighting {
    const name = `web.1.t${number}`;
    const labels = { "com.docker.swarm.service.id": "sweb", "com.docker.swarm.service.name": "web", "com.docker.swarm.task.name": name };
    const createdAt = w.clock.now();
    return sighting({
      ...{ externalId: `c${number}`, name, runtime: "swarm", createdAt, startedAt: createdAt, settings: defaultSettings },
      labels: { ...labels, "com.docker.swarm.task.id": `t${number}`, "com.docker.swarm.node.id": number % 2 === 0 ? "n9" : "n2" },
      ...facts,
    });
  }
  const list = (agentId: string | null, ...containers: ContainerSighting[]): Promise<void> =>
    w.server.see(agentId, { kind: "container.inventory", observedAt: w.clock.now(), containers });
  const task = (number: number, facts: Partial<SwarmTask> = {}): SwarmTask =>
    swarmTask({ id: `t${number}`, containerId: `c${number}`, nodeId: "n2", ...facts });
  const found = (number = 1, agentId: string | null = null) => w.server.containers.present.find(agentId, `c${number}`);
  const settled = (): Promise<unknown> => until(() => w.server.intake.queued() === 0);
  async function joined(): Promise<void> {
    await shows({ tasks: [task(1)] });
    await w.join("n2", null);
    await w.clock.advance(1_000);
    await shows({ tasks: [task(1)] });
    await list(null, made(1));
  }

  it("labels of a claimed service change no container of another host", async () => {
    await joined();
    // Its own swarm does not show it any more.
    await shows({ services: [], tasks: [] });
    await claims({ services: [swarmService(ignored)] });
    await settled();
    assert.equal(found()?.settings.ignored, false);
    await list(null, made(1), made(3));
    assert.deepEqual([found()?.settings.ignored, found(3)?.settings.ignored], [false, false]);
    await claims({ services: [] });
    await shows({ services: [swarmService(ignored)] });
    await settled();
    assert.equal(found()?.settings.ignored, true, "its own manager may");
  });

  it("nor by being the first to claim it after a start", async () => {
    await joined();
    await w.restart();
    await claims({ services: [swarmService(ignored)] });
    await list(null, made(1));
    await w.clock.advance(10_000);
    await shows();
    await w.join("n2", null);
    await claims({ services: [swarmService(ignored)] });
    await list(null, made(1));
    await settled();
    assert.equal(found()?.settings.ignored, false);
  });

  it("a container stays with its host when another claims its slot", async () => {
    await joined();
    const id = found()?.id;
    assert.ok(id !== undefined);
    await list(AGENT, made(2));
    await claims({ tasks: [task(1, { desiredState: "shutdown" }), task(2, { nodeId: "n9" })] });
    await settled();
    assert.deepEqual([found()?.id, found(2, AGENT)?.id === id], [id, false]);
  });

  it("a worker cannot take a slot whose task its manager has elsewhere", async () => {
    await joined();
    const id = found()?.id;
    const three = [...nodes, swarmNode(3, { role: "worker", manager: null })];
    await shows({ nodes: three, tasks: [task(1)] });
    await w.join("n3");
    await list(AGENT, made(2));
    await shows({ nodes: three, tasks: [task(1, { desiredState: "shutdown" }), task(2, { nodeId: "n1" })] });
    await settled();
    assert.deepEqual([found()?.id, found(2, AGENT)?.id === id], [id, false]);
    // It may have one that runs there.
    await shows({ nodes: three, tasks: [task(1, { desiredState: "shutdown" }), task(2, { nodeId: "n3" })] });
    await settled();
    assert.equal(found(2, AGENT)?.id, id);
  });

  it("a container is down though another host claims the next task of its slot", async () => {
    await joined();
    const over = task(1, { state: "failed" });
    await shows({ services: [], tasks: [] });
    await claims({ tasks: [over, task(2, { nodeId: "n9" })] });
    assert.equal(w.server.swarm.isSuperseded({ agentId: null, labels: made(1).labels }), false);
    await shows({ tasks: [over, task(3)] });
    assert.equal(w.server.swarm.isSuperseded({ agentId: null, labels: made(1).labels }), true);
  });

  it("endpoints of a service stay with the manager that shows it", async () => {
    const checked = swarmService({ labels: { "service.endpoint.http": "http://web.test/health" }, endpoints: [labelled()] });
    const endpoints = () => [...w.server.endpoints.present()].map(({ agentId, inactiveSince }) => [agentId, inactiveSince]);
    await shows({ services: [checked] });
    await claims({ services: [checked] });
    assert.deepEqual(endpoints(), [[MANAGER, null]]);
    await claims({ services: [swarmService()] });
    assert.deepEqual(endpoints(), [[MANAGER, null]]);
    // After a start the manager may be the second that is seen.
    await w.restart();
    await claims({ services: [checked] });
    assert.deepEqual(endpoints(), [[MANAGER, null]]);
    await shows({ services: [checked] });
    await w.clock.advance(60_000);
    await claims({ services: [swarmService()] });
    assert.deepEqual(endpoints(), [[MANAGER, null]]);
  });

  it("alerts of a service are neither raised nor ended by another swarm that names it", async () => {
    const rollout = { state: "paused", message: "", startedAt: w.clock.now(), completedAt: null } as const;
    const paused = { services: [swarmService({ rollout })] };
    await shows(paused);
    await w.become(["update_paused web warning"]);
    await claims(paused);
    await claims({});
    await w.stay(["update_paused web warning"]);
    await w.restart();
    await claims(paused);
    await claims({});
    await w.stay(["update_paused web warning"]);
    await shows();
    await w.stay(["update_paused web warning"]);
    // Its own manager ends it, once nobody else names it.
    await claims({}, { standing: "inactive", clusterId: null, nodeId: null, topology: null });
    await shows(paused);
    await shows();
    await w.become([]);
  });
});
