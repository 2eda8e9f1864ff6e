import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ClaimRecord, RouteRecord } from "../../../../src/monitoring/kubernetes/api.ts";
import type { ClusterRecord } from "../../../../src/monitoring/kubernetes/answers.ts";
import { isNearlyAll, nodeAmounts, shareOf, workloadAmounts } from "./amounts.ts";
import { claimStatus, fillText, filterClaims } from "./claims.ts";
import { hostNotes, standingWords } from "../../entities/kubernetes/cluster-words.ts";
import { isNarrowed, kubernetesFilter } from "./filter.ts";
import { ATTENTION, filterWorkloads, workloadItems } from "./groups.ts";
import { filterRoutes, portText } from "./network-filter.ts";
import { filterNodes, nodeStates } from "./node-filter.ts";
import { podFilter } from "./pod-filter.ts";
import { nodeRecord, problemRecord, workloadRecord } from "../../entities/kubernetes/record.fixture.ts";

const GIB = 2 ** 30;

describe("what the address of a list says", () => {
  it("is what it knows, as texts", () => {
    const filter = kubernetesFilter({ q: "web", namespace: "", kind: "Deployment", state: ["down"], other: "x" });
    assert.deepEqual(
      Object.entries(filter).filter(([, value]) => value !== undefined),
      [
        ["q", "web"],
        ["kind", "Deployment"],
      ],
    );
    assert.equal(isNarrowed(filter), true);
    assert.equal(isNarrowed(kubernetesFilter({ other: "x" })), false);
  });

  it("asks the server for pods in its words, and leaves what it does not know", () => {
    assert.deepEqual(podFilter({ q: "web", state: "failed", node: "n1" }), {
      search: "web",
      cluster_id: undefined,
      namespace: undefined,
      node: "n1",
      phase: "Failed",
    });
    assert.equal(podFilter({ state: "not_ready" }).ready, false);
    assert.equal(podFilter({ state: "strange" }).phase, undefined);
  });
});

describe("the list of workloads", () => {
  const rows = [
    workloadRecord({ name: "db", kind: "StatefulSet", state: "down", ready: 0, nodes: ["node-2"] }),
    workloadRecord({ name: "web" }),
    workloadRecord({ name: "cache", namespace: "tools", state: "degraded", ignored: true }),
    workloadRecord({ name: "db", id: "other", cluster_id: "c2" }),
  ];
  const names = (filter: Parameters<typeof filterWorkloads>[1]) =>
    filterWorkloads(rows, filter).map(({ cluster_id: cluster, name }) => `${cluster} ${name}`);

  it("is narrowed by each part of the address", () => {
    assert.deepEqual(names({}), ["c1 db", "c1 web", "c1 cache", "c2 db"]);
    assert.deepEqual(names({ namespace: "tools" }), ["c1 cache"]);
    assert.deepEqual(names({ kind: "StatefulSet" }), ["c1 db"]);
    assert.deepEqual(names({ cluster: "c2" }), ["c2 db"]);
    assert.deepEqual(names({ node: "node-2" }), ["c1 db"]);
    assert.deepEqual(names({ state: "down" }), ["c1 db"]);
    assert.deepEqual(names({ state: ATTENTION }), ["c1 db"]);
    assert.deepEqual(names({ state: "strange" }), []);
    assert.deepEqual(names({ q: "TOOLS/ca" }), ["c1 cache"]);
    assert.deepEqual(names({ q: "shop/web:1", namespace: "shop", cluster: "c1" }), ["c1 db", "c1 web"]);
  });

  it("has a head for each namespace of each cluster, with what needs attention there", () => {
    assert.deepEqual(
      workloadItems(rows).map((item) =>
        item.kind === "row" ? item.workload.name : `${item.clusterId} ${item.namespace} ${item.count} ${item.attention} ${item.worst}`,
      ),
      ["c1 shop 2 1 down", "db", "web", "c1 tools 1 0 degraded", "cache", "c2 shop 1 0 degraded", "db"],
    );
  });
});

describe("the list of nodes", () => {
  it("is narrowed by every state that a node has, its name, role and taints", () => {
    const nodes = [
      nodeRecord({ name: "a", schedulable: false, pressures: ["DiskPressure"] }),
      nodeRecord({ name: "b", state: "unknown", taints: [{ key: "dedicated", value: "db", effect: "NoSchedule" }] }),
    ];
    const names = (filter: Parameters<typeof filterNodes>[1]) => filterNodes(nodes, filter).map(({ name }) => name);
    assert.deepEqual(nodes.map(nodeStates), [["ready", "cordoned", "pressure"], ["unknown"]]);
    assert.deepEqual(names({ state: "cordoned" }), ["a"]);
    assert.deepEqual(names({ q: "dedicated=db:no" }), ["b"]);
    assert.deepEqual(names({ q: "worker", node: "a" }), ["a", "b"]);
  });
});

