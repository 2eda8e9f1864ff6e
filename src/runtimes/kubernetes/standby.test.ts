import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type StandIn, startStandIn } from "../../../test/support/kubernetes/stand-in.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Runtime } from "../runtime.ts";
import { createKubernetesRuntime } from "./index.ts";

const LEASE = "/apis/coordination.k8s.io/v1/namespaces/monitoring/leases/binnacle-agent";
const UID = "6a3e7b7e-52f8-4f6b-a3a1-5a1c8a2a0c11";

describe("an agent in whose cluster another one was elected", () => {
  let server: StandIn;
  let runtime: Runtime;
  const asked = new Set<string>();
  const stopping = new AbortController();

  /** A cluster whose lease another agent renews. */
  function answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url?.split("?")[0] ?? "";
    asked.add(`${request.method} ${path}`);
    const answers: Record<string, object> = {
      [LEASE]: {
        metadata: { name: "binnacle-agent", resourceVersion: String(Date.now()) },
        spec: { holderIdentity: "node-a", leaseDurationSeconds: 30, renewTime: new Date().toISOString() },
      },
      "/version": { gitVersion: "v1.29.2" },
      "/api/v1/namespaces/kube-system": { metadata: { name: "kube-system", uid: UID } },
    };
    response.setHeader("Content-Type", "application/json");
    response.statusCode = answers[path] === undefined ? 404 : 200;
    response.end(JSON.stringify(answers[path] ?? { message: "not there" }));
  }

  before(async () => {
    server = await startStandIn(answer);
    runtime = createKubernetesRuntime({
      access: { ...server.access, namespace: "monitoring" },
      ...{ clock: systemClock, log: silentLog, namespaces: [], excludeNamespaces: [], identity: "node-b" },
    });
  });
  after(async () => {
    stopping.abort();
    await runtime?.close();
    await server?.stop();
  });

  test("stands by, and says of which cluster and for whom", async () => {
    const [first] = await Array.fromAsync(firstOf(runtime.kubernetes?.changes(stopping.signal)));
    assert.deepEqual(
      { standing: first?.standing, clusterId: first?.clusterId, version: first?.version, reason: first?.reason },
      { standing: "standby", clusterId: UID, version: "v1.29.2", reason: "This cluster is watched by the agent node-a." },
    );
    const { version, missing, capabilities } = await runtime.describe(stopping.signal);
    assert.deepEqual([version, missing], ["v1.29.2", ["This cluster is watched by the agent node-a."]]);
    assert.deepEqual(capabilities, { events: true, stats: false, logs: false, swarm: false, metrics: false });
    assert.deepEqual((await runtime.inventory(stopping.signal)).containers, []);
  });

  test("asks for nothing else", () => {
    assert.deepEqual([...asked].sort(), [`GET ${LEASE}`, "GET /api/v1/namespaces/kube-system", "GET /version"].sort());
  });
});

async function* firstOf<Item>(items: AsyncIterable<Item> | undefined): AsyncIterable<Item> {
  for await (const item of items ?? []) return yield item;
}
