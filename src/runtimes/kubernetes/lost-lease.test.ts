import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type StandIn, startStandIn } from "../../../test/support/kubernetes/stand-in.ts";
import { until } from "../../../test/support/until.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Runtime, RuntimeKubernetes } from "../runtime.ts";
import { createKubernetesRuntime } from "./index.ts";

const LEASES = "/apis/coordination.k8s.io/v1/namespaces/monitoring/leases";
const IDENTITY = ["/version", "/api/v1/namespaces/kube-system"];
/** A lease of half a minute lasts three seconds. */
const FASTER = 10;
const clock: Clock = {
  now: () => systemClock.now(),
  monotonicMs: () => systemClock.monotonicMs() * FASTER,
  after: (delayMs, callback) => systemClock.after(delayMs / FASTER, callback),
};
const ANSWERS: Readonly<Record<string, object>> = {
  "/version": { gitVersion: "v1.29.2" },
  "/api/v1/namespaces/kube-system": { metadata: { name: "kube-system", uid: "cluster" } },
  "/api": { versions: ["v1"] },
  "/apis": { groups: [] },
  "/api/v1": { resources: [{ name: "nodes", kind: "Node", namespaced: false }] },
  "/api/v1/nodes": { kind: "NodeList", metadata: { resourceVersion: "1" }, items: [] },
};

interface Lease {
  metadata: { resourceVersion: string };
  spec: { holderIdentity: string; leaseDurationSeconds: number };
}

describe("an agent that cannot read the lease of its cluster", { timeout: 60_000 }, () => {
  let server: StandIn;
  let runtime: Runtime;
  let lease: Lease | undefined;
  let version: number;
  /** With what requests for the lease are refused. */
  let refusal: number | undefined;
  let asked: string[];
  let watches: number;
  let seen: RuntimeKubernetes[];
  let stopping: AbortController;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "", "https://api.test");
    const reply = (status: number, body: object): void => void response.writeHead(status).end(JSON.stringify(body));
    response.setHeader("Content-Type", "application/json");
    if (pathname.startsWith(LEASES)) {
      if (refusal !== undefined) return reply(refusal, { message: "no" });
      if (request.method !== "GET") {
        const body = JSON.parse(await text(request)) as Lease;
        lease = { ...body, metadata: { ...body.metadata, resourceVersion: String((version += 1)) } };
      }
      return lease === undefined ? reply(404, { message: "not there" }) : reply(200, lease);
    }
    asked.push(pathname);
    if (searchParams.get("watch") === "true") {
      watches += 1;
      response.on("close", () => (watches -= 1));
      response.writeHead(200).flushHeaders();
      return;
    }
    return ANSWERS[pathname] === undefined ? reply(404, { message: "not there" }) : reply(200, ANSWERS[pathname]);
  }

  /** The lease as another agent has just renewed it. */
  function renewByAnother(): void {
    lease = {
      metadata: { resourceVersion: String((version += 1)) },
      spec: { holderIdentity: "node-a", leaseDurationSeconds: 30 },
    };
  }

  function start(): void {
    runtime = createKubernetesRuntime({
      access: { ...server.access, namespace: "monitoring" },
      ...{ clock, log: silentLog, namespaces: [], excludeNamespaces: [], identity: "node-b" },
    });
    void follow();
  }

  async function follow(): Promise<void> {
    for await (const sighting of runtime.kubernetes?.changes(stopping.signal) ?? []) seen.push(sighting);
  }
  const standing = () => runtime.kubernetes?.read();
  const becomes = (wanted: RuntimeKubernetes["standing"]) =>
    until(() => seen.at(-1)?.standing === wanted, { what: wanted, withinMs: 15_000 });

  beforeEach(async () => {
    [lease, version, refusal, asked, watches, seen] = [undefined, 0, undefined, [], 0, []];
    stopping = new AbortController();
    server = await startStandIn((request, response) => void answer(request, response));
  });
  afterEach(async () => {
    stopping.abort();
    await runtime?.close();
    await server?.stop();
  });

  test("stands by, and reads nothing of the cluster", async () => {
    renewByAnother();
    start();
    await becomes("standby");
    refusal = 500;
    await until(() => (standing()?.standing === "unreachable" ? true : undefined), { withinMs: 15_000 });
    assert.match(standing()?.reason ?? "", /The lease binnacle-agent in the namespace monitoring cannot be had: "no" \(status 500\)/);
    // An empty listing would remove all that is known of it.
    await assert.rejects(runtime.inventory(stopping.signal), { code: "runtime_unavailable", message: /cannot be had/ });
    assert.deepEqual(
      asked.filter((path) => !IDENTITY.includes(path)),
      [],
    );
    refusal = undefined;
    renewByAnother();
    await becomes("standby");
  });

  test("watches its cluster where it may not use the lease, and says so", async () => {
    refusal = 403;
    start();
    await becomes("watching");
    assert.match(runtime.missing?.().join() ?? "", /may not get the lease binnacle-agent/);
    await until(() => watches === 1);
    refusal = undefined;
    renewByAnother();
    await becomes("standby");
    await until(() => watches === 0);
    // Who knows the leader stands by.
    refusal = 403;
    const before = asked.length;
    await until(() => (runtime.missing?.().length === 1 ? true : undefined), { withinMs: 15_000 });
    assert.deepEqual([standing()?.standing, watches, asked.slice(before)], ["standby", 0, []]);
  });

  test("ends its watches when its time as leader is over, and lists all when it is elected again", async () => {
    start();
    await becomes("watching");
    await until(() => watches === 1);
    refusal = 500;
    await becomes("unreachable");
    await until(() => watches === 0);
    const before = asked.length;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    assert.deepEqual(asked.slice(before), []);
    await assert.rejects(runtime.inventory(stopping.signal), { code: "runtime_unavailable" });
    seen = [];
    refusal = undefined;
    await becomes("watching");
    assert.equal(seen.find((each) => each.standing === "watching")?.isComplete, true);
    await until(() => watches === 1);
  });
});