describe("amounts", () => {
  it("of a node are shares of what pods may have", () => {
    const [cpu, memory] = nodeAmounts({
      allocatable: { cpu_cores: 4, memory_bytes: 8 * GIB, pods: 110 },
      requests: { cpu_cores: 2.5, memory_bytes: null },
      usage: { cpu_cores: 0.5, memory_bytes: 7.5 * GIB },
    });
    assert.equal(cpu?.words, "500m used, 2.5 requested of 4");
    assert.equal(memory?.words, "7.50 GiB used of 8.00 GiB");
    assert.deepEqual(
      [cpu, memory].map((amount) => amount && isNearlyAll(amount)),
      [false, true],
    );
  });

  it("of a workload are shares of its limit; without one nothing is near", () => {
    const none = { cpu_cores: null, memory_bytes: null };
    const [cpu, memory] = workloadAmounts({
      limits: { ...none, memory_bytes: GIB },
      requests: { ...none, cpu_cores: 0.1 },
      usage: { cpu_cores: 0.4, memory_bytes: GIB },
      cpu_throttled_percent: null,
    });
    assert.equal(cpu?.words, "400m used, 100m requested, no limit");
    assert.equal(memory?.words, "1.00 GiB used, no request, limit 1.00 GiB");
    assert.deepEqual([cpu?.whole, cpu && isNearlyAll(cpu), memory && isNearlyAll(memory)], [0.4, false, true]);
    assert.equal(workloadAmounts({ limits: none, requests: none, usage: null, cpu_throttled_percent: null })[0]?.whole, null);
  });

  it("say how much a limit throttles, which is near it whatever is used", () => {
    const [limits, requests, usage] = [0.1, 0.1, 0.06].map((cores) => ({ cpu_cores: cores, memory_bytes: null }));
    assert.ok(limits && requests && usage);
    const [little, much] = [3.25, 37.5].map((percent) => workloadAmounts({ limits, requests, usage, cpu_throttled_percent: percent }));
    assert.equal(little?.[0]?.words, "60m used, 100m requested, limit 100m, 3.3 % throttled");
    assert.equal(much?.[0]?.words, "60m used, 100m requested, limit 100m, 38 % throttled");
    assert.deepEqual(
      [little, much].map((amounts) => amounts?.map(isNearlyAll)),
      [
        [false, false],
        [true, false],
      ],
    );
  });

  it("have no share of nothing, and none above all", () => {
    assert.deepEqual([shareOf(null, 1), shareOf(1, null), shareOf(1, 0), shareOf(3, 2)], [null, null, null, 100]);
  });
});

describe("claims", () => {
  const claim = (facts: Partial<ClaimRecord>): ClaimRecord => ({
    id: "v",
    cluster_id: "c1",
    namespace: "shop",
    name: "data",
    phase: "Bound",
    storage_class: "fast",
    capacity_bytes: 10 * GIB,
    size_bytes: null,
    used_bytes: null,
    used_percent: null,
    workloads: [],
    problems: [],
    created_at: null,
    ...facts,
  });

  it("stand with their problems first, then the fullest", () => {
    const claims = [
      claim({ name: "b" }),
      claim({ name: "half", used_percent: 50 }),
      claim({ name: "filling", used_percent: 86, problems: [problemRecord({ alert: "pvc_filling" })] }),
      claim({ name: "lost", phase: "Lost" }),
      claim({ name: "a" }),
    ];
    assert.deepEqual(
      filterClaims(claims, {}).map(({ name }) => name),
      ["lost", "filling", "half", "a", "b"],
    );
    assert.deepEqual(
      filterClaims(claims, { state: "Lost" }).map(({ name }) => name),
      ["lost"],
    );
  });

  it("are nearly full when that is critical", () => {
    const of = (facts: Partial<ClaimRecord>) => claimStatus(claim(facts));
    assert.equal(of({ problems: [problemRecord({ severity: "critical" })] }).word, "Nearly full");
    assert.equal(of({ problems: [problemRecord()] }).status, "degraded");
    assert.equal(of({ phase: "Pending" }).status, "idle");
  });

  it("say how much is known of their size", () => {
    assert.equal(fillText(claim({ used_bytes: GIB, size_bytes: 9 * GIB })), "1.00 GiB of 9.00 GiB");
    assert.equal(fillText(claim({})), "10.0 GiB");
    assert.equal(fillText(claim({ capacity_bytes: null })), "size not known");
  });
});

describe("the network", () => {
  it("has ports as one reads them", () => {
    const port = { name: null, port: 80, node_port: null, protocol: "tcp" as const, target: "80" };
    assert.equal(portText(port), "80");
    assert.equal(portText({ ...port, name: "web", target: "http", node_port: 30080 }), "80→http (web), node port 30080");
    assert.equal(portText({ ...port, protocol: "udp", target: "5353" }), "80→5353/udp");
  });

  it("is found by host, path and service", () => {
    const route: RouteRecord = {
      id: "r",
      cluster_id: "c1",
      namespace: "shop",
      name: "shop",
      kind: "Ingress",
      rules: [{ host: "shop.example.com", path: "/cart", tls: true, service_name: "web", url: "https://shop.example.com/cart" }],
      workloads: [],
      created_at: null,
    };
    const finds = (q: string) => filterRoutes([route], { q }).length === 1;
    assert.deepEqual(["example.com/cart", "WEB", "ingress", "nothing"].map(finds), [true, true, true, false]);
  });
});

describe("what is shown of hosts", () => {
  const hosts: ClusterRecord["hosts"] = [
    { agent_id: null, standing: "watching", reason: null },
    { agent_id: "a1", standing: "standby", reason: null },
    { agent_id: "a2", standing: "denied", reason: "The token is expired." },
  ];

  it("is why those that do not show the cluster do not", () => {
    assert.deepEqual(
      hostNotes({ observed: true, hosts }).map(({ host, words }) => `${host.agent_id} ${words}`),
      ["a1 stands by: another agent watches this cluster.", "a2 sees nothing of it: The token is expired."],
    );
  });

  it("is shown on the page of a host too, also of the one that shows the cluster", () => {
    assert.equal(standingWords({ standing: "watching", reason: null }), "watches this cluster.");
    assert.equal(standingWords({ standing: "denied", reason: null }), "sees nothing of it: denied");
  });

  it("is left to the notice while nobody shows it", () => assert.deepEqual(hostNotes({ observed: false, hosts }), []));
});
