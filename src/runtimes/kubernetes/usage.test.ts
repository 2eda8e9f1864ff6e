import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type TestContext, test } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { metadataOf, pod } from "../../../test/support/kubernetes-objects.ts";
import { startStandIn } from "../../../test/support/kubernetes/stand-in.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import { silentLog } from "../../platform/log.ts";
import type { ContainerUsage, RuntimeKubernetes } from "../runtime.ts";
import { createKubernetesRuntime } from "./index.ts";

const CLAIM = {
  metadata: { name: "data", namespace: "shop", uid: "claim" },
  spec: { storageClassName: "disks" },
  status: { phase: "Bound", capacity: { storage: "100" } },
};
const NODE = { metadata: { name: "node-a", uid: "node" }, spec: {}, status: {} };

/** An API server with one node, a claim and these pods, and with what the kubelet measures of pods; nothing in it ever changes. */
function quietCluster({ pods, measured }: { pods: object[]; measured: () => object[] }) {
  const kinds = [
    { name: "nodes", kind: "Node", namespaced: false, items: [NODE] },
    { name: "pods", kind: "Pod", namespaced: true, items: pods },
    { name: "persistentvolumeclaims", kind: "PersistentVolumeClaim", namespaced: true, items: [CLAIM] },
  ];
  const answers: Record<string, () => object> = {
    "/version": () => ({ gitVersion: "v1.29.2" }),
    "/api": () => ({ versions: ["v1"] }),
    "/apis": () => ({ groups: [] }),
    "/api/v1": () => ({ resources: kinds }),
    "/api/v1/namespaces/kube-system": () => ({ metadata: { uid: "cluster" } }),
    "/api/v1/nodes/node-a/proxy/stats/summary": () => ({ node: { nodeName: "node-a" }, pods: measured() }),
    ...Object.fromEntries(
      kinds.map(({ name, kind, items }) => [`/api/v1/${name}`, () => ({ kind: `${kind}List`, metadata: { resourceVersion: "1" }, items })]),
    ),
  };
  return ({ url = "" }: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(url, "https://api.test");
    const answer = answers[pathname];
    if (searchParams.has("watch")) response.writeHead(200).flushHeaders();
    else if (answer === undefined) response.writeHead(404).end("{}");
    else response.end(JSON.stringify(answer()));
  };
}

/** Watches such a cluster until the test ends; `published` holds what was seen to change. */
async function watch(t: TestContext, cluster: Parameters<typeof quietCluster>[0]) {
  const server = await startStandIn(quietCluster(cluster));
  const clock = createFakeClock();
  const runtime = createKubernetesRuntime({ access: server.access, clock, log: silentLog, namespaces: [], excludeNamespaces: [] });
  const stopping = new AbortController();
  const published: RuntimeKubernetes[] = [];
  t.after(async () => {
    stopping.abort();
    await runtime.close();
    await server.stop();
  });
  void (async () => {
    for await (const changes of runtime.kubernetes?.changes(stopping.signal) ?? []) published.push(changes);
  })();
  return { runtime, clock, published };
}

test("what kubelets measure is published, though nothing else changes in the cluster", async (t) => {
  let usedBytes = 40;
  const volume = () => [{ usedBytes, capacityBytes: 100, pvcRef: { name: "data", namespace: "shop" } }];
  const measured = () => [{ podRef: { name: "store-0", namespace: "shop" }, volume: volume() }];
  const { runtime, clock, published } = await watch(t, { pods: [], measured });
  const last = () => published.flatMap(({ objects }) => objects.claims.map((claim) => claim.usedBytes)).at(-1);
  await turnUntil(clock, () => last() === 40, { stepMs: 1_000, mostMs: 60_000 });
  usedBytes = 90;
  await turnUntil(clock, () => last() === 90, { stepMs: 5_000, mostMs: 60_000 });
  assert.equal(runtime.kubernetes?.read().objects.claims[0]?.usedBytes, 90);
});

test("pods that are done count neither in what a workload uses nor in its limits", async (t) => {
  const owner = { kind: "Rollout", metadata: metadataOf({ name: "web" }) };
  const spec = { containers: [{ name: "app", image: "web:1", resources: { limits: { cpu: "1", memory: "100" } } }] };
  const done = { phase: "Failed", reason: "Evicted", containerStatuses: [] };
  const pods = [
    pod({ name: "web-1", owner, spec }),
    pod({ name: "web-2", owner, spec, status: done }),
    pod({ name: "web-3", owner, spec, status: done }),
  ];
  const measured = () => [
    {
      podRef: { name: "web-1", namespace: "shop" },
      containers: [{ cpu: { usageNanoCores: 5e8 }, memory: { workingSetBytes: 60 } }],
    },
    { podRef: { name: "web-2", namespace: "shop" }, containers: [] },
  ];
  const { runtime, clock } = await watch(t, { pods, measured });
  let usages: ContainerUsage[] = [];
  const isRead = async () => {
    usages = await runtime.stats(t.signal);
    return usages.length > 0;
  };
  await turnUntil(clock, isRead, { stepMs: 1_000, mostMs: 60_000 });
  assert.deepEqual(
    usages.map(({ cpuCores, allocatedCpus, memoryBytes, memoryLimitBytes }) => ({
      cpuCores,
      allocatedCpus,
      memoryBytes,
      memoryLimitBytes,
    })),
    [{ cpuCores: 0.5, allocatedCpus: 1, memoryBytes: 60, memoryLimitBytes: 100 }],
  );
});
