import assert from "node:assert/strict";
import { it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { shop } from "../../../test/support/kubernetes-shop.ts";
import { clusterEvent, cutOff, objects, pod, sighting, workload } from "../../../test/support/kubernetes-topology.ts";
import { AGENT, OTHER_AGENT, watchClusters } from "../../../test/support/watched-clusters.ts";

const PATH = "/api/v1/kubernetes";
const LISTS = ["namespaces", "workloads", "pods", "nodes", "services", "routes", "claims", "certificates", "events"] as const;
type List = (typeof LISTS)[number];
const MiB = 1024 ** 2;

type Json = Record<string, unknown>;
const namesOf = (answer: Json, list: List): unknown[] => (answer[list] as Json[]).map(({ name, message }) => name ?? message);

onBothDatabases((databases) => {
  const w = watchClusters(databases);
  const list = (of: List, query: Json = {}): Promise<Json> => w.server.check("GET", `${PATH}/${of}`, query);
  const found = async (of: List, query: Json = {}): Promise<unknown[]> => namesOf(await list(of, query), of);

  it("says with 409 what to do where there is no cluster, and why it is not seen", async () => {
    for (const kind of [...LISTS, "workloads/w-web"]) {
      const { status, body } = await w.server.ask("GET", `${PATH}/${kind}`);
      assert.deepEqual([kind, status, (body["error"] as Json)["code"]], [kind, 409, "conflict"]);
      assert.match(String((body["error"] as Json)["message"]), /Install an agent in the cluster, or set SERVICE_RUNTIME/);
    }
    await w.see(cutOff("denied", "The service account may not list pods: apply the ClusterRole of the manifest."), AGENT);
    const { status, body } = await w.server.ask("GET", `${PATH}/pods`);
    assert.deepEqual(
      [status, (body["error"] as Json)["message"]],
      [409, "The service account may not list pods: apply the ClusterRole of the manifest."],
    );
  });

  it("refuses with 400 what no list takes", async () => {
    await w.show({});
    for (const query of ["limit=0", "limit=1001", "cursor=..", "evil=1", `search=${"x".repeat(256)}`])
      for (const kind of LISTS) assert.equal((await w.server.ask("GET", `${PATH}/${kind}?${query}`)).status, 400, `${kind} ${query}`);
    for (const query of [
      "workloads?state=fine",
      "pods?phase=Elsewhere",
      "pods?ready=perhaps",
      "nodes?state=up",
      "events?type=Odd",
      "events?since=now",
    ])
      assert.equal((await w.server.ask("GET", `${PATH}/${query}`)).status, 400, query);
  });

  it("refuses with 409 a cursor that no list gave", async () => {
    await w.show({});
    for (const kind of LISTS) {
      const { status, body } = await w.server.ask("GET", `${PATH}/${kind}?cursor=e30`);
      assert.deepEqual([kind, status, (body["error"] as Json)["code"]], [kind, 409, "unusable_values"]);
    }
  });

  const FILTERS: [of: List, query: Json, expected: string[]][] = [
    ["namespaces", {}, ["jobs", "shop"]],
    ["namespaces", { search: "SHO" }, ["shop"]],
    ["workloads", {}, ["web", "nightly", "db"]],
    ["workloads", { namespace: "shop" }, ["web", "db"]],
    ["workloads", { kind: "CronJob" }, ["nightly"]],
    ["workloads", { state: "degraded" }, ["web"]],
    ["workloads", { node: "node-1" }, ["web", "nightly", "db"]],
    ["workloads", { node: "node-2" }, ["web"]],
    ["workloads", { search: "FRONT" }, ["web"]],
    ["workloads", { search: "postgres" }, ["db"]],
    ["workloads", { search: "shop/d" }, ["db"]],
    ["workloads", { search: "none" }, []],
    ["pods", {}, ["nightly-1", "db-0", "web-1", "web-2"]],
    ["pods", { namespace: "jobs" }, ["nightly-1"]],
    ["pods", { workload_id: "w-web" }, ["web-1", "web-2"]],
    ["pods", { node: "node-2" }, ["web-2"]],
    ["pods", { phase: "Succeeded" }, ["nightly-1"]],
    ["pods", { ready: "false" }, ["nightly-1", "web-2"]],
    ["pods", { ready: "true", search: "DB" }, ["db-0"]],
    ["nodes", {}, ["node-1", "node-2", "node-10"]],
    ["nodes", { state: "unknown" }, ["node-2"]],
    ["nodes", { search: "-1" }, ["node-1", "node-10"]],
    ["services", {}, ["db", "web"]],
    ["services", { namespace: "jobs" }, []],
    ["services", { search: "we" }, ["web"]],
    ["routes", {}, ["any", "web"]],
    ["claims", { search: "dat" }, ["data"]],
    ["certificates", {}, ["web-tls"]],
    ["events", { type: "Normal" }, ["Scaled up"]],
    ["events", { kind: "Job" }, ["50%_done"]],
    ["events", { name: "web-1" }, ["Back-off restarting failed container"]],
    ["events", { workload_id: "w-web", type: "Warning" }, ["Back-off restarting failed container"]],
    // By what its controller made of it, which has its name and a suffix.
    ["events", { workload_id: "w-nightly" }, ["50%_done"]],
    ["events", { search: "0%_D" }, ["50%_done"]],
    ["events", { search: "_%" }, []],
    ["events", { namespace: "jobs" }, ["50%_done"]],
    ["events", { since: "2026-03-01T11:00:00.001Z" }, []],
    ["events", { cluster_id: "c2" }, []],
  ];
  it("filters lists", async () => {
    await w.show(shop());
    for (const [of, query, expected] of FILTERS) assert.deepEqual(await found(of, query), expected, `${of} ${JSON.stringify(query)}`);
  });

  it("lists by cluster and host", async () => {
    await w.show(shop(), AGENT);
    await w.see(
      sighting({ clusterId: "c2", objects: objects({ workloads: [workload({ id: "w-2", name: "other" })], pods: [] }) }),
      OTHER_AGENT,
    );
    assert.deepEqual(await found("workloads", { agent_id: OTHER_AGENT }), ["other"]);
    assert.deepEqual(await found("workloads", { cluster_id: "c1", kind: "StatefulSet" }), ["db"]);
    assert.deepEqual(await found("workloads", { agent_id: "local" }), []);
    assert.equal((await list("workloads"))["total"], 4);
  });

  it("pages by cursor through what comes and goes", async () => {
    const pods = Array.from({ length: 25 }, (_, index) => pod({ name: `web-${index}` }));
    const events = pods.map(({ name }, index) => clusterEvent({ name, message: name, lastAt: new Date(Date.UTC(2026, 2, 1, 11, index)) }));
    await w.show({ pods, events });
    for (const kind of ["pods", "events"] as const) {
      const seen: unknown[] = [];
      let cursor: unknown;
      do {
        const page = await list(kind, { limit: 10, ...(cursor === undefined ? {} : { cursor }) });
        assert.ok((page[kind] as Json[]).length <= 10);
        seen.push(...namesOf(page, kind));
        cursor = page["next_cursor"] ?? undefined;
        // One that was listed goes: none is left out by that.
        if (kind === "pods" && seen.length === 10) await w.change({}, { removed: { pods: ["p-web-3"] } });
      } while (cursor !== undefined);
      const inOrder = pods.map(({ name }) => name);
      assert.deepEqual(seen, kind === "pods" ? inOrder : inOrder.toReversed());
    }
  });

  it("sums up namespaces, and says how each stands", async () => {
    await w.show(shop());
    const { namespaces, clusters } = await list("namespaces");
    assert.deepEqual(
      (namespaces as Json[]).map((each) => [
        each["name"],
        each["phase"],
        each["pod_security"],
        each["has_network_policy"],
        each["workloads"],
        each["workloads_unhealthy"],
        each["pods"],
        each["pods_ready"],
        each["restarts"],
      ]),
      [
        ["jobs", "Terminating", null, null, 1, 0, 0, 0, 0],
        ["shop", "Active", "baseline", false, 2, 1, 3, 2, 4],
      ],
    );
    const [cluster] = clusters as Json[];
    assert.deepEqual(
      [
        cluster?.["nodes"],
        cluster?.["nodes_ready"],
        cluster?.["workloads_unhealthy"],
        cluster?.["pods"],
        cluster?.["pods_ready"],
        cluster?.["version"],
      ],
      [3, 2, 1, 3, 2, "v1.30.2"],
    );
  });

  it("counts what containers request at the same time, and knows no limit where one has none", async () => {
    await w.show(shop());
    const [record] = (await list("pods", { search: "web-1" }))["pods"] as Json[];
    assert.deepEqual(
      [
        record?.["requests"],
        record?.["limits"],
        record?.["usage"],
        record?.["containers_ready"],
        record?.["containers_total"],
        record?.["restarts"],
      ],
      [
        { cpu_cores: 0.25, memory_bytes: 128 * MiB },
        { cpu_cores: null, memory_bytes: 256 * MiB },
        { cpu_cores: 0.1, memory_bytes: 64 * MiB },
        1,
        1,
        2,
      ],
    );
    const [crashing] = (await list("pods", { search: "web-2" }))["pods"] as Json[];
    assert.deepEqual(
      [crashing?.["status"], crashing?.["message"], crashing?.["workload_name"], crashing?.["node_id"], crashing?.["usage"]],
      ["CrashLoopBackOff", "app keeps crashing: exit code 3, restarted 0 times.", "web", "n-2", null],
    );
  });

  it("shows nodes with requests, skew and problems", async () => {
    await w.show(shop());
    await w.lasts(15_000);
    await w.become(["crash_loop shop/web warning", "node_not_ready node-2 critical", "pvc_filling shop/data warning"]);
    const nodes = (await list("nodes"))["nodes"] as Json[];
    assert.deepEqual(
      nodes.map((each) => [
        each["state"],
        each["schedulable"],
        each["pods"],
        (each["requests"] as Json)["memory_bytes"],
        each["version_skew"],
        (each["problems"] as Json[]).map(({ alert }) => alert),
      ]),
      [
        ["ready", true, 2, 256 * MiB, { minor: 0, supported: true }, []],
        ["unknown", true, 1, null, { minor: 0, supported: true }, ["node_not_ready"]],
        ["ready", false, 0, null, { minor: 4, supported: false }, []],
      ],
    );
    assert.equal(nodes[1]?.["message"], "NodeStatusUnknown: Kubelet stopped posting node status.");
    assert.equal(nodes[2]?.["message"], "It is cordoned: no new pods are put on it.");
    const claims = (await list("claims"))["claims"] as Json[];
    assert.deepEqual(
      claims.map((each) => [
        each["name"],
        each["used_percent"],
        (each["workloads"] as Json[]).map(({ name }) => name),
        (each["problems"] as Json[]).length,
      ]),
      [
        ["data", 90, ["web"], 1],
        ["tmp", null, [], 0],
      ],
    );
  });

  it("follows services and routes to workloads, and offers what a check can ask for alone", async () => {
    await w.show(shop());
    const services = (await list("services"))["services"] as Json[];
    assert.deepEqual(
      services.map((each) => [each["name"], each["type"], (each["workloads"] as Json[]).map(({ name }) => name)]),
      [
        ["db", "NodePort", ["db"]],
        ["web", "ClusterIP", ["web"]],
      ],
    );
    const routes = (await list("routes"))["routes"] as Json[];
    assert.deepEqual(
      routes.map((each) => [(each["rules"] as Json[]).map(({ url }) => url), (each["workloads"] as Json[]).map(({ name }) => name)]),
      [
        [
          [null, "http://plain.example/x"],
          ["web", "db"],
        ],
        [["https://shop.example/"], ["web"]],
      ],
    );
    // The same record wherever it is asked for.
    const detail = await w.server.check("GET", `${PATH}/workloads/{id}`, { id: "w-web" });
    assert.deepEqual(detail["routes"], routes);
  });
});
