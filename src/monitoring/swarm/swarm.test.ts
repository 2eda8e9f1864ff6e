import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { swarmNode, swarmService, swarmSighting, swarmTask, swarmTopology } from "../../../test/support/swarm-topology.ts";
import { callTool, checkTools } from "../../../test/support/tools.ts";
import { until } from "../../../test/support/until.ts";
import { openWholeServer, type WholeServer } from "../../../test/support/whole-server.ts";
import { insightQuery } from "../security/api.ts";
import type { SwarmSighting, SwarmTopology } from "../../observations/swarm.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Database } from "../../storage/database.ts";
import { nodeQuery, serviceQuery, taskQuery } from "./api.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const MINUTE_MS = 60_000;
const REPEATED_EVERY_MS = 30_000;
const AGENT = "0b9f3c9e-5b0e-4a53-9d5e-5d1d6c3f2a10";

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let server: WholeServer;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    server = await open();
  });
  afterEach(() => server.stop());

  async function open(): Promise<WholeServer> {
    const opened = await openWholeServer({ database, clock, labels: new Map([[AGENT, "harbour"]]), isComplete: true });
    opened.alerting.settle();
    return opened;
  }

  async function restart(): Promise<void> {
    await server.stop();
    server = await open();
  }

  const show = (swarm: Partial<SwarmSighting>, agentId: string | null = null): Promise<void> =>
    server.see(agentId, { kind: "swarm.observed", observedAt: clock.now(), swarm: swarmSighting(swarm) });
  const showTopology = (topology: Partial<SwarmTopology>): Promise<void> => show({ topology: swarmTopology(topology) });

  /** What is shown stays so for a while, and is said again. */
  async function lasts(ms: number, swarm: Partial<SwarmSighting>): Promise<void> {
    for (let passed = 0; passed < ms; passed += REPEATED_EVERY_MS) {
      await clock.advance(REPEATED_EVERY_MS);
      await show(swarm);
    }
  }

  const alerts = (): string[] =>
    server.alerting
      .active()
      .filter(({ source }) => source === "swarm")
      .map(({ event, entityName, severity }) => `${event} ${entityName} ${severity}`)
      .toSorted();
  /** They are saved in the background. */
  async function become(expected: string[]): Promise<void> {
    await until(() => String(alerts()) === String(expected), { withinMs: 5_000, everyMs: 5 }).catch(() => undefined);
    assert.deepEqual(alerts(), expected);
  }
  /** What was to be raised or resolved by now would have been. */
  async function stay(expected: string[]): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(alerts(), expected);
  }

  const states = (): string[] =>
    server.swarm.service
      .services(serviceQuery.parse({}))
      .services.map(({ name, state, running, desired }) => `${name} ${state} ${running}/${desired}`);

  it("counts tasks that run against those that are asked for", async () => {
    await showTopology({
      services: [
        swarmService({ name: "web", replicas: 2 }),
        swarmService({ name: "all", mode: "global", replicas: null }),
        swarmService({ name: "job", mode: "replicated-job", replicas: 1 }),
        swarmService({ name: "off", replicas: 0 }),
        swarmService({ name: "bad" }),
      ],
      tasks: [
        swarmTask(),
        swarmTask({ id: "t2", slot: 2, state: "pending", nodeId: null, error: "no suitable node" }),
        swarmTask({ id: "t3", serviceId: "sall", slot: null }),
        swarmTask({ id: "t4", serviceId: "sall", slot: null, nodeId: "n2" }),
        swarmTask({ id: "t5", serviceId: "sjob", state: "complete", desiredState: "complete" }),
        swarmTask({ id: "t6", serviceId: "sbad", state: "failed", desiredState: "shutdown", error: "task: non-zero exit (1)" }),
      ],
    });
    assert.deepEqual(states(), ["all running 2/2", "bad down 0/1", "job completed 0/1", "off stopped 0/0", "web degraded 1/2"]);
  });

  it("does not count what ran on a node that is down", async () => {
    await showTopology({ nodes: [swarmNode(1, { state: "down" }), swarmNode(2), swarmNode(3)] });
    assert.deepEqual(states(), ["web down 0/1"]);
  });

  it("alerts replicas that are missing for five minutes, and resolves by seeing them alone", async () => {
    const short = {
      topology: swarmTopology({ tasks: [swarmTask({ state: "failed", desiredState: "shutdown", error: "task: non-zero exit (1)" })] }),
    };
    await show(short);
    await lasts(4 * MINUTE_MS, short);
    await stay([]);
    await lasts(MINUTE_MS, short);
    await become(["replica_unhealthy web critical"]);
    assert.equal(server.alerting.active()[0]?.cause, "task: non-zero exit (1)");

    // Nothing comes any more, then a restart: not seen is not well.
    await clock.advance(10 * MINUTE_MS);
    await become(["replica_unhealthy web critical"]);
    await restart();
    await become(["replica_unhealthy web critical"]);
    await show({ standing: "no_quorum", topology: null, reason: "no leader" });
    await become(["replica_unhealthy web critical"]);
    await show(short);
    await become(["replica_unhealthy web critical"]);

    await show({});
    await become([]);
  });

  it("ends the alerts of a service that was removed, and says so", async () => {
    const short = { topology: swarmTopology({ tasks: [] }) };
    await show(short);
    await lasts(5 * MINUTE_MS, short);
    await become(["replica_unhealthy web critical"]);
    await showTopology({ services: [], tasks: [] });
    await become([]);
    const resolved = server.events.findLast(({ type }) => type === "alert.resolved");
    assert.match(JSON.stringify(resolved), /"by":"removal"/);
  });

  it("alerts tasks that fail again and again, until ten minutes passed without a failure", async () => {
    const failed = (number: number) =>
      swarmTask({ id: `f${number}`, state: "failed", desiredState: "shutdown", error: "task: non-zero exit (1)", since: clock.now() });
    const tasks = [swarmTask()];
    for (let number = 1; number <= 3; number += 1) {
      tasks.push(failed(number));
      await stay([]);
      await clock.advance(5_000);
      await showTopology({ tasks });
    }
    await become(["crash_loop web warning"]);
    // The engine forgets, we do not.
    await lasts(9 * MINUTE_MS, {});
    await become(["crash_loop web warning"]);
    await lasts(2 * MINUTE_MS, {});
    await become([]);
  });

  describe("an update", () => {
    const rollout = (state: NonNullable<ReturnType<typeof swarmService>["rollout"]>["state"], message = "", startedAt = NOON) => ({
      services: [swarmService({ rollout: { state, message, startedAt, completedAt: null } })],
    });

    it("that is rolled back is alerted until one comes through", async () => {
      await showTopology(rollout("updating"));
      await showTopology(rollout("rollback_started", "update rolled back due to failure or early termination of task x"));
      await become(["update_rollback web warning"]);
      await showTopology(rollout("rollback_completed", "rollback completed"));
      await become(["update_rollback web warning"]);
      await restart();
      await showTopology(rollout("rollback_completed", "rollback completed"));
      await become(["update_rollback web warning"]);
      await showTopology(rollout("updating", "", clock.now()));
      await become(["update_rollback web warning"]);
      await showTopology(rollout("completed", "update completed", clock.now()));
      await become([]);
    });

    it("that somebody rolled back is no failure", async () => {
      await showTopology({});
      await showTopology(rollout("rollback_started", "manually requested rollback"));
      await showTopology(rollout("rollback_completed", "rollback completed"));
      await stay([]);
    });

    it("that is paused is alerted until it goes on", async () => {
      await showTopology(rollout("paused", "update paused due to failure or early termination of task x"));
      await become(["update_paused web warning"]);
      await showTopology(rollout("updating"));
      await become([]);
    });
  });

  it("alerts a node that is down, which holds back what hangs on it", async () => {
    const nodes = [
      swarmNode(1),
      swarmNode(2),
      swarmNode(3, { role: "worker", manager: null, state: "down", message: "heartbeat failure" }),
    ];
    const down = { topology: swarmTopology({ nodes, tasks: [swarmTask({ nodeId: "n3" })] }) };
    await show(down);
    await stay([]);
    await lasts(MINUTE_MS, down);
    await become(["node_down node-3 critical"]);
    await lasts(5 * MINUTE_MS, down);
    await become(["node_down node-3 critical", "replica_unhealthy web critical"]);
    const held = server.alerting.active().find(({ event }) => event === "replica_unhealthy");
    assert.equal(held?.suppressedBy, "dependency");
    await show({});
    await become([]);
  });

  it("alerts tasks that are left on a drained node", async () => {
    const drained = { topology: swarmTopology({ nodes: [swarmNode(1, { availability: "drain" }), swarmNode(2)] }) };
    await show(drained);
    await lasts(2 * MINUTE_MS, drained);
    await become(["node_drained_with_tasks node-1 warning"]);
    await show({});
    await become([]);
  });

  it("alerts managers that are not reachable, and a quorum that is lost", async () => {
    const unreachable = { leader: false, reachability: "unreachable" } as const;
    const degraded = { topology: swarmTopology({ nodes: [swarmNode(1), swarmNode(2), swarmNode(3, { manager: unreachable })] }) };
    await show(degraded);
    await stay([]);
    await lasts(MINUTE_MS, degraded);
    await become(["quorum_degraded Swarm warning"]);
    const lost = { standing: "no_quorum", topology: null, reason: "The swarm has no leader." } as const;
    await show(lost);
    await lasts(MINUTE_MS, lost);
    await become(["quorum_degraded Swarm critical"]);
    const { clusters, services } = server.swarm.service.services(serviceQuery.parse({}));
    assert.deepEqual([clusters[0]?.observed, clusters[0]?.reason, services.length], [false, "The swarm has no leader.", 1]);
    await show({});
    await become([]);
  });

  it("says nothing of a service that is to be ignored", async () => {
    const settings = { ...swarmService().settings, ignored: true };
    const short = { topology: swarmTopology({ services: [swarmService({ settings })], tasks: [] }) };
    await show(short);
    await lasts(6 * MINUTE_MS, short);
    await stay([]);
  });

  describe("several managers", () => {
    it("are one cluster, in which the leader's word holds", async () => {
      await show({ nodeId: "n2", leader: false }, AGENT);
      await show({});
      const { clusters } = server.swarm.service.services(serviceQuery.parse({}));
      assert.deepEqual(
        clusters.map(({ id, agent_id }) => [id, agent_id]),
        [["c1", null]],
      );

      // The leader is gone, and the other one leads: no alert comes of that, and what it says holds at once.
      const nodes = [
        swarmNode(1, { manager: { leader: false, reachability: "reachable" } }),
        swarmNode(2, { manager: { leader: true, reachability: "reachable" } }),
      ];
      await show({ nodeId: "n2", topology: swarmTopology({ nodes, services: [] }) }, AGENT);
      const after = server.swarm.service.services(serviceQuery.parse({}));
      assert.deepEqual([after.clusters[0]?.agent_id, after.total], [AGENT, 0]);
      await stay([]);
    });
  });

  const refused = (text: RegExp) => (error: unknown) => isServiceError(error, "conflict") && text.test(error.message);

  it("says what to do where there is no swarm, and why it is not seen", async () => {
    const ask = () => server.swarm.service.services(serviceQuery.parse({}));
    assert.throws(ask, refused(/no engine of a watched host is a manager/));
    await show({ standing: "inactive", clusterId: null, nodeId: null, topology: null, reason: "Start one with `docker swarm init`." });
    assert.throws(ask, refused(/docker swarm init/));
    await show({ standing: "worker", clusterId: null, topology: null, reason: "This engine is a worker." });
    assert.throws(ask, refused(/is a worker/));
    await show({ standing: "locked", clusterId: null, nodeId: null, topology: null, reason: "The swarm is locked." });
    assert.throws(ask, refused(/is locked/));
    assert.deepEqual(
      server.events.flatMap(({ type, data }) => (type === "swarm.status_changed" ? [data.standing] : [])),
      ["worker", "locked"],
    );
  });

  it("keeps what it showed when it is locked or not heard of, and calls nothing gone", async () => {
    await show({});
    await show({ standing: "locked", clusterId: null, nodeId: null, topology: null, reason: "The swarm is locked." });
    const locked = server.swarm.service.services(serviceQuery.parse({}));
    assert.deepEqual([locked.total, locked.clusters[0]?.observed, locked.clusters[0]?.reason], [1, false, "The swarm is locked."]);
    await show({});
    await clock.advance(2 * MINUTE_MS);
    const silent = server.swarm.service.services(serviceQuery.parse({}));
    assert.deepEqual([silent.total, silent.clusters[0]?.observed], [1, false]);
    assert.equal(
      server.events.some(({ type }) => type === "swarm.service_removed"),
      false,
    );
  });

  it("forgets a swarm that its last engine has left, with its alerts", async () => {
    const paused = { state: "paused", message: "", startedAt: NOON, completedAt: null } as const;
    await showTopology({ services: [swarmService({ rollout: paused })] });
    await become(["update_paused web warning"]);
    await show({ standing: "inactive", clusterId: null, nodeId: null, topology: null, reason: "Start one with `docker swarm init`." });
    await become([]);
    assert.throws(() => server.swarm.service.services(serviceQuery.parse({})), refused(/docker swarm init/));
  });

  it("raises alerts anew about another manager when the agent that showed them is deleted", async () => {
    const paused = { state: "paused", message: "", startedAt: NOON, completedAt: null } as const;
    const topology = swarmTopology({
      services: [swarmService({ rollout: paused })],
      nodes: [
        swarmNode(1, { manager: { leader: false, reachability: "reachable" } }),
        swarmNode(2, { manager: { leader: true, reachability: "reachable" } }),
      ],
    });
    await show({ topology });
    await show({ topology, nodeId: "n2" }, AGENT);
    await become(["update_paused web warning"]);
    await server.removal.remove(AGENT, (purge) => database.tables<object>().write((unit) => purge(unit)));
    await show({ topology });
    await become(["update_paused web warning"]);
    assert.equal(server.alerting.active().find(({ source }) => source === "swarm")?.agentId, null);
  });

  it("pages through services, tasks and nodes", async () => {
    const services = [1, 2, 3, 10].map((number) => swarmService({ name: `web-${number}` }));
    const tasks = services.map(({ id }, index) => swarmTask({ id: `t${index}`, serviceId: id, state: index === 3 ? "failed" : "running" }));
    await showTopology({ services, tasks });
    const { service } = server.swarm;
    const first = service.services(serviceQuery.parse({ limit: "3" }));
    assert.deepEqual(
      first.services.map(({ name }) => name),
      ["web-1", "web-2", "web-3"],
    );
    const second = service.services(serviceQuery.parse({ limit: "3", cursor: first.next_cursor }));
    assert.deepEqual(
      second.services.map(({ name }) => name),
      ["web-10"],
    );
    assert.deepEqual(
      service.tasks(taskQuery.parse({ current: "false" })).tasks.map(({ name }) => name),
      ["web-10.1"],
    );
    assert.deepEqual(
      service.nodes(nodeQuery.parse({})).nodes.map(({ hostname, tasks: count, watched }) => [hostname, count, watched]),
      [
        ["node-1", 3, true],
        ["node-2", 0, false],
        ["node-3", 0, false],
      ],
    );
    assert.throws(
      () => service.service("none"),
      (error) => isServiceError(error, "not_found"),
    );
  });

  it("finds the ports that the routing mesh opens on every node", async () => {
    const labels = { "com.docker.swarm.service.id": "sweb" };
    const containers = [sighting({ externalId: "task", name: "web.1.x", runtime: "swarm", labels, ports: [] })];
    await server.see(null, { kind: "container.inventory", observedAt: clock.now(), containers });
    const found = (): string[] =>
      server.security.insights
        .list(insightQuery.parse({}))
        .insights.map(({ type, finding_key: key, bindings }) => `${type} ${key} ${bindings[0]?.host_port}`);
    const ports = (mode: "ingress" | "host", targetPort = 80) => ({
      services: [swarmService({ ports: [{ protocol: "tcp", targetPort, publishedPort: 8080, mode }] })],
    });
    await showTopology(ports("ingress"));
    assert.deepEqual(found(), ["service_node_port 80/tcp 8080"]);
    await showTopology(ports("ingress", 5432));
    assert.deepEqual(found(), ["database_port_exposed 5432/tcp 8080", "service_node_port 5432/tcp 8080"]);
    // Its container shows that one itself.
    await showTopology(ports("host"));
    assert.deepEqual(found(), []);
  });

  it("answers assistants, with the words of strangers fenced", async () => {
    const tools = server.swarm.tools();
    checkTools(tools);
    await showTopology({ tasks: [swarmTask({ state: "failed", desiredState: "shutdown", error: "task: non-zero exit (1)" })] });
    assert.match(JSON.stringify(await callTool(tools, "list_swarm_services")), /"state":"down".*"total":1/);
    assert.match(JSON.stringify(await callTool(tools, "get_swarm_service", { service_id: "sweb" })), /node-1/);
    assert.match(JSON.stringify(await callTool(tools, "list_swarm_nodes")), /node-3/);
    assert.match(JSON.stringify(await callTool(tools, "list_swarm_tasks", { service_id: "sweb" })), /non-zero exit/);
  });

  it("publishes what changed, and nothing where nothing did", async () => {
    await show({});
    const before = server.events.length;
    await show({});
    assert.equal(server.events.slice(before).filter(({ type }) => type.startsWith("swarm.")).length, 0);
    await showTopology({
      tasks: [swarmTask({ state: "failed", error: "boom" })],
      nodes: [swarmNode(1, { availability: "drain" }), swarmNode(2)],
    });
    assert.deepEqual(
      server.events.slice(before).flatMap(({ type }) => (type.startsWith("swarm.") ? [type] : [])),
      ["swarm.service_updated", "swarm.tasks_changed", "swarm.node_updated", "swarm.node_removed"],
    );
  });
});
