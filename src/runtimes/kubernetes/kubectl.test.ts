import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { startCluster, type TestCluster } from "../../../test/support/kubernetes/cluster.ts";
import { running, terminated, waiting } from "../../../test/support/kubernetes-objects.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Runtime, RuntimeKubernetes } from "../runtime.ts";
import { createKubernetesRuntime, findClusterAccess } from "./index.ts";

const NAMESPACE = "many";
const [PODS, DEPLOYMENTS, STATEFUL_SETS, DAEMON_SETS, JOBS, CRON_JOBS, SERVICES, CLAIMS, NODES] = [80, 30, 15, 15, 20, 15, 15, 10, 10];
const LABELS = { app: "many" };
const CONTAINERS = ["app", "side"];
const TEMPLATE = { metadata: { labels: LABELS }, spec: { containers: [{ name: "app", image: "app:1" }] } };
const BATCH_TEMPLATE = { ...TEMPLATE, spec: { ...TEMPLATE.spec, restartPolicy: "Never" } };

const reason = fc.constantFrom("CrashLoopBackOff", "ImagePullBackOff", "ErrImagePull", "ContainerCreating", "CreateContainerConfigError");
const containerStatus = (name: string): fc.Arbitrary<object> =>
  fc.oneof(
    fc.integer({ min: 0, max: 20 }).map((restarts) => running(name, restarts)),
    fc.integer({ min: 0, max: 20 }).map((restarts) => ({ ...running(name, restarts), ready: false })),
    reason.map((word) => waiting(name, word, { restartCount: 3, last: { exitCode: 1, reason: "Error" } })),
    fc
      .constantFrom([0, "Completed"] as const, [1, "Error"] as const, [137, "OOMKilled"] as const)
      .map(([code, word]) => terminated(name, code, word)),
    fc.integer({ min: 1, max: 255 }).map((code) => terminated(name, code)),
  );
/** Of containers that wait for those before them. */
const INITIALIZING = CONTAINERS.map((name) => waiting(name, "PodInitializing"));
const podFacts = fc.record({
  phase: fc.constantFrom("Pending", "Running", "Succeeded", "Failed", "Unknown"),
  reason: fc.option(fc.constantFrom("Evicted", "NodeLost", "Shutdown"), { freq: 5, nil: undefined }),
  isReady: fc.boolean(),
  containerStatuses: fc.tuple(...CONTAINERS.map(containerStatus)),
  initContainerStatuses: fc.option(fc.tuple(containerStatus("first"), containerStatus("second")), { nil: undefined }),
});
const counts = fc.record({ desired: fc.nat(5), ready: fc.nat(5), updated: fc.nat(5), available: fc.nat(5) });

interface Counts {
  desired: number;
  ready: number;
  updated: number;
  available: number;
}

