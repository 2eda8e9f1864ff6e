import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { describe, it } from "node:test";
import type { z } from "zod";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { until } from "../../../test/support/until.ts";
import { silentLog } from "../../platform/log.ts";
import type { ApiRefusal, KubernetesClient } from "./client/index.ts";
import { createWatchedCluster } from "./watching.ts";

const RESOURCES = [
  { name: "pods", kind: "Pod", namespaced: true },
  { name: "nodes", kind: "Node", namespaced: false },
  { name: "namespaces", kind: "Namespace", namespaced: false },
];
const ANSWERS: Readonly<Record<string, unknown>> = {
  "/version": { gitVersion: "v1.30.0" },
  "/api/v1/namespaces/kube-system": { metadata: { uid: "cluster" } },
  "/api": { versions: ["v1"] },
  "/apis": { groups: [] },
  "/api/v1": { resources: RESOURCES },
};
const BUSY: ApiRefusal = { status: 429, reason: "TooManyRequests", message: "slow down" };

/** A cluster that has pods, nodes and namespaces, and refuses those that a test names. */
async function watch() {
  const clock = createFakeClock();
  const refused = new Map<string, ApiRefusal>();
  const open = new Map<string, PassThrough>();
  const client: KubernetesClient = {
    address: "https://api.test",
    namespace: null,
    networkAddresses: () => [],
    read: async <T>(schema: z.ZodType<T>, path: string) => ({ data: schema.parse(ANSWERS[path]) }),
    write: () => Promise.reject(new Error("nothing is written")),
    async stream(path, { query, signal }) {
      const plural = path.split("/").at(-1) ?? "";
      const refusal = refused.get(plural);
      if (refusal !== undefined) return { refused: refusal };
      if (query?.["watch"] !== "true")
        return { body: Readable.from([Buffer.from(JSON.stringify({ kind: "List", metadata: { resourceVersion: "10" }, items: [] }))]) };
      const body = new PassThrough();
      signal.addEventListener("abort", () => body.destroy(new Error("closed")), { once: true });
      open.set(plural, body);
      return { body };
    },
    close: () => Promise.resolve(),
  };
  const cluster = createWatchedCluster({ client, clock, log: silentLog, namespaces: [], excludeNamespaces: [] });
  await cluster.open(new AbortController().signal);
  await until(() => open.size === RESOURCES.length, { what: "all watches" });
  const pass = (ms: number): Promise<void> => clock.advance(ms);
  /** From now on it answers so for a kind, and ends the watch. */
  const refuse = async (plural: string, refusal: ApiRefusal): Promise<void> => {
    refused.set(plural, refusal);
    open.get(plural)?.end();
    await pass(2_000);
  };
  return { cluster, refuse, allow: (plural: string) => void refused.delete(plural), pass };
}

describe("what is not seen of a cluster", () => {
  it("is a kind that alone has not answered for a minute, until it answers", async (t) => {
    const { cluster, refuse, allow, pass } = await watch();
    t.after(() => cluster.stop());
    assert.deepEqual([cluster.standing().standing, cluster.unseen()], ["watching", []]);
    await refuse("pods", BUSY);
    await pass(50_000);
    assert.deepEqual([cluster.standing().standing, cluster.unseen()], ["watching", []], "for less than a minute it says nothing");
    await pass(15_000);
    assert.equal(cluster.standing().standing, "watching");
    const [unseen, other] = cluster.unseen();
    assert.deepEqual([unseen?.kind, other], ["pods", undefined]);
    assert.match(unseen?.reason ?? "", /cannot list pods: "slow down" \(status 429\)/);
    allow("pods");
    await pass(60_000);
    assert.deepEqual(cluster.unseen(), []);
  });

  it("is at once what is refused, and all of it when nothing answers", async (t) => {
    const { cluster, refuse } = await watch();
    t.after(() => cluster.stop());
    await refuse("nodes", { status: 403, reason: "Forbidden", message: "no" });
    assert.deepEqual(
      cluster.unseen().map(({ kind }) => kind),
      ["nodes"],
    );
    await refuse("pods", BUSY);
    await refuse("namespaces", BUSY);
    assert.equal(cluster.standing().standing, "unreachable");
  });
});
