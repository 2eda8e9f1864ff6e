import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { installTemplates } from "../../src/fleet/enrollment/templates/index.ts";
import { RESOURCES } from "../../src/runtimes/kubernetes/resources.ts";
import { KUBERNETES_MANIFESTS, objectsOf, renderChart } from "../support/helm.ts";
import { type TestCluster, startCluster } from "../support/kubernetes/cluster.ts";
import { until } from "../support/until.ts";

const ROOT = join(import.meta.dirname, "../..");
const WITHIN = { withinMs: 60_000, everyMs: 200 };
const LEASES = "coordination.k8s.io";
const VERBS = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];

const TEMPLATE = installTemplates({
  serverUrl: "grpcs://monitor.example.org:443",
  token: `svc_enr_${"k".repeat(52)}`,
  label: null,
  expiresAt: new Date("2030-03-02T12:00:00.000Z"),
  serverFingerprint: `sha256:${"0f".repeat(32)}`,
}).kubernetes;

/** What Binnacle may do, as the API server decides it. */
interface Right {
  verb: string;
  group: string;
  resource: string;
  subresource?: string;
  namespace?: string;
  name?: string;
}

describe("what is installed in a cluster", () => {
  let cluster: TestCluster;
  before(async () => {
    cluster = await startCluster({ accounts: true, controllers: true });
    for (const name of ["binnacle", "binnacle-agent", "shop", "blog"]) await cluster.api.post("/api/v1/namespaces", { metadata: { name } });
  });
  after(() => cluster?.stop());

  let files = 0;
  /** What the API server answers for each object. */
  async function dryRun(yaml: string): Promise<string[]> {
    const path = join(cluster.folder, `manifests-${(files += 1)}.yaml`);
    await writeFile(path, yaml);
    return (await cluster.kubectl("apply", "--dry-run=server", "-f", path)).split("\n");
  }

  const INSTALLATIONS: [what: string, yaml: () => string][] = [
    ...KUBERNETES_MANIFESTS.map(({ path }): [string, () => string] => [path, () => readFileSync(join(ROOT, path), "utf8")]),
    ["the install template", () => TEMPLATE],
    [
      "the chart with an ingress",
      () => renderChart({ ingress: { enabled: true, host: "monitor.example.org", className: "nginx", tlsSecret: "tls" } }),
    ],
    [
      "the chart for some namespaces",
      () =>
        renderChart({
          rbac: { clusterWide: false, nodeStats: true, tlsSecrets: true },
          kubernetes: { namespaces: ["shop", "blog"] },
          networkPolicy: {
            webFrom: [{ namespaceSelector: { matchLabels: { name: "ingress" } } }],
            egress: [{ to: [{ ipBlock: { cidr: "0.0.0.0/0" } }], ports: [{ port: 443 }] }],
          },
        }),
    ],
    [
      "the chart with server and agent",
      () =>
        renderChart({
          server: {
            mode: "server",
            license: { existingSecret: "licence" },
            tolerations: [{ key: "monitoring", operator: "Exists" }],
            agents: { service: { type: "LoadBalancer" }, tlsSecret: "agents" },
            envFromSecrets: { SERVICE_SMTP_PASSWORD: { name: "mail", key: "password" } },
          },
          agent: { enabled: true, server: "grpcs://binnacle-agents:8443", ca: { existingSecret: "authority" } },
        }),
    ],
  ];
  for (const [what, yaml] of INSTALLATIONS)
    it(`${what}: the API server takes all of it`, async () => {
      const objects = await objectsOf(yaml());
      const answers = await dryRun(yaml());
      assert.equal(answers.length, objects.length, answers.join("\n"));
      for (const answer of answers) assert.match(answer, /(created|configured|unchanged) \(server dry run\)$/);
    });

  it("the API server refuses a field that there is not", async () => {
    const damaged = renderChart({}).replace("automountServiceAccountToken: true", "automountServiceAccountTokens: true");
    await assert.rejects(dryRun(damaged), /automountServiceAccountTokens/);
  });

  it("the chart's pods are made, under their account and with its token", async () => {
    await cluster.apply(renderChart({}));
    const pods = "/api/v1/namespaces/binnacle/pods";
    interface Pods {
      items: { spec: { serviceAccountName: string; volumes: { name: string; projected?: unknown }[] } }[];
    }
    const [pod] = await until(async () => {
      const { items } = await cluster.api.get<Pods>(pods);
      return items.length > 0 ? items : undefined;
    }, WITHIN);
    assert.equal(pod?.spec.serviceAccountName, "binnacle");
    const volumes = pod.spec.volumes.map(({ name }) => name);
    for (const name of ["data", "secrets", "tmp"]) assert.ok(volumes.includes(name), name);
    // The token's volume is called otherwise since Kubernetes 1.21.
    assert.ok(volumes.some((name) => /^(binnacle-token|kube-api-access)-/.test(name)));
  });

  const may = async (user: string, right: Right): Promise<boolean> => {
    const { status } = await cluster.api.call<{ status: { allowed: boolean } }>(
      "POST",
      "/apis/authorization.k8s.io/v1/subjectaccessreviews",
      {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec: { user, resourceAttributes: right },
      },
    );
    return status.allowed;
  };

  /** All that an account may do with the resources of this cluster, in any namespace unless one is named. */
  async function rightsOf(user: string, namespace = ""): Promise<string[]> {
    const rights: string[] = [];
    for (const { group, resource, subresource } of await resourcesOf(cluster)) {
      const allowed = await Promise.all(VERBS.map((verb) => may(user, { verb, group, resource, subresource, namespace })));
      const verbs = VERBS.filter((_verb, index) => allowed[index]);
      const name = subresource === "" ? resource : `${resource}/${subresource}`;
      if (verbs.length > 0) rights.push(`${[name, group].filter(Boolean).join(".")}: ${verbs.join(" ")}`);
    }
    return rights.sort();
  }

  /** What the program reads of every kind that this cluster has, by its own table. */
  async function neededRights(): Promise<string[]> {
    const kinds = new Set(
      Object.values(RESOURCES)
        .filter(({ kind }) => kind !== "Secret")
        .map(({ group, kind }) => `${group} ${kind}`),
    );
    const read = (await resourcesOf(cluster)).filter(({ group, kind, subresource }) => subresource === "" && kinds.has(`${group} ${kind}`));
    return [
      ...new Set(read.map(({ group, resource }) => `${[resource, group].filter(Boolean).join(".")}: get list watch`)),
      "pods/log: get",
    ].sort();
  }

  const CHART = "system:serviceaccount:binnacle:binnacle";
  const AGENT = "system:serviceaccount:binnacle-agent:binnacle-agent";

  it("the chart gives the rights that the program needs, and no others", async () => {
    const needed = await neededRights();
    assert.ok(needed.length > 14, needed.join("\n"));
    assert.deepEqual(await rightsOf(CHART), needed);
    const metrics = { group: "metrics.k8s.io", resource: "pods" };
    assert.deepEqual(await Promise.all(["list", "watch"].map((verb) => may(CHART, { verb, ...metrics }))), [true, false]);
    for (const resource of ["httproutes", "grpcroutes", "tlsroutes"])
      assert.ok(await may(CHART, { verb: "watch", group: "gateway.networking.k8s.io", resource }));
  });

  it("the agent of the chart has the same rights, and may hold the lease of the election, and no other", async () => {
    await cluster.apply(renderChart({ agent: { enabled: true, server: "grpcs://monitor.example.org" } }));
    const user = `${CHART}-agent`;
    await until(async () => may(user, { verb: "create", group: LEASES, resource: "leases", namespace: "binnacle" }), WITHIN);
    assert.deepEqual(await rightsOf(user), await neededRights());
    for (const [verb, namespace, name, expected] of [
      ["get", "binnacle", "binnacle-agent", true],
      ["update", "binnacle", "binnacle-agent", true],
      ["delete", "binnacle", "binnacle-agent", false],
      ["update", "binnacle", "another", false],
      ["create", "kube-system", "binnacle-agent", false],
      ["get", "kube-node-lease", "node-a", false],
    ] as const)
      assert.equal(
        await may(user, { verb, namespace, name, group: LEASES, resource: "leases" }),
        expected,
        `${verb} ${name} in ${namespace}`,
      );
    assert.equal(
      await may(CHART, { verb: "create", namespace: "binnacle", group: LEASES, resource: "leases" }),
      false,
      "the server is in no election",
    );
  });

  it("the agent of the install template has the same rights", async () => {
    await cluster.apply(TEMPLATE);
    assert.deepEqual(await rightsOf(AGENT), await neededRights());
    assert.ok(await may(AGENT, { verb: "update", group: LEASES, resource: "leases", namespace: "binnacle-agent", name: "binnacle-agent" }));
    interface Sets {
      items: { status: { desiredNumberScheduled: number } }[];
    }
    const scheduled = async (): Promise<number | undefined> =>
      (await cluster.api.get<Sets>("/apis/apps/v1/namespaces/binnacle-agent/daemonsets")).items[0]?.status.desiredNumberScheduled;
    await cluster.addNode("node-a");
    await cluster.addNode("node-b");
    assert.equal(await scheduled(), 0);
    await cluster.kubectl("label", "node", "node-a", "binnacle-agent=here");
    await until(async () => (await scheduled()) === 1, WITHIN);
  });

  it("what is off by itself gives its own right alone", async () => {
    const rights = await rightsOf(CHART);
    await cluster.apply(renderChart({ rbac: { nodeStats: true } }));
    await until(async () => may(CHART, { verb: "get", group: "", resource: "nodes", subresource: "proxy" }), WITHIN);
    assert.deepEqual(added(rights, await rightsOf(CHART)), ["nodes/proxy: get"]);
    await cluster.apply(renderChart({ rbac: { tlsSecrets: true } }));
    await until(async () => may(CHART, { verb: "list", group: "", resource: "secrets" }), WITHIN);
    assert.deepEqual(added(rights, await rightsOf(CHART)), ["secrets: list watch"]);
  });

  it("rights in some namespaces are rights in no others", async () => {
    const values = { fullnameOverride: "narrow", rbac: { clusterWide: false }, kubernetes: { namespaces: ["shop", "blog"] } };
    await cluster.apply(renderChart(values));
    const user = "system:serviceaccount:binnacle:narrow";
    await until(async () => may(user, { verb: "list", group: "", resource: "pods", namespace: "blog" }), WITHIN);
    assert.deepEqual(await rightsOf(user), []);
    assert.deepEqual(await rightsOf(user, "default"), []);
    const inShop = await rightsOf(user, "shop");
    const ofCluster = new Set(["nodes: get list watch", "namespaces: get list watch"]);
    assert.deepEqual(
      inShop,
      (await neededRights()).filter((right) => !ofCluster.has(right)),
    );
    const identity = { verb: "get", group: "", resource: "namespaces" };
    assert.ok(await may(user, { ...identity, namespace: "kube-system", name: "kube-system" }), "which cluster it is");
  });
});

function added(old: readonly string[], now: readonly string[]): string[] {
  return now.filter((right) => !old.includes(right));
}

interface ApiResource {
  group: string;
  kind: string;
  resource: string;
  subresource: string;
}

/** All resources of a cluster, of each group in the version that it prefers. */
async function resourcesOf({ api }: TestCluster): Promise<ApiResource[]> {
  interface Groups {
    groups: { name: string; preferredVersion: { groupVersion: string } }[];
  }
  const { groups } = await api.get<Groups>("/apis");
  const versions = [
    { group: "", path: "/api/v1" },
    ...groups.map(({ name, preferredVersion }) => ({ group: name, path: `/apis/${preferredVersion.groupVersion}` })),
    // Of this group the older version has the rest.
    { group: "batch", path: "/apis/batch/v1beta1" },
  ];
  const lists = await Promise.all(
    versions.map(async ({ group, path }) => {
      const { resources } = await api.get<{ resources: { name: string; kind: string }[] }>(path);
      return resources.map(({ name, kind }): ApiResource => {
        const [resource = "", subresource = ""] = name.split("/");
        return { group, kind, resource, subresource };
      });
    }),
  );
  return lists.flat();
}
