import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ActiveAlerts, AlertRecord } from "../../src/alerting/alerts/api.ts";
import type { ContainerList, ContainerRecord } from "../../src/monitoring/containers/api.ts";
import type { PodList, WorkloadDetail, WorkloadList, WorkloadRecord } from "../../src/monitoring/kubernetes/api.ts";
import type { RuntimeStatusRecord } from "../../src/app/meta/api.ts";
import type { Account } from "../support/kubernetes/accounts.ts";
import { startCluster, type TestCluster } from "../support/kubernetes/cluster.ts";
import type { TestNode } from "../support/kubernetes/nodes.ts";
import { runAllPods, setPodStatus, type TestPod } from "../support/kubernetes/pods.ts";
import { waiting } from "../support/kubernetes-objects.ts";
import { type Program, startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";

/** Binnacle shows a change within a second or two; controllers, nodes and other programs on this machine take longer. */
const SEEN = { withinMs: 60_000, everyMs: 100 };
const LONG = { withinMs: 150_000, everyMs: 200 };
const READ = ["get", "list", "watch"];
const RULES = [
  { apiGroups: [""], resources: ["namespaces", "nodes", "pods", "services", "events", "persistentvolumeclaims"], verbs: READ },
  { apiGroups: ["apps"], resources: ["deployments", "statefulsets", "daemonsets", "replicasets"], verbs: READ },
  { apiGroups: ["batch"], resources: ["jobs", "cronjobs"], verbs: READ },
  { apiGroups: ["autoscaling"], resources: ["horizontalpodautoscalers"], verbs: READ },
  { apiGroups: ["networking.k8s.io"], resources: ["ingresses", "networkpolicies"], verbs: READ },
];

/** Pods whose name begins so are left to the test. */
const BROKEN = "broken";

describe("a cluster of Kubernetes, watched from outside", () => {
  let cluster: TestCluster;
  let kubelets: { stop(): Promise<void> };
  let account: Account;
  let nodes: TestNode[];
  let program: Program;

  before(async () => {
    cluster = await startCluster({ controllers: true });
    nodes = [await cluster.addNode("node-a"), await cluster.addNode("node-b")];
    kubelets = runAllPods(cluster.api, { leaves: ({ metadata }) => metadata.name.startsWith(BROKEN) });
    account = await cluster.account({ name: "binnacle", rules: RULES });
    program = await startProgram({ env: { SERVICE_RUNTIME: "kubernetes", SERVICE_KUBECONFIG: account.kubeconfig } });
  });
  after(async () => {
    await program?.stop();
    await kubelets?.stop();
    await cluster?.stop();
  });

  const workloads = async (): Promise<WorkloadRecord[]> =>
    (await program.get<Partial<WorkloadList>>("/api/v1/kubernetes/workloads")).workloads ?? [];
  const workload = async (name: string): Promise<WorkloadRecord | undefined> =>
    (await workloads()).find((each) => `${each.namespace}/${each.name}` === name);
  const rows = async (): Promise<ContainerRecord[]> =>
    (await program.get<ContainerList>("/api/v1/containers?limit=100")).groups.flatMap(({ containers }) => containers);
  const row = async (name: string): Promise<ContainerRecord | undefined> => (await rows()).find((each) => each.name === name);
  const alerts = async (): Promise<AlertRecord[]> => (await program.get<ActiveAlerts>("/api/v1/alerts/active")).alerts;
  const alert = async (event: string, entity: string): Promise<AlertRecord | undefined> =>
    (await alerts()).find((each) => each.source === "kubernetes" && each.event === event && each.entity_name === entity);
  const raised = (event: string, entity: string): Promise<AlertRecord> =>
    until(() => alert(event, entity), { ...SEEN, what: `${event} of ${entity}` });
  const resolved = (event: string, entity: string): Promise<true> =>
    until(async () => (await alert(event, entity)) === undefined || undefined, { ...SEEN, what: `${event} of ${entity} to be over` });
  const runtime = (): Promise<RuntimeStatusRecord> => program.get<RuntimeStatusRecord>("/api/v1/runtime/status");

  async function apply(kind: string, name: string, spec: object, { namespace = "shop", annotations = {} } = {}): Promise<void> {
    const versions: Record<string, string> = { Deployment: "apps/v1", Job: "batch/v1", CronJob: "batch/v1beta1" };
    await cluster.apply(JSON.stringify({ apiVersion: versions[kind] ?? "v1", kind, metadata: { name, namespace, annotations }, spec }));
  }
  const template = (name: string, more: object = {}) => ({
    metadata: { labels: { app: name } },
    spec: { containers: [{ name: "app", image: `${name}:1`, ...more }] },
  });
  const deployment = (name: string, { replicas = 2, ...more }: { replicas?: number; resources?: object } = {}) => ({
    replicas,
    selector: { matchLabels: { app: name } },
    template: template(name, more),
  });

  async function podsOf(name: string): Promise<TestPod[]> {
    return (await cluster.api.get<{ items: TestPod[] }>(`/api/v1/namespaces/shop/pods?labelSelector=app%3D${name}`)).items;
  }
  /** Has the kubelet of each pod of a workload say so of it. */
  async function say(name: string, status: (pod: TestPod) => object): Promise<void> {
    const pods = await until(async () => {
      const found = (await podsOf(name)).filter(({ spec }) => spec.nodeName !== undefined);
      return found.length > 0 ? found : undefined;
    }, SEEN);
    for (const pod of pods) await setPodStatus(cluster.api, { namespace: "shop", name: pod.metadata.name, status: status(pod) });
  }

  it("is connected with what it may read, and names what it may not", async () => {
    const status = await until(async () => ((await runtime()).connected ? runtime() : undefined), SEEN);
    assert.equal(status.runtime, "kubernetes");
    assert.match(String(status.version), /^v1\.20/);
    assert.ok(
      status.missing.some((text) => text.includes("metrics")),
      String(status.missing),
    );
  });

  it("shows a deployment as a workload with its pods, and as a container", async () => {
    await cluster.kubectl("create", "namespace", "shop");
    await apply("Deployment", "web", deployment("web"), { annotations: { "service.group": "Shop front" } });
    await until(async () => (await workload("shop/web"))?.state === "running", SEEN);
    const found = await workload("shop/web");
    assert.deepEqual([found?.kind, found?.ready, found?.desired, found?.group], ["Deployment", 2, 2, "Shop front"]);
    const detail = await program.get<WorkloadDetail>(`/api/v1/kubernetes/workloads/${found?.id}`);
    assert.deepEqual(
      detail.pods.map(({ status, ready }) => [status, ready]),
      [
        ["Running", true],
        ["Running", true],
      ],
    );
    const container = await until(() => row("shop/web"), SEEN);
    assert.deepEqual(
      [container.runtime, container.state, container.health, container.group],
      ["kubernetes", "running", "healthy", "Shop front"],
    );
    assert.equal(detail.container_id, container.id);
  });

  it("follows it as it is scaled, within two seconds of the cluster", async () => {
    await cluster.kubectl("scale", "deployment/web", "-n", "shop", "--replicas=3");
    const isScaled = async (): Promise<boolean> => {
      const { status } = await cluster.api.get<{ status: { readyReplicas?: number } }>("/apis/apps/v1/namespaces/shop/deployments/web");
      return status.readyReplicas === 3;
    };
    await until(isScaled, SEEN);
    await until(async () => (await workload("shop/web"))?.ready === 3, { withinMs: 10_000, everyMs: 20 });
  });

  it("alerts a crash loop, an image that cannot be pulled and memory that ran out, and that they are over", async () => {
    await apply("Deployment", "broken-loop", deployment("broken-loop", { replicas: 1 }));
    const at = new Date().toISOString();
    await say("broken-loop", () => ({
      phase: "Running",
      conditions: [{ type: "Ready", status: "False" }],
      containerStatuses: [
        waiting("app", "CrashLoopBackOff", {
          restartCount: 5,
          last: { exitCode: 137, reason: "OOMKilled", startedAt: at, finishedAt: at },
        }),
      ],
    }));
    const loop = await raised("crash_loop", "shop/broken-loop");
    assert.equal(loop.severity, "critical");
    assert.match(loop.message, /crash-looping: app of broken-loop-.* was restarted 5 times/);
    await raised("oom", "shop/broken-loop");
    assert.equal((await row("shop/broken-loop"))?.state, "restarting");
    // Alerts of the container are not raised beside them.
    assert.deepEqual(
      (await alerts()).filter(({ source }) => source === "container"),
      [],
    );
    await apply("Deployment", "broken-image", deployment("broken-image", { replicas: 1 }));
    await say("broken-image", () => ({ phase: "Pending", containerStatuses: [waiting("app", "ImagePullBackOff")] }));
    await until(async () => (await workload("shop/broken-image"))?.message?.includes("ImagePullBackOff"), SEEN);
    await cluster.kubectl("delete", "deployment", "broken-loop", "-n", "shop");
    await resolved("crash_loop", "shop/broken-loop");
    const { resolution } = await ended("crash_loop", "shop/broken-loop");
    assert.equal(resolution?.by, "removal");
  });

  async function ended(event: string, entity: string): Promise<AlertRecord> {
    const { alerts: all } = await program.get<{ alerts: AlertRecord[] }>("/api/v1/alerts?limit=100");
    const found = all.find((each) => each.event === event && each.entity_name === entity && each.status !== "active");
    assert.ok(found, `${event} of ${entity}`);
    return found;
  }

  it("alerts pods that no node takes, in the words of the scheduler", async () => {
    const resources = { requests: { cpu: "1000" } };
    await apply("Deployment", "huge", deployment("huge", { replicas: 1, resources }));
    await until(async () => (await workload("shop/huge"))?.message?.includes("Insufficient cpu"), SEEN);
    const { pods } = await program.get<PodList>("/api/v1/kubernetes/pods?search=huge");
    assert.match(String(pods[0]?.message), /0\/2 nodes are available/);
  });

  it("alerts a job that failed, until it runs again", async () => {
    await apply("Job", "broken-job", {
      backoffLimit: 0,
      template: { ...template("broken-job"), spec: { ...template("broken-job").spec, restartPolicy: "Never" } },
    });
    await say("broken-job", () => ({
      phase: "Failed",
      containerStatuses: [
        {
          ...waiting("app", "Error"),
          state: {
            terminated: { exitCode: 3, reason: "Error", startedAt: new Date().toISOString(), finishedAt: new Date().toISOString() },
          },
        },
      ],
    }));
    const failed = await raised("job_failed", "shop/broken-job");
    assert.match(failed.message, /The job shop\/broken-job failed/);
    await until(async () => (await row("shop/broken-job"))?.state === "exited", SEEN);
    await cluster.kubectl("delete", "job", "broken-job", "-n", "shop");
    await resolved("job_failed", "shop/broken-job");
  });

  it("alerts a node under pressure, and one that falls silent, which holds back what hangs on it", async () => {
    await nodes[0]?.condition("DiskPressure", "True");
    await raised("node_pressure", "node-a");
    await nodes[0]?.condition("DiskPressure", "False");
    await resolved("node_pressure", "node-a");
    nodes[1]?.silence();
    const lost = await raised("node_not_ready", "node-b");
    assert.equal(lost.severity, "critical");
    await nodes[1]?.wake();
    await resolved("node_not_ready", "node-b");
  });

  async function restartApiServer(): Promise<void> {
    await cluster.apiServer.end("SIGKILL");
    await cluster.restartApiServer();
  }

  it("takes nothing for gone or well while the API server is away", async () => {
    const known = (await workloads()).map(({ name }) => name).toSorted();
    await cluster.apiServer.end("SIGKILL");
    await until(async () => !(await runtime()).connected, { ...LONG, what: "the cluster to be lost" });
    await until(async () => (await program.get<WorkloadList>("/api/v1/kubernetes/workloads")).clusters[0]?.observed === false, {
      ...LONG,
      what: "the cluster not to be observed",
    });
    assert.deepEqual((await workloads()).map(({ name }) => name).toSorted(), known);
    assert.ok(await row("shop/web"));
    await cluster.restartApiServer();
    await until(async () => (await runtime()).connected, { ...LONG, what: "the cluster to be connected again" });
    await until(async () => (await workload("shop/web"))?.state === "running", SEEN);
    assert.deepEqual((await workloads()).map(({ name }) => name).toSorted(), known);
  });

  it("keeps what it may not see any more, and takes nothing of it for gone", async () => {
    const known = (await workloads()).length;
    await account.allow(RULES.map((rule) => ({ ...rule, resources: rule.resources.filter((name) => name !== "deployments") })));
    // Rights are looked at when a watch begins.
    await restartApiServer();
    const { unseen } = await until(
      async () => {
        const [shown] = (await program.get<WorkloadList>("/api/v1/kubernetes/workloads")).clusters;
        return shown?.unseen.some(({ kind }) => kind === "workloads") === true ? shown : undefined;
      },
      { ...LONG, what: "workloads that are not seen" },
    );
    assert.match(unseen.find(({ kind }) => kind === "workloads")?.reason ?? "", /Allow list and watch of deployments\.apps/);
    assert.equal((await workloads()).length, known);
    assert.equal((await row("shop/web"))?.state, "running");
    await account.allow(RULES);
    await until(async () => (await program.get<WorkloadList>("/api/v1/kubernetes/workloads")).clusters[0]?.unseen.length === 0, {
      ...LONG,
      what: "all to be seen again",
    });
  });

  it("lets go of what a namespace held once it is deleted", async () => {
    await cluster.kubectl("delete", "namespace", "shop", "--wait=false");
    for (const pod of await podsOf("broken-image")) await cluster.api.remove(`/api/v1/namespaces/shop/pods/${pod.metadata.name}`);
    await until(async () => (await workloads()).length === 0, LONG);
    await until(async () => (await rows()).length === 0, SEEN);
    await until(async () => (await alerts()).filter(({ source }) => source === "kubernetes").length === 0, SEEN);
  });

  it("names its rights as wanting once its token is revoked, and nothing is gone by that", async () => {
    await apply("Deployment", "last", deployment("last", { replicas: 1 }), { namespace: "default" });
    await until(async () => (await workload("default/last"))?.state === "running", SEEN);
    await account.remove();
    await until(async () => !(await runtime()).connected, LONG);
    assert.ok(await workload("default/last"));
    assert.match(String((await runtime()).error), /credentials/i);
  });
});
