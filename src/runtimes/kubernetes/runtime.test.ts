import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { startCluster, type TestCluster } from "../../../test/support/kubernetes/cluster.ts";
import { runAllPods } from "../../../test/support/kubernetes/pods.ts";
import { until } from "../../../test/support/until.ts";
import type { Runtime, RuntimeContainer, RuntimeKubernetes } from "../runtime.ts";
import { createKubernetesRuntime, findClusterAccess } from "./index.ts";

const DISCOVERED_EVERY_MS = 300_000;

const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  annotations: { service.group: Shop, other: not-read }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: nginx
          image: nginx:1.25
          resources: { requests: { cpu: 100m, memory: 64Mi }, limits: { memory: 128Mi } }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec: { type: NodePort, selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
---
apiVersion: batch/v1beta1
kind: CronJob
metadata: { name: nightly, namespace: shop }
spec:
  schedule: "0 3 * * *"
  jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: job, image: busybox }] } } } }
`;

/** What the Gateway API installs for its routes, without what it says of their fields; the version that it serves is the last. */
const routeKind = (...versions: string[]): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: httproutes.gateway.networking.k8s.io
  annotations: { api-approved.kubernetes.io: "unapproved, for tests" }
spec:
  group: gateway.networking.k8s.io
  scope: Namespaced
  names: { kind: HTTPRoute, plural: httproutes, singular: httproute, listKind: HTTPRouteList }
  versions:
${versions.map(versionOf).join("")}`;
const versionOf = (name: string, index: number, { length }: string[]): string => `
    - name: ${name}
      served: ${index === length - 1}
      storage: ${index === length - 1}
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }`;
const routeOf = (version: string, name: string): string => `
apiVersion: gateway.networking.k8s.io/${version}
kind: HTTPRoute
metadata: { name: ${name}, namespace: shop }
spec:
  hostnames: [${name}.example.com]
  rules: [{ backendRefs: [{ name: web, port: 80 }] }]
`;

