import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { test } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { startStandIn } from "../../../test/support/kubernetes/stand-in.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import { createKubernetesClient } from "./client/index.ts";
import { createMetrics } from "./metrics.ts";
import type { ClusterUsage } from "./view/index.ts";

const USED = { cpu: "500m", memory: "64Mi" };
const ANSWERS: Record<string, object> = {
  "/apis/metrics.k8s.io/v1beta1/nodes": { items: [{ metadata: { name: "node-a" }, usage: USED }] },
  "/apis/metrics.k8s.io/v1beta1/pods": {
    ...{ kind: "PodMetricsList", metadata: {} },
    items: [{ metadata: { name: "web-1", namespace: "shop" }, containers: [{ name: "app", usage: USED }] }],
  },
  "/api/v1/nodes/node-a/proxy/stats/summary": {
    node: { nodeName: "node-a" },
    pods: [
      {
        podRef: { name: "web-1", namespace: "shop" },
        volume: [{ name: "data", pvcRef: { name: "data", namespace: "shop" }, usedBytes: 5, capacityBytes: 100 }],
      },
    ],
  },
};

test("what pods, nodes and volumes use is not known any more once it was not read for a while", async (t) => {
  let isAway = false;
  const server = await startStandIn(({ url = "" }: IncomingMessage, response: ServerResponse) => {
    const answer = ANSWERS[new URL(url, "https://api.test").pathname];
    if (isAway || answer === undefined) response.writeHead(503).end("{}");
    else response.end(JSON.stringify(answer));
  });
  const clock = createFakeClock();
  const usages: ClusterUsage[] = [];
  const metrics = createMetrics({
    client: createKubernetesClient(server.access, clock),
    clock,
    nodeNames: () => ["node-a"],
    limitedNodeNames: () => [],
    onUsage: (usage) => usages.push(usage),
  });
  t.after(async () => {
    await metrics.stop();
    await server.stop();
  });
  const sizes = (): number[] => {
    const usage = usages.at(-1);
    return usage === undefined ? [] : [usage.pods.size, usage.nodes.size, usage.volumes.size];
  };
  const untilShown = async (...shown: number[]): Promise<number> => {
    const fromMs = clock.monotonicMs();
    await turnUntil(clock, () => String(sizes()) === String(shown), { stepMs: 1_000, mostMs: 600_000 });
    return clock.monotonicMs() - fromMs;
  };
  metrics.start();
  await untilShown(1, 1, 1);
  isAway = true;
  assert.ok((await untilShown(0, 0, 1)) > 60_000);
  assert.equal(metrics.readAtMs(), undefined);
  await untilShown(0, 0, 0);
  const published = usages.length;
  await clock.advance(120_000);
  assert.equal(usages.length, published, "nothing is published again");
  isAway = false;
  await untilShown(1, 1, 1);
});
