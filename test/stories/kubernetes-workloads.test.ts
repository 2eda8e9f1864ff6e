import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { listen } from "../support/event-source.ts";
import type { Account } from "../support/kubernetes/accounts.ts";
import { startCluster, type TestCluster } from "../support/kubernetes/cluster.ts";
import { runAllPods, runningStatus } from "../support/kubernetes/pods.ts";
import { RULES } from "../support/kubernetes/rules.ts";
import { createShop, deploymentOf, podTemplate } from "../support/kubernetes/shop.ts";
import { endedStatus } from "../support/kubernetes/statuses.ts";
import { SEEN, shownBy } from "../support/kubernetes/shown.ts";
import { startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";

/** From when the API server has a change until the program shows it, on a machine that is busy with other tests. */
const SHOWN_WITHIN_MS = 2_000;

const story = (databaseEnv: () => Promise<Record<string, string>>): void => {
  let cluster: TestCluster;
  let kubelets: { stop(): Promise<void> };
  let account: Account;
  let program: Awaited<ReturnType<typeof startProgram>>;
  let env: Record<string, string>;
  const shop = createShop(() => cluster);
  const shown = shownBy(() => program);

  before(async () => {
    cluster = await startCluster({ controllers: true });
    await Promise.all([cluster.addNode("node-a"), cluster.addNode("node-b")]);
    kubelets = runAllPods(cluster.api, { leaves: ({ metadata }) => metadata.name.startsWith("broken") });
    account = await cluster.account({ name: "binnacle", rules: RULES });
    env = { SERVICE_RUNTIME: "kubernetes", SERVICE_KUBECONFIG: account.kubeconfig, ...(await databaseEnv()) };
    program = await startProgram({ env });
  });
  after(async () => {
    await program?.stop();
    await kubelets?.stop();
    await cluster?.stop();
  });

  it("is connected with what it may read, and names what it may not", async () => {
    const status = await until(async () => {
      const now = await shown.runtime();
      return now.connected ? now : undefined;
    }, SEEN);
    assert.equal(status.runtime, "kubernetes");
    assert.match(String(status.version), /^v1\.20/);
    const missing = status.missing.join("\n");
    assert.match(missing, /Allow list and watch of secrets/);
    assert.match(missing, /nodes\/proxy/);
  });

  it("lists a workload by the time that kubectl has applied it, and its pods as they run", async () => {
    await shop.open();
    await shop.apply("Deployment", "web", deploymentOf("web", { replicas: 2 }), { "service.group": "Shop front" });
    const appliedMs = performance.now();
    await until(() => shown.workload("shop/web"), { ...SEEN, everyMs: 20 });
    const tookMs = performance.now() - appliedMs;
    assert.ok(tookMs < SHOWN_WITHIN_MS, `${tookMs} ms`);
    await until(async () => (await shown.workload("shop/web"))?.state === "running", SEEN);
    const detail = await shown.detail("shop/web");
    assert.deepEqual([detail.kind, detail.ready, detail.desired, detail.group], ["Deployment", 2, 2, "Shop front"]);
    assert.deepEqual(detail.pods.map(({ status, ready, node_name: node }) => [status, ready, node]).toSorted(), [
      ["Running", true, "node-a"],
      ["Running", true, "node-b"],
    ]);
    const row = await until(() => shown.row("shop/web"), SEEN);
    assert.deepEqual([row.runtime, row.state, row.health, row.group], ["kubernetes", "running", "healthy", "Shop front"]);
    assert.equal((await shown.detail("shop/web")).container_id, row.id);
  });

  it("has a row for each kind of workload, and none for what these are made of", async () => {
    await shop.apply("DaemonSet", "shipper", { selector: { matchLabels: { app: "shipper" } }, template: podTemplate("shipper") });
    const store = { replicas: 2, serviceName: "store", selector: { matchLabels: { app: "store" } }, template: podTemplate("store") };
    await shop.apply("StatefulSet", "store", store);
    await shop.apply("Job", "import", { template: podTemplate("import", { pod: { restartPolicy: "Never" } }) });
    await shop.apply("Pod", "probe", podTemplate("probe").spec);
    const all = ["shop/import", "shop/probe", "shop/shipper", "shop/store", "shop/web"];
    await until(async () => (await shown.workloads()).filter(({ state }) => state === "running").length === all.length, SEEN);
    assert.deepEqual(await shown.names(), all);
    await until(async () => String((await shown.rows()).map(({ name }) => name).toSorted()) === String(all), SEEN);
    await shop.say("import", (pod) => ({
      ...runningStatus(pod),
      phase: "Succeeded",
      containerStatuses: [endedStatus(0, "Completed")],
    }));
    await until(async () => (await shown.row("shop/import"))?.state === "completed", SEEN);
    assert.equal((await shown.workload("shop/import"))?.state, "completed");
  });

  it("follows it as it is scaled, and says so to those who listen", async () => {
    const events = await listen(`${program.url}/api/v1/containers/events?types=kubernetes.workload_updated`);
    await shop.kubectl("scale", "deployment/web", "--replicas=3");
    const isScaled = async (): Promise<boolean> => {
      const { status } = await cluster.api.get<{ status: { readyReplicas?: number } }>("/apis/apps/v1/namespaces/shop/deployments/web");
      return status.readyReplicas === 3;
    };
    await until(isScaled, { ...SEEN, everyMs: 20 });
    const scaledMs = performance.now();
    await until(async () => (await shown.workload("shop/web"))?.ready === 3, { ...SEEN, everyMs: 20 });
    const tookMs = performance.now() - scaledMs;
    assert.ok(tookMs < SHOWN_WITHIN_MS, `${tookMs} ms`);
    await events.wait(({ type, data }) => type === "kubernetes.workload_updated" && data["name"] === "shop/web" && data["ready"] === 3);
    await shop.kubectl("scale", "deployment/web", "--replicas=0");
    await until(async () => (await shown.row("shop/web"))?.state === "exited", SEEN);
    assert.deepEqual(await shown.alerted(), []);
    await shop.kubectl("scale", "deployment/web", "--replicas=2");
    await until(async () => (await shown.row("shop/web"))?.state === "running", SEEN);
    events.close();
  });

  it("names commands that update it, take that back and restart its pods", async () => {
    const image = async (): Promise<string | undefined> => (await shown.detail("shop/web")).containers[0]?.image;
    const { commands } = await shown.detail("shop/web");
    assert.ok(commands);
    const type = (command: string | null): Promise<string> => cluster.kubectl(...(command ?? "").split(" ").slice(1));
    await type(commands.update.replace("web:1", "web:2"));
    await until(async () => (await image()) === "web:2", SEEN);
    await until(async () => (await shown.workload("shop/web"))?.state === "running", SEEN);
    await type(commands.undo);
    await until(async () => (await image()) === "web:1", SEEN);
    await until(async () => (await shown.workload("shop/web"))?.state === "running", SEEN);
    const { revision } = await shown.detail("shop/web");
    await type(commands.restart);
    await until(async () => (await shown.detail("shop/web")).revision !== revision, SEEN);
    await until(async () => (await shown.workload("shop/web"))?.state === "running", SEEN);
  });

  it("knows the same workloads after a restart, as the same rows, and what changed meanwhile", async () => {
    const { id } = await until(() => shown.row("shop/web"), SEEN);
    const { dataDir, port } = program;
    await program.stop();
    await shop.kubectl("delete", "pod", "probe");
    program = await startProgram({ env, dataDir, port });
    await until(async () => (await shown.workload("shop/web"))?.state === "running", SEEN);
    await until(async () => (await shown.row("shop/probe")) === undefined, SEEN);
    assert.equal((await shown.row("shop/web"))?.id, id);
  });

  it("lets go of what a namespace held once it is deleted: its rows are gone, and so are their alerts, by removal", async () => {
    await shop.apply("Job", "broken", { backoffLimit: 0, template: podTemplate("broken", { pod: { restartPolicy: "Never" } }) });
    await shop.say("broken", () => ({ phase: "Failed", containerStatuses: [endedStatus(3, "Error")] }));
    await shown.raised("job_failed", "shop/broken");
    await until(async () => (await shown.row("shop/broken"))?.state === "exited", SEEN);
    await shop.kubectl("delete", "namespace", "shop", "--wait=false");
    await shown.over("job_failed", "shop/broken", "removal");
    await until(async () => (await shown.workloads()).length === 0, { ...SEEN, what: "no workload" });
    await until(async () => (await shown.rows()).length === 0, { ...SEEN, what: "no row" });
    assert.deepEqual(await shown.alerted(), []);
  });
};

storyOnBothDatabases("a cluster of Kubernetes and what runs in it", story);
