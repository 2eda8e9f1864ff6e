import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { checkedObservation, labelled } from "../../../test/support/endpoints.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import { swarmNode, swarmService, swarmTask, swarmTopology } from "../../../test/support/swarm-topology.ts";
import { until } from "../../../test/support/until.ts";
import { AGENT, watchSwarms } from "../../../test/support/watched-swarms.ts";
import { type ContainerSighting, labelEndpointKey, type Observation } from "../../observations.ts";
import type { SwarmTask } from "../../observations/swarm.ts";

const LABEL = "service.endpoint.http";

/** A slot of a swarm is one container, on whichever node its task runs. The local host is the node n1, the agent n2. */
onBothDatabases((databases) => {
  const w = watchSwarms(databases);
  beforeEach(() => w.join("n2"));
  const secondsAgo = (seconds: number): Date => new Date(w.clock.now().getTime() - seconds * 1000);

  /** The container of the task `t<number>` of slot 1. */
  function made(number: number, facts: Partial<ContainerSighting> = {}): ContainerSighting {
    const name = `web.1.t${number}`;
    return sighting({
      ...{ externalId: `c${number}`, name, runtime: "swarm", createdAt: secondsAgo(1), startedAt: secondsAgo(1) },
      labels: {
        ...{ "com.docker.swarm.service.id": "sweb", "com.docker.swarm.service.name": "web", "com.docker.swarm.task.name": name },
        "com.docker.swarm.task.id": `t${number}`,
      },
      settings: defaultSettings,
      ...facts,
    });
  }
  const stopped = { state: "exited" as const, exitCode: 143, stopRequested: true };
  const list = (agentId: string | null, ...containers: ContainerSighting[]): Promise<void> =>
    w.server.see(agentId, { kind: "container.inventory", observedAt: w.clock.now(), containers });
  const news = (agentId: string | null, container: ContainerSighting): Promise<void> =>
    w.server.see(agentId, { kind: "container.seen", observedAt: w.clock.now(), container });
  /** Those with even numbers run on the agent's node. */
  const task = (number: number, desiredState: SwarmTask["desiredState"] = "running", nodeId = number % 2 === 0 ? "n2" : "n1"): SwarmTask =>
    swarmTask({ id: `t${number}`, containerId: `c${number}`, desiredState, nodeId });
  /** What the manager shows; the slot's tasks, of which the last is wanted. */
  const showTasks = (...tasks: SwarmTask[]): Promise<void> => w.showTopology({ tasks, nodes: [swarmNode(1), swarmNode(2)] });
  const settled = (): Promise<unknown> => until(() => w.server.intake.queued() === 0);
  const at = (agentId: string | null, number: number) => w.server.containers.present.find(agentId, `c${number}`);
  const generations = async (id: number) => (await w.server.containers.service.generations(id, { limit: 20, offset: 0 })).generations;
  const ends = async (id: number) =>
    (await generations(id)).map(({ number, agent_id, external_id, end_reason }) => [number, agent_id, external_id, end_reason]);
  async function steps(id: number): Promise<string[]> {
    const { transitions } = await w.server.containers.service.transitions(id, { limit: 100, offset: 0 });
    return transitions.map(({ new_state }) => new_state).toReversed();
  }

  /** The slot runs here, then on the agent's node, as when this one is drained. */
  async function drain(make: (number: number) => ContainerSighting = made): Promise<void> {
    const first = make(1);
    await list(null, first);
    await list(AGENT);
    await showTasks(task(1));
    await w.clock.advance(60_000);
    await news(null, { ...first, ...stopped, finishedAt: w.clock.now() });
    await w.clock.advance(1_000);
    await news(AGENT, make(2));
    await showTasks(task(1, "shutdown"), task(2));
    await settled();
  }

  it("keeps its id, settings and history when its task moves to another node", async () => {
    await list(null, made(1));
    const id = at(null, 1)?.id;
    assert.ok(id !== undefined);
    await w.server.resources.service.setThresholds(id, { cpu_threshold: 70, memory_threshold: null, debounce_seconds: 60 });
    await drain();
    assert.deepEqual([at(AGENT, 2)?.id, at(AGENT, 2)?.generation, at(AGENT, 2)?.identity], [id, 2, "swarm:web/1"]);
    assert.equal((await w.server.resources.service.thresholds(id)).cpu_threshold, 70);
    assert.deepEqual(await steps(id), ["running", "exited", "running"]);
    assert.deepEqual(await ends(id), [
      [2, AGENT, "c2", null],
      [1, null, "c1", "stopped"],
    ]);
    // What is left on the old node is there beside it.
    const left = at(null, 1);
    assert.ok(left !== undefined && left.id !== id);
    assert.equal(left.state, "exited");
    await w.clock.advance(60_000);
    await list(null);
    await list(AGENT, made(2));
    await w.clock.advance(700_000);
    await list(null);
    assert.equal(at(null, 1), undefined);
    await w.restart();
    assert.deepEqual([at(AGENT, 2)?.id, at(AGENT, 2)?.state], [id, "running"]);
  });

  it("takes along what its own labels ask to be checked, and leaves nothing behind", async () => {
    const key = (number: number): string => labelEndpointKey(`c${number}`, LABEL);
    const checked = (number: number): ContainerSighting =>
      made(number, { endpoints: [labelled()], labels: { ...made(number).labels, [LABEL]: "http://web.test/health" } });
    await list(null, checked(1));
    await w.server.see(null, checkedObservation(key(1), w.clock.now()));
    const endpoints = () => [...w.server.endpoints.present()].map(({ id, agentId, state }) => [id, agentId, state.status]);
    const [[id] = []] = endpoints();
    await drain(checked);
    assert.deepEqual(endpoints(), [[id, AGENT, "unknown"]]);
    await w.clock.advance(30_000);
    await w.server.see(AGENT, checkedObservation(key(2), w.clock.now()));
    assert.deepEqual(endpoints(), [[id, AGENT, "up"]]);
  });

  it("goes back again, and over a restart", async () => {
    await drain();
    const id = at(AGENT, 2)?.id ?? 0;
    await w.restart();
    await w.join("n2");
    await list(null, made(1, stopped));
    await list(AGENT, made(2, { createdAt: secondsAgo(60) }));
    await w.clock.advance(60_000);
    await news(AGENT, made(2, { ...stopped, createdAt: secondsAgo(120) }));
    await news(null, made(3));
    await showTasks(task(2, "shutdown"), task(3));
    assert.deepEqual([at(null, 3)?.id, at(null, 3)?.generation], [id, 3]);
    assert.deepEqual(
      (await ends(id)).map(([, agentId, externalId]) => [agentId, externalId]),
      [
        [null, "c3"],
        [AGENT, "c2"],
        [null, "c1"],
      ],
    );
  });

  it("follows its task off a node that is cut off, and ignores what that node reports later", async () => {
    await list(AGENT, made(1));
    await list(null);
    await showTasks(task(1, "running", "n2"));
    const id = at(AGENT, 1)?.id ?? 0;
    await w.clock.advance(60_000);
    await news(null, made(2));
    await showTasks(task(1, "shutdown", "n2"), task(2, "running", "n1"));
    assert.deepEqual([at(null, 2)?.id, at(AGENT, 1)?.state], [id, "running"]);
    assert.deepEqual(await ends(id), [
      [2, null, "c2", null],
      [1, AGENT, "c1", "removed"],
    ]);
    // The node is back: its engine has ended the old task by now, and removed it.
    await w.clock.advance(60_000);
    const ended: Observation = { kind: "container.seen", observedAt: secondsAgo(30), container: made(1, stopped) };
    await list(AGENT);
    await w.clock.advance(700_000);
    await list(AGENT);
    await w.server.intake.replay(AGENT, [ended]);
    assert.deepEqual([await steps(id), at(null, 2)?.state], [["running", "running"], "running"]);
  });

  it("waits while both tasks are wanted, until a manager shows that it moved", async () => {
    await list(null, made(1));
    await list(AGENT);
    const id = at(null, 1)?.id ?? 0;
    await news(AGENT, made(2));
    const stays = (): void => assert.deepEqual([at(null, 1)?.id, at(AGENT, 2)?.id === id], [id, false]);
    // The swarm is shown as it was before.
    await showTasks(task(1));
    stays();
    await showTasks(task(1), task(2, "ready"));
    stays();
    await showTasks(task(1), task(2));
    stays();
    await news(null, made(1, stopped));
    await w.clock.advance(10_000);
    assert.equal(at(null, 1)?.id, id);
    await showTasks(task(1, "shutdown"), task(2));
    assert.equal(at(AGENT, 2)?.id, id);
  });

  it("is not mixed up with a slot of that name in another swarm, nor with one that was there long before", async () => {
    await list(null, made(1));
    const id = at(null, 1)?.id ?? 0;
    const foreign = { ...made(2).labels, "com.docker.swarm.service.id": "sother", "com.docker.swarm.node.id": "n9" };
    await list(AGENT, made(2, { labels: foreign }));
    await news(null, made(1, stopped));
    await showTasks(task(1, "shutdown"), task(2));
    assert.notEqual(at(AGENT, 2)?.id, id);
    await list(AGENT, made(3));
    await w.clock.advance(660_000);
    await list(AGENT, made(3, { createdAt: secondsAgo(661) }));
    await showTasks(task(1, "shutdown"), task(3, "running", "n2"));
    assert.notEqual(at(AGENT, 3)?.id, id);
  });

  it("keeps the slot when the service is deployed again under another id", async () => {
    const onNode = (number: number, service: string, node: string) =>
      made(number, { labels: { ...made(number).labels, "com.docker.swarm.service.id": service, "com.docker.swarm.node.id": node } });
    await list(null, onNode(1, "sold", "n1"));
    await list(AGENT);
    const id = at(null, 1)?.id ?? 0;
    await w.clock.advance(10_000);
    await list(null);
    await news(AGENT, onNode(2, "snew", "n2"));
    await w.showTopology({
      ...swarmTopology({ nodes: [swarmNode(1), swarmNode(2)], services: [swarmService({ id: "snew" })] }),
      tasks: [{ ...task(2), serviceId: "snew", nodeId: "n2" }],
    });
    assert.equal(at(AGENT, 2)?.id, id);
  });

  it("counts the time on each node by when that was watched", async () => {
    const watched = (agentId: string | null, from: number, to: number): Promise<void> =>
      w.server.see(agentId, { kind: "host.watched", since: secondsAgo(from), observedAt: secondsAgo(to) });
    await drain();
    const id = at(AGENT, 2)?.id ?? 0;
    await watched(null, 61, 1);
    const uptime = async () => (await w.server.containers.service.detail(id)).uptime["24h"];
    // It ran for a minute here, and since one second there, where nobody watches.
    assert.equal(await uptime(), 100);
    await watched(AGENT, 61, 31);
    assert.equal(await uptime(), 100);
  });

  it("has nothing of a node left that is deleted", async () => {
    await list(AGENT, made(1));
    await list(null);
    await showTasks(task(1, "running", "n2"));
    const id = at(AGENT, 1)?.id ?? 0;
    await w.clock.advance(60_000);
    await news(AGENT, made(1, stopped));
    await news(null, made(2));
    await showTasks(task(1, "shutdown", "n2"), task(2, "running", "n1"));
    await w.server.removal.remove(AGENT, (purge) => w.database.tables<object>().write((unit) => purge(unit)));
    assert.deepEqual(
      (await ends(id)).map(([number, agentId]) => [number, agentId]),
      [[2, null]],
    );
  });
});