describe("a cluster of many objects of all kinds, as kubectl shows it", { timeout: 180_000 }, () => {
  let cluster: TestCluster;
  let runtime: Runtime;
  let seen: RuntimeKubernetes["objects"];

  before(async () => {
    // Without controllers, which would put the statuses right.
    cluster = await startCluster();
    const { api } = cluster;
    await api.post("/api/v1/namespaces", { metadata: { name: NAMESPACE } });
    const path = (group: string, plural: string) => `${group}/namespaces/${NAMESPACE}/${plural}`;
    async function make(base: string, name: string, object: object, status?: object): Promise<void> {
      await api.post(base, { ...object, metadata: { name, labels: LABELS } });
      if (status !== undefined) await api.patch(`${base}/${name}/status`, { status });
    }
    const sample = <Value>(of: fc.Arbitrary<Value>, count: number): Value[] => fc.sample(of, { numRuns: count, seed: 7 });

    for (const [index, { initContainerStatuses, isReady, ...facts }] of sample(podFacts, PODS).entries()) {
      // A container is not started before those before it are done.
      const isInitialized = (initContainerStatuses ?? []).every(
        (each) => "state" in each && JSON.stringify(each.state).includes('"exitCode":0'),
      );
      const conditions = Object.entries({ Initialized: isInitialized, Ready: isReady && isInitialized });
      const status = {
        ...facts,
        ...(!isInitialized && { containerStatuses: INITIALIZING }),
        conditions: conditions.map(([type, is]) => ({ type, status: is ? "True" : "False" })),
      };
      const containers = CONTAINERS.map((name) => ({ name, image: "app:1" }));
      const initContainers = initContainerStatuses && ["first", "second"].map((name) => ({ name, image: "app:1" }));
      await make(
        path("/api/v1", "pods"),
        `pod-${index}`,
        { spec: { nodeName: "node-0", containers, ...(initContainers && { initContainers }) } },
        { ...status, ...(initContainerStatuses && { initContainerStatuses }) },
      );
    }
    const selector = { matchLabels: LABELS };
    const replicated = ({ desired, ready, updated, available }: Counts) => ({
      ...{ replicas: Math.max(desired, ready, updated), readyReplicas: ready, updatedReplicas: updated },
      availableReplicas: Math.min(available, ready),
    });
    for (const [index, each] of sample(counts, DEPLOYMENTS).entries())
      await make(
        path("/apis/apps/v1", "deployments"),
        `deployment-${index}`,
        { spec: { replicas: each.desired, selector, template: TEMPLATE } },
        replicated(each),
      );
    for (const [index, each] of sample(counts, STATEFUL_SETS).entries())
      await make(
        path("/apis/apps/v1", "statefulsets"),
        `stateful-${index}`,
        { spec: { replicas: each.desired, serviceName: "none", selector, template: TEMPLATE } },
        replicated(each),
      );
    for (const [index, { desired, ready, updated, available }] of sample(counts, DAEMON_SETS).entries())
      await make(
        path("/apis/apps/v1", "daemonsets"),
        `daemon-${index}`,
        { spec: { selector, template: TEMPLATE } },
        {
          ...{ desiredNumberScheduled: desired, currentNumberScheduled: desired, numberMisscheduled: 0 },
          ...{ numberReady: ready, updatedNumberScheduled: updated, numberAvailable: available },
        },
      );
    for (const [index, succeeded] of sample(fc.nat(3), JOBS).entries())
      await make(
        path("/apis/batch/v1", "jobs"),
        `job-${index}`,
        { spec: { completions: 3, template: BATCH_TEMPLATE } },
        {
          ...{ succeeded, active: 3 - succeeded, startTime: "2026-03-01T12:00:00Z" },
        },
      );
    for (const [index, suspend] of sample(fc.boolean(), CRON_JOBS).entries())
      await make(path("/apis/batch/v1beta1", "cronjobs"), `cron-${index}`, {
        spec: { schedule: `${index} 3 * * *`, suspend, jobTemplate: { spec: { template: BATCH_TEMPLATE } } },
      });
    for (const [index, type] of sample(fc.constantFrom("ClusterIP", "NodePort", "LoadBalancer"), SERVICES).entries())
      await make(path("/api/v1", "services"), `service-${index}`, { spec: { type, selector: LABELS, ports: [{ port: 80 + index }] } });
    for (const [index, phase] of sample(fc.constantFrom("Pending", "Bound", "Lost"), CLAIMS).entries())
      await make(
        path("/api/v1", "persistentvolumeclaims"),
        `claim-${index}`,
        { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
        { phase },
      );
    for (const [index, [ready, unschedulable]] of sample(
      fc.tuple(fc.constantFrom("True", "False", "Unknown"), fc.boolean()),
      NODES,
    ).entries())
      await make(
        "/api/v1/nodes",
        `node-${index}`,
        { spec: { unschedulable } },
        {
          conditions: [{ type: "Ready", status: ready }],
          nodeInfo: { ...NODE_INFO, kubeletVersion: `v1.${index}.0` },
        },
      );

    const access = findClusterAccess({ kubeconfig: cluster.kubeconfig });
    assert.ok(access);
    const log = silentLog;
    runtime = createKubernetesRuntime({ access, clock: systemClock, log, namespaces: [], excludeNamespaces: ["kube-system"] });
    await runtime.inventory(AbortSignal.timeout(60_000));
    const whole = runtime.kubernetes?.read();
    assert.ok(whole);
    seen = whole.objects;
  });
  after(async () => {
    await runtime?.close();
    await cluster?.stop();
  });

  /** The columns of kubectl's table, by name. */
  async function table(kind: string): Promise<Map<string, string[]>> {
    const text = await cluster.kubectl("get", kind, "--no-headers", ...(kind === "nodes" ? [] : ["-n", NAMESPACE]));
    return new Map(
      text
        .split("\n")
        .map((line) => line.trim().split(/\s+/))
        .map(([name = "", ...columns]) => [name, columns]),
    );
  }

  async function agrees<Thing extends { name: string }>(
    kind: string,
    { count, ours, columns }: { count: number; ours: readonly Thing[]; columns: (thing: Thing) => string[] },
  ): Promise<void> {
    const theirs = await table(kind);
    assert.deepEqual([theirs.size, ours.length], [count, count]);
    const shown = Object.fromEntries(ours.map((thing) => [thing.name, columns(thing)]));
    assert.deepEqual(shown, Object.fromEntries(ours.map(({ name }) => [name, theirs.get(name)?.slice(0, shown[name]?.length)])));
  }

  const workloads = (kind: string) => seen.workloads.filter((each) => each.kind === kind);

  test("pods", () =>
    agrees("pods", {
      count: PODS,
      ours: seen.pods,
      columns({ containers, status }) {
        const apps = containers.filter(({ kind }) => kind === "app");
        return [`${apps.filter(({ ready }) => ready).length}/${apps.length}`, status];
      },
    }));

  test("deployments", () =>
    agrees("deployments", {
      count: DEPLOYMENTS,
      ours: workloads("Deployment"),
      columns: ({ replicas: { desired, ready, updated, available } }) => [`${ready}/${desired}`, `${updated}`, `${available}`],
    }));

  test("stateful sets", () =>
    agrees("statefulsets", {
      count: STATEFUL_SETS,
      ours: workloads("StatefulSet"),
      columns: ({ replicas: { desired, ready } }) => [`${ready}/${desired}`],
    }));

  test("daemon sets", () =>
    agrees("daemonsets", {
      count: DAEMON_SETS,
      ours: workloads("DaemonSet"),
      columns: ({ replicas: { desired, current, ready, updated, available } }) => [desired, current, ready, updated, available].map(String),
    }));

  test("jobs", () =>
    agrees("jobs", {
      count: JOBS,
      ours: workloads("Job"),
      columns: ({ job }) => [`${job?.succeeded}/${job?.completions}`],
    }));

  test("cron jobs", () =>
    agrees("cronjobs", {
      count: CRON_JOBS,
      ours: workloads("CronJob"),
      columns: ({ cronJob }) => [
        ...(cronJob?.schedule ?? "").split(" "),
        cronJob?.suspended === true ? "True" : "False",
        `${cronJob?.active}`,
      ],
    }));

  test("services", () =>
    agrees("services", {
      count: SERVICES,
      ours: seen.services.filter(({ namespace }) => namespace === NAMESPACE),
      columns: ({ type }) => [type],
    }));

  test("claims", () => agrees("persistentvolumeclaims", { count: CLAIMS, ours: seen.claims, columns: ({ phase }) => [phase] }));

  test("nodes", () =>
    agrees("nodes", {
      count: NODES,
      ours: seen.nodes,
      columns({ conditions, unschedulable, roles }) {
        const ready = conditions.find(({ type }) => type === "Ready")?.status === "True" ? "Ready" : "NotReady";
        return [unschedulable ? `${ready},SchedulingDisabled` : ready, roles.join(",") || "<none>"];
      },
    }));
});

const NODE_INFO = {
  ...{ machineID: "", systemUUID: "", bootID: "", kernelVersion: "", osImage: "", containerRuntimeVersion: "" },
  ...{ kubeProxyVersion: "", operatingSystem: "linux", architecture: "amd64" },
};
