import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { ActiveAlerts } from "../../src/alerting/alerts/answers.ts";
import type { GenerationList, TransitionList } from "../../src/monitoring/containers/answers.ts";
import type { ClusterRecord, NodeList, ServiceList, ServiceLogs, TaskList } from "../../src/monitoring/swarm/answers.ts";
import { type AgentProgram, connectedAgent, makeToken, type ServerProgram, startAgent, startServer } from "../support/agent-program.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { listen } from "../support/event-source.ts";
import { BUSYBOX } from "../support/images.ts";
import { startSwarm, type TestSwarm } from "../support/swarm.ts";
import type { SecondHost } from "../support/two-hosts.ts";
import { until } from "../support/until.ts";

const SEEN = { withinMs: 60_000, everyMs: 200 };

/** Agents on three engines of one swarm, of which two stay managers: the server shows it once. */
const story = (databaseEnv: () => Promise<Record<string, string>>): void => {
  let swarm: TestSwarm;
  let server: ServerProgram;
  let env: Record<string, string>;
  const agents: AgentProgram[] = [];
  const ids: string[] = [];

  before(async () => {
    swarm = await startSwarm(3);
    env = { ...(await databaseEnv()), SERVICE_EMBEDDED_AGENT: "false" };
    server = await startServer({ env });
    for (const { hostname, engine } of swarm.hosts) {
      const { token } = await makeToken(server, { label: hostname });
      agents.push(startAgent({ server: server.grpcUrl, env: { SERVICE_ENROLLMENT_TOKEN: token, SERVICE_DOCKER_HOST: engine.host } }));
      ids.push((await connectedAgent(server, { label: hostname })).id);
    }
    await until(async () => (await clusters()).length > 0, SEEN);
  });
  after(async () => {
    await Promise.all(agents.map((agent) => agent.stop()));
    await server?.stop();
    await swarm?.stop();
  });

  function host(number: number): SecondHost {
    const found = swarm.hosts[number];
    assert.ok(found);
    return found;
  }
  const services = (): Promise<Partial<ServiceList>> => server.get<Partial<ServiceList>>("/api/v1/swarm/services");
  const clusters = async (): Promise<ClusterRecord[]> => (await services()).clusters ?? [];
  const running = async (name: string): Promise<number | undefined> =>
    (await services()).services?.find((each) => each.name === name)?.running;

  it("are one cluster, shown by the leader", async () => {
    await until(async () => (await clusters())[0]?.agent_id === ids[0], { ...SEEN, what: "the word of the leader" });
    assert.deepEqual(
      (await clusters()).map(({ id, managers, nodes }) => [id, managers, nodes]),
      [[swarm.id, 3, 3]],
    );
    const watched = async (): Promise<string> => {
      const { nodes } = await server.get<NodeList>("/api/v1/swarm/nodes");
      return nodes.map(({ hostname, agent_id: agentId }) => `${hostname} ${agentId}`).join();
    };
    const expected = ["node-1", "node-2", "node-3"].map((name, index) => `${name} ${ids[index]}`).join();
    await until(async () => (await watched()) === expected, { ...SEEN, what: "the host of each node" });
  });

  it("join each task to the container that its own agent shows", async () => {
    await host(1).engine.docker("service", "create", "-d", "--no-resolve-image", "--name", "all", "--mode", "global", BUSYBOX);
    const joined = await until(
      async () => {
        const { tasks } = await server.get<TaskList>("/api/v1/swarm/tasks?current=true");
        return tasks.length === 3 && tasks.every(({ container_id: id }) => id !== null) ? tasks : undefined;
      },
      { ...SEEN, what: "the containers of three tasks" },
    );
    assert.deepEqual(joined.map(({ agent_id: agentId }) => agentId).toSorted(), ids.toSorted());
  });

  it("give the lines of all tasks of a service, in the order of time", async () => {
    const says = ["sh", "-c", "while :; do echo hello from $(hostname); sleep 1; done"];
    await host(1).engine.docker(
      "service",
      "create",
      "-d",
      "--no-resolve-image",
      "--name",
      "talks",
      "--mode",
      "global",
      "--hostname",
      "{{.Node.Hostname}}",
      BUSYBOX,
      ...says,
    );
    const id = await host(1).engine.docker("service", "inspect", "-f", "{{.ID}}", "talks");
    const logs = (): Promise<ServiceLogs> => server.get<ServiceLogs>(`/api/v1/swarm/services/${id}/logs?search=hello`);
    const read = await until(
      async () => {
        const found = await logs();
        return new Set(found.lines?.map(({ node_name: name }) => name)).size === 3 ? found : undefined;
      },
      { ...SEEN, what: "lines of three nodes" },
    );
    assert.deepEqual(read.unseen, []);
    for (const { text, node_name: name } of read.lines) assert.equal(text, `hello from ${name}`);
    const times = read.lines.map(({ timestamp }) => timestamp ?? "");
    assert.deepEqual(times, times.toSorted());
    const followed = await listen(`${server.url}/api/v1/swarm/services/${id}/logs/stream?lines=1`);
    for (const name of ["node-1", "node-2", "node-3"])
      await followed.wait(({ type, data }) => type === "log" && data["node_name"] === name && data["text"] === `hello from ${name}`);
    await host(1).engine.docker("service", "rm", "talks");
    const end = await followed.wait(({ type }) => type === "end");
    assert.equal(end.data["reason"], "service_removed");
  });

  it("keep the container of a slot over a node that is drained: its id, its thresholds, its history", async () => {
    const { engine } = host(1);
    await engine.docker(
      "service",
      "create",
      "-d",
      "--no-resolve-image",
      "--name",
      "shop",
      "--restart-delay",
      "0s",
      BUSYBOX,
      "sleep",
      "1000",
    );
    const shop = async (): Promise<TaskList["tasks"][number] | undefined> =>
      (await server.get<TaskList>("/api/v1/swarm/tasks?current=true")).tasks.find(({ name }) => name === "shop.1");
    const first = await until(async () => ((await shop())?.container_id == null ? undefined : await shop()), {
      ...SEEN,
      what: "its container",
    });
    const thresholds = `/api/v1/containers/${first.container_id}/resources/alerts`;
    const { status } = await fetch(`${server.url}${thresholds}`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ cpu_threshold: 70, memory_threshold: null, debounce_seconds: 60 }),
    });
    assert.equal(status, 200);

    await engine.docker("node", "update", "--availability", "drain", first.node_name ?? "");
    const moved = await until(
      async () => {
        const now = await shop();
        return now?.agent_id != null && now.agent_id !== first.agent_id && now.container_id === first.container_id ? now : undefined;
      },
      { ...SEEN, what: "the same container on another node" },
    );
    await engine.docker("node", "update", "--availability", "active", first.node_name ?? "");
    assert.equal((await server.get<{ cpu_threshold: number }>(thresholds)).cpu_threshold, 70);
    const { generations } = await server.get<GenerationList>(`/api/v1/containers/${moved.container_id}/generations`);
    assert.deepEqual(
      generations.map(({ agent_id: agentId, end_reason: why }) => [agentId, why === null]),
      [
        [moved.agent_id, true],
        [first.agent_id, false],
      ],
    );
    const transitions = await until(
      async () => {
        const known = await server.get<TransitionList>(`/api/v1/containers/${moved.container_id}/transitions`);
        return known.transitions[0]?.new_state === "running" ? known.transitions : undefined;
      },
      { ...SEEN, what: "its start on the other node" },
    );
    assert.ok(transitions.length >= 2);
    await engine.docker("service", "rm", "shop");
  });

  it("continue with the next leader when the first is cut off, without an alert of that", async () => {
    await host(0).unplug();
    const begun = performance.now();
    await until(async () => [ids[1], ids[2]].includes((await clusters())[0]?.agent_id ?? ""), {
      ...SEEN,
      what: "the word of another manager",
    });
    const tookMs = performance.now() - begun;
    assert.ok(tookMs < 30_000, `${tookMs} ms`);
    assert.equal((await clusters())[0]?.observed, true);
    await until(async () => (await running("all")) === 2, { ...SEEN, what: "two tasks that are known to run" });
    const { alerts } = await server.get<ActiveAlerts>("/api/v1/alerts/active");
    assert.deepEqual(
      alerts.filter(({ source, event }) => source === "swarm" && !["node_down", "quorum_degraded"].includes(event)),
      [],
    );
    await host(0).plug();
    // The engine that was cut off asks for the others again after longer and longer waits.
    await until(async () => (await running("all")) === 3, { ...SEEN, withinMs: 180_000, what: "three tasks" });
    assert.equal((await clusters()).length, 1);
  });

  it("say it again to a server that was restarted", async () => {
    const { dataDir, port, grpcPort } = server;
    await server.stop();
    server = await startServer({ env, dataDir, port, grpcPort });
    await until(async () => (await running("all").catch(() => undefined)) === 3, { ...SEEN, what: "the swarm after a restart" });
  });
};

storyOnBothDatabases("agents of one swarm", story);