describe("a cluster of Kubernetes as a runtime", { timeout: 120_000 }, () => {
  let cluster: TestCluster;
  let kubelets: { stop(): Promise<void> };
  let runtime: Runtime;
  const stopping = new AbortController();
  const seen: RuntimeKubernetes[] = [];
  const rows = new Map<string, RuntimeContainer>();
  /** What is done every few minutes, as looking for kinds that were installed; the test does it sooner. */
  const due: (() => void)[] = [];
  const clock: Clock = {
    ...systemClock,
    after(delayMs, callback) {
      if (delayMs !== DISCOVERED_EVERY_MS) return systemClock.after(delayMs, callback);
      due.push(callback);
      return { cancel: () => undefined };
    },
  };

  before(async () => {
    cluster = await startCluster({ controllers: true });
    await cluster.addNode("node-a");
    kubelets = runAllPods(cluster.api);
    await cluster.kubectl("create", "namespace", "shop");
    await cluster.apply(DEPLOYMENT);
    const access = findClusterAccess({ kubeconfig: cluster.kubeconfig });
    assert.ok(access);
    runtime = createKubernetesRuntime({
      access,
      clock,
      log: silentLog,
      namespaces: [],
      excludeNamespaces: ["kube-system"],
    });
  });
  after(async () => {
    stopping.abort();
    await runtime?.close();
    await kubelets?.stop();
    await cluster?.stop();
  });

  test("shows workloads as containers, and all of the cluster", async () => {
    const described = await runtime.describe(stopping.signal);
    assert.match(described.version, /^v1\.20/);
    void watch();
    void watchCluster();
    const { containers } = await until(async () => {
      const listed = await runtime.inventory(stopping.signal);
      return listed.containers.some(({ name, health }) => name === "shop/web" && health === "healthy") ? listed : undefined;
    });
    assert.deepEqual(containers.map(({ name }) => name).toSorted(), ["shop/nightly", "shop/web"]);
    const { objects } = runtime.kubernetes?.read() ?? {};
    const changedAt = objects?.workloads.find(({ name }) => name === "nightly")?.cronJob?.scheduleChangedAt;
    assert.ok(changedAt != null && Math.abs(changedAt.getTime() - Date.now()) < 120_000, String(changedAt));
    const web = containers.find(({ name }) => name === "shop/web");
    assert.ok(web);
    assert.deepEqual(
      { image: web.image, state: web.state, health: web.health, project: web.project, unit: web.unit, group: web.labels["service.group"] },
      {
        image: "nginx:1.25",
        state: "running",
        health: "healthy",
        project: { name: "shop", source: "namespace" },
        unit: "Deployment/web",
        group: "Shop",
      },
    );
    assert.equal(web.labels["other"], undefined);
    const whole = runtime.kubernetes?.read();
    assert.ok(whole);
    assert.equal(whole.standing, "watching");
    assert.equal(whole.objects.pods.filter(({ workloadId }) => workloadId === web.externalId).length, 2);
    assert.deepEqual(whole.objects.services.find(({ name }) => name === "web")?.workloadIds, [web.externalId]);
    const workload = whole.objects.workloads.find(({ id }) => id === web.externalId);
    assert.equal(workload?.rollout?.state, "complete");
    assert.equal(whole.objects.nodes.length, 1);
  });

  test("follows a workload that is scaled, stopped and removed", async () => {
    await cluster.kubectl("scale", "deployment/web", "-n", "shop", "--replicas=4");
    await until(() => latestReplicas()?.ready === 4);
    await cluster.kubectl("scale", "deployment/web", "-n", "shop", "--replicas=0");
    await until(() => rows.get("shop/web")?.state === "exited");
    assert.equal(rows.get("shop/web")?.stopRequested, true);
    await cluster.kubectl("delete", "deployment/web", "-n", "shop");
    await until(() => !rows.has("shop/web"));
    await until(() => runtime.kubernetes?.read().objects.pods.length === 0);
    assert.ok(seen.some(({ removed }) => removed.workloads?.length === 1));
    assert.equal(seen.filter(({ isComplete }) => isComplete).length, 1);
  });

  test("finds a kind that is installed while it watches, and another version of it after an upgrade", async () => {
    const hosts = (): string[] => (runtime.kubernetes?.read().objects.routes ?? []).flatMap(({ rules }) => rules.map(({ host }) => host));
    const applied = (text: string): Promise<boolean> =>
      until(
        () =>
          cluster.apply(text).then(
            () => true,
            () => false,
          ),
        { what: "the kind is served" },
      );
    async function found(expected: string): Promise<void> {
      const isFound = (): boolean => {
        for (const look of due.splice(0)) look();
        return hosts().includes(expected);
      };
      await until(isFound, { everyMs: 300, what: `${expected} is routed` });
    }
    assert.deepEqual(hosts(), []);
    await cluster.apply(routeKind("v1beta1"));
    await applied(routeOf("v1beta1", "shop"));
    await found("shop.example.com");
    await cluster.apply(routeKind("v1beta1", "v1"));
    await applied(routeOf("v1", "store"));
    await found("store.example.com");
    assert.deepEqual(hosts().toSorted(), ["shop.example.com", "store.example.com"]);
    assert.deepEqual(runtime.kubernetes?.read().unseen, []);
  });

  function latestReplicas() {
    return runtime.kubernetes?.read().objects.workloads.find(({ name }) => name === "web")?.replicas;
  }

  async function watch(): Promise<void> {
    for await (const news of runtime.watch({ since: undefined, opened: () => undefined, signal: stopping.signal })) {
      if (news.what === "container") rows.set(news.container.name, news.container);
      else for (const [name, { externalId }] of rows) if (externalId === news.externalId) rows.delete(name);
    }
  }

  async function watchCluster(): Promise<void> {
    for await (const each of runtime.kubernetes?.changes(stopping.signal) ?? []) seen.push(each);
  }
});
