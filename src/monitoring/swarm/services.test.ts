import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { exposureOfOnly } from "../../../test/support/exposure.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { swarmNode, swarmService, swarmTask } from "../../../test/support/swarm-topology.ts";
import { callTool, checkTools } from "../../../test/support/tools.ts";
import { AGENT, watchSwarms } from "../../../test/support/watched-swarms.ts";
import type { SwarmTask } from "../../observations/swarm.ts";
import { isServiceError } from "../../platform/errors.ts";
import { insightQuery } from "../security/api.ts";
import { nodeQuery, serviceQuery, taskQuery } from "./api.ts";

onBothDatabases((databases) => {
  const w = watchSwarms(databases);
  const { showTopology } = w;

  const states = (): string[] =>
    w.server.swarm.service
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

  it("pages through services, tasks and nodes", async () => {
    const services = [1, 2, 3, 10].map((number) => swarmService({ name: `web-${number}` }));
    const tasks = services.map(({ id }, index) => swarmTask({ id: `t${index}`, serviceId: id, state: index === 3 ? "failed" : "running" }));
    await showTopology({ services, tasks });
    const { service } = w.server.swarm;
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

  it("answers assistants, with the words of strangers fenced", async () => {
    const tools = await w.server.swarm.tools();
    await checkTools(tools);
    await showTopology({ tasks: [swarmTask({ state: "failed", desiredState: "shutdown", error: "task: non-zero exit (1)" })] });
    assert.match(JSON.stringify(await callTool(tools, "list_swarm_services")), /"state":"down".*"total":1/);
    assert.match(JSON.stringify(await callTool(tools, "get_swarm_service", { service_id: "sweb" })), /node-1/);
    assert.match(JSON.stringify(await callTool(tools, "list_swarm_nodes")), /node-3/);
    assert.match(JSON.stringify(await callTool(tools, "list_swarm_tasks", { service_id: "sweb" })), /non-zero exit/);
  });

  it("is filtered by host, also where that is a worker", async () => {
    await w.show({ standing: "worker", clusterId: null, nodeId: "n2", topology: null }, AGENT);
    const tasks = [
      swarmTask(),
      swarmTask({ id: "t2", slot: 2, nodeId: "n2" }),
      swarmTask({ id: "t3", slot: 3, nodeId: null, state: "pending" }),
    ];
    await showTopology({ tasks, services: [swarmService({ replicas: 3 })] });
    const { service } = w.server.swarm;
    const of = (host: string) => [
      service.services(serviceQuery.parse({ agent_id: host })).services.map(({ name }) => name),
      service.tasks(taskQuery.parse({ agent_id: host })).tasks.map(({ id }) => id),
      service.nodes(nodeQuery.parse({ agent_id: host })).nodes.map(({ hostname }) => hostname),
    ];
    assert.deepEqual(of("local"), [["web"], ["t1"], ["node-1"]]);
    assert.deepEqual(of(AGENT), [["web"], ["t2"], ["node-2"]]);
    assert.deepEqual(of("7c9e6679-7425-40de-944b-e07fc1f90ae7"), [[], [], []]);
  });

  describe("a task's container that ended", () => {
    const labels = {
      "com.docker.swarm.service.id": "sweb",
      "com.docker.swarm.service.name": "web",
      "com.docker.swarm.task.id": "t1",
      "com.docker.swarm.task.name": "web.1.t1",
    };
    const failed = swarmTask({ state: "failed", desiredState: "shutdown" });
    const next = swarmTask({ id: "t2", nodeId: "n2" });
    const down = (): string[] =>
      w.server.alerting.active().flatMap(({ source, entityName }) => (source === "container" ? [entityName] : []));
    async function lasts(minutes: number, tasks?: SwarmTask[]): Promise<void> {
      for (let passed = 0; passed < minutes * 2; passed += 1) {
        const observedAt = w.clock.now();
        const ended = sighting({ externalId: "task", name: "web.1.t1", runtime: "swarm", labels, state: "exited", exitCode: 1 });
        await w.server.see(null, { kind: "container.inventory", observedAt, containers: [ended] });
        if (tasks !== undefined) await showTopology({ tasks });
        await w.clock.advance(30_000);
      }
    }
    beforeEach(async () => {
      const running = sighting({ externalId: "task", name: "web.1.t1", runtime: "swarm", labels });
      await w.server.see(null, { kind: "container.inventory", observedAt: w.clock.now(), containers: [running] });
    });

    it("is down while its slot has no other that runs", async () => {
      // That another slot runs says nothing.
      await lasts(5, [failed, swarmTask({ id: "t2", nodeId: "n2", state: "starting" }), swarmTask({ id: "t3", slot: 2 })]);
      assert.deepEqual(down(), ["web.1.t1"]);
      await lasts(1, [failed, next]);
      assert.deepEqual(down(), []);
    });

    it("is not down when the next task of its slot runs on another node, after a start neither", async () => {
      await lasts(5, [failed, next]);
      assert.deepEqual(down(), []);
      await w.restart();
      await lasts(0.5);
      assert.deepEqual(down(), [], "the swarm may still be shown");
      await lasts(5, [failed, next]);
      assert.deepEqual(down(), []);
    });

    it("is down when no manager says otherwise", async () => {
      await lasts(5);
      assert.deepEqual(down(), ["web.1.t1"]);
    });
  });

  it("finds the ports that the routing mesh opens on every node", async () => {
    const labels = { "com.docker.swarm.service.id": "sweb" };
    const containers = [sighting({ externalId: "task", name: "web.1.x", runtime: "swarm", labels, ports: [] })];
    await w.server.see(null, { kind: "container.inventory", observedAt: w.clock.now(), containers });
    const found = (): string[] =>
      w.server.security.insights
        .list(insightQuery.parse({}))
        .insights.map(({ type, finding_key: key, bindings }) => `${type} ${key} ${bindings[0]?.host_port}`);
    const ports = (mode: "ingress" | "host", targetPort = 80) => ({
      services: [swarmService({ ports: [{ protocol: "tcp", targetPort, publishedPort: 8080, mode }] })],
    });
    assert.equal(await exposureOfOnly(w.server), "0 or more: What its cluster opens for it is not known.");
    await showTopology(ports("ingress"));
    assert.deepEqual(found(), ["service_node_port 80/tcp 8080"]);
    assert.equal(await exposureOfOnly(w.server), "4: A port of its service is open outside its cluster.");
    await showTopology(ports("ingress", 5432));
    assert.deepEqual(found(), ["database_port_exposed 5432/tcp 8080", "service_node_port 5432/tcp 8080"]);
    // Its container shows that one itself.
    await showTopology(ports("host"));
    assert.deepEqual(found(), []);
    assert.equal(await exposureOfOnly(w.server), "0: No port is exposed on all interfaces.");
  });
});
