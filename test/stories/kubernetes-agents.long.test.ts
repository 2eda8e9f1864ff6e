import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { type AgentProgram, connectedAgent, makeToken, type ServerProgram, startAgent, startServer } from "../support/agent-program.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import type { Account } from "../support/kubernetes/accounts.ts";
import { startCluster, type TestCluster } from "../support/kubernetes/cluster.ts";
import { runAllPods } from "../support/kubernetes/pods.ts";
import { LEASES_RULE, RULES } from "../support/kubernetes/rules.ts";
import { createShop, deploymentOf, podTemplate } from "../support/kubernetes/shop.ts";
import { SEEN, shownBy } from "../support/kubernetes/shown.ts";
import { endedStatus } from "../support/kubernetes/statuses.ts";
import { temporaryFolder } from "../support/program.ts";
import { until } from "../support/until.ts";

/** An agent whose pod is called so. */
interface Installed {
  id: string;
  hostname: string;
  dataDir: string;
  program: AgentProgram;
}

const story = (databaseEnv: () => Promise<Record<string, string>>): void => {
  let cluster: TestCluster;
  let kubelets: { stop(): Promise<void> };
  let account: Account;
  let env: Record<string, string>;
  let server: ServerProgram;
  let [first, second]: (Installed | undefined)[] = [];
  /** Of the workload `web`. */
  let rowId: number;
  const shop = createShop(() => cluster);
  const shown = shownBy(() => server);

  before(async () => {
    cluster = await startCluster({ controllers: true });
    await cluster.addNode("node-a");
    kubelets = runAllPods(cluster.api, { leaves: ({ metadata }) => metadata.name.startsWith("broken") });
    account = await cluster.account({ name: "agent", rules: [...RULES, LEASES_RULE] });
    await shop.open();
    await shop.apply("Deployment", "web", deploymentOf("web", { replicas: 2 }));
    env = await databaseEnv();
    server = await startServer({ env });
  });
  after(async () => {
    await Promise.all([first?.program.stop(), second?.program.stop()]);
    await server?.stop();
    await kubelets?.stop();
    await cluster?.stop();
  });

  async function install(hostname: string): Promise<Installed> {
    const { token } = await makeToken(server, { label: hostname });
    const dataDir = temporaryFolder();
    const program = start(hostname, dataDir, { SERVICE_ENROLLMENT_TOKEN: token });
    return { hostname, dataDir, program, id: (await connectedAgent(server, { label: hostname })).id };
  }
  function start(hostname: string, dataDir: string, more: Record<string, string> = {}): AgentProgram {
    const watched = { SERVICE_RUNTIME: "kubernetes", SERVICE_KUBECONFIG: account.kubeconfig };
    return startAgent({ server: server.grpcUrl, hostname, dataDir, env: { ...watched, ...more } });
  }
  function installed(agent: Installed | undefined): Installed {
    assert.ok(agent);
    return agent;
  }
  const standings = async (): Promise<string[]> =>
    ((await shown.cluster())?.hosts ?? [])
      .map(({ agent_id: id, standing }) => `${id === first?.id ? "first" : "second"} ${standing}`)
      .toSorted();
  const becomes = (...expected: string[]): Promise<unknown> =>
    until(async () => String(await standings()) === String(expected), { ...SEEN, what: expected.join() });
  const rows = async (): Promise<string[]> =>
    (await shown.rows()).map(({ name, agent_id: id }) => `${name} ${id === first?.id ? "first" : "second"}`).toSorted();
  const hasRows = (...expected: string[]): Promise<unknown> =>
    until(async () => String(await rows()) === String(expected), { ...SEEN, what: expected.join() });
  /** The row is that of the cluster, whichever agent watches it. */
  async function keepsItsRow(expected: string): Promise<void> {
    await hasRows(expected);
    assert.equal((await shown.row("shop/web"))?.id, rowId);
  }
  /** That an agent is away is alerted as such. */
  const noneIsCalledGone = async (): Promise<void> =>
    assert.deepEqual(
      (await shown.alerts()).filter(({ source }) => source !== "agent" && source !== "security"),
      [],
    );

  it("an agent sends its cluster: workloads, rows and alerts of its host", async () => {
    first = await install("agent-1");
    await until(async () => (await shown.workload("shop/web"))?.state === "running", SEEN);
    assert.equal((await shown.workload("shop/web"))?.agent_id, first.id);
    const row = await until(() => shown.row("shop/web"), SEEN);
    assert.deepEqual([row.runtime, row.state, row.agent_id], ["kubernetes", "running", first.id]);
    assert.equal((await shown.workload("shop/web"))?.container_id, row.id);
    rowId = row.id;
    const job = { backoffLimit: 0, template: podTemplate("broken-import", { pod: { restartPolicy: "Never" } }) };
    await shop.apply("Job", "broken-import", job);
    await shop.say("broken-import", () => ({ phase: "Failed", containerStatuses: [endedStatus(3, "Error")] }));
    assert.equal((await shown.raised("job_failed", "shop/broken-import")).agent_id, first.id);
  });

  it("what changes while the server is away is there when it is back", async () => {
    const { dataDir, port, grpcPort } = server;
    await server.stop();
    await shop.kubectl("scale", "deployment/web", "--replicas=3");
    await shop.kubectl("delete", "job", "broken-import");
    server = await startServer({ env, dataDir, port, grpcPort });
    await until(async () => (await shown.workload("shop/web"))?.ready === 3, SEEN);
    await shown.over("job_failed", "shop/broken-import", "removal");
  });

  it("a second agent in the cluster stands by, and says who watches", async () => {
    second = await install("agent-2");
    await becomes("first watching", "second standby");
    const { hosts } = (await shown.cluster()) ?? { hosts: [] };
    assert.equal(hosts.find(({ standing }) => standing === "standby")?.reason, "This cluster is watched by the agent agent-1.");
    await hasRows("shop/web first");
  });

  it("takes over at once from one that ends, and neither calls anything gone", async () => {
    const { program } = installed(first);
    const stoppedMs = performance.now();
    await program.stop();
    await until(async () => (await shown.cluster())?.agent_id === second?.id, { ...SEEN, what: "the word of the second" });
    const tookMs = performance.now() - stoppedMs;
    assert.ok(tookMs < 45_000, `${tookMs} ms`);
    await keepsItsRow("shop/web second");
    await noneIsCalledGone();
    await shop.kubectl("scale", "deployment/web", "--replicas=1");
    await until(async () => (await shown.workload("shop/web"))?.ready === 1, SEEN);
  });

  it("takes over from one that was killed, once its lease is over", async () => {
    const { hostname, dataDir } = installed(first);
    installed(first).program = start(hostname, dataDir);
    await becomes("first standby", "second watching");
    await keepsItsRow("shop/web second");
    await installed(second).program.kill();
    await until(async () => (await shown.cluster())?.agent_id === first?.id, { ...SEEN, what: "the word of the first" });
    await keepsItsRow("shop/web first");
    assert.equal((await shown.workload("shop/web"))?.ready, 1);
    await noneIsCalledGone();
  });
};

storyOnBothDatabases("agents of a cluster of Kubernetes", story, "postgresql");
