import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { test } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { startStandIn } from "../../../test/support/kubernetes/stand-in.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import { silentLog } from "../../platform/log.ts";
import { createKubernetesRuntime } from "./index.ts";

const CLAIM = {
  metadata: { name: "data", namespace: "shop", uid: "claim" },
  spec: { storageClassName: "disks" },
  status: { phase: "Bound", capacity: { storage: "100" } },
};
const NODE = { metadata: { name: "node-a", uid: "node" }, spec: {}, status: {} };

/** An API server with one node, and a claim whose volume holds so many bytes; nothing in it ever changes. */
function quietCluster(usedBytes: () => number) {
  const kinds = [
    { name: "nodes", kind: "Node", namespaced: false, items: [NODE] },
    { name: "persistentvolumeclaims", kind: "PersistentVolumeClaim", namespaced: true, items: [CLAIM] },
  ];
  const answers: Record<string, () => object> = {
    "/version": () => ({ gitVersion: "v1.29.2" }),
    "/api": () => ({ versions: ["v1"] }),
    "/apis": () => ({ groups: [] }),
    "/api/v1": () => ({ resources: kinds }),
    "/api/v1/namespaces/kube-system": () => ({ metadata: { uid: "cluster" } }),
    "/api/v1/nodes/node-a/proxy/stats/summary": () => ({
      node: { nodeName: "node-a" },
      pods: [
        {
          podRef: { name: "store-0", namespace: "shop" },
          volume: [{ usedBytes: usedBytes(), capacityBytes: 100, pvcRef: { name: "data", namespace: "shop" } }],
        },
      ],
    }),
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

test("what kubelets measure is published, though nothing else changes in the cluster", async (t) => {
  let usedBytes = 40;
  const server = await startStandIn(quietCluster(() => usedBytes));
  const clock = createFakeClock();
  const runtime = createKubernetesRuntime({ access: server.access, clock, log: silentLog, namespaces: [], excludeNamespaces: [] });
  const stopping = new AbortController();
  const published: (number | null)[] = [];
  t.after(async () => {
    stopping.abort();
    await runtime.close();
    await server.stop();
  });
  void (async () => {
    for await (const { objects } of runtime.kubernetes?.changes(stopping.signal) ?? [])
      published.push(...objects.claims.map((claim) => claim.usedBytes));
  })();
  await turnUntil(clock, () => published.at(-1) === 40, { stepMs: 1_000, mostMs: 60_000 });
  usedBytes = 90;
  await turnUntil(clock, () => published.at(-1) === 90, { stepMs: 5_000, mostMs: 60_000 });
  assert.equal(runtime.kubernetes?.read().objects.claims[0]?.usedBytes, 90);
});
