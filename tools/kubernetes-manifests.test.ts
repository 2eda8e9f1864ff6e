import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { z } from "zod";
import { OPTIONS, fileVariableOf, variableOf } from "../src/config/options.ts";
import { type KubernetesObject, CHART, KUBERNETES_MANIFESTS, objectsOf, renderChart, runHelm } from "../test/support/helm.ts";
import { faultsOf } from "../test/support/kubernetes-schemas.ts";

const ROOT = join(import.meta.dirname, "..");
const token = { existingSecret: "mine" };
const agent = { enabled: true, server: "grpcs://monitor.example.org" };
const postgresql = { database: { kind: "postgresql", postgresql: { existingSecret: "db" } }, persistence: { enabled: false } };

/** Values that people have, by what they want. */
const INSTALLATIONS: Record<string, object> = {
  "the values of the chart": {},
  "PostgreSQL without a volume": postgresql,
  "a server for agents": {
    server: {
      mode: "server",
      watchCluster: false,
      adminToken: token,
      license: { existingSecret: "licence" },
      secretKey: token,
      trustedProxies: ["10.0.0.0/8"],
      allowedHosts: ["monitor.internal"],
      agents: { url: "grpcs://monitor.example.org:8443", tlsSecret: "agents", service: { type: "LoadBalancer", annotations: { a: "b" } } },
      env: { SERVICE_UPDATE_INTERVAL: "12h", SERVICE_SMTP_HOST: "mail.example.org" },
      envFromSecrets: { SERVICE_SMTP_PASSWORD: { name: "mail", key: "password" } },
      podLabels: { team: "ops" },
      podAnnotations: { "example.org/note": "x" },
      nodeSelector: { disk: "ssd" },
      tolerations: [{ key: "monitoring", operator: "Exists" }],
      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
      priorityClassName: "system-cluster-critical",
    },
    ingress: { enabled: true, className: "nginx", host: "monitor.example.org", tlsSecret: "tls", annotations: { "example.org/a": "b" } },
    service: { annotations: { "example.org/a": "b" } },
    imagePullSecrets: [{ name: "registry" }],
    image: { repository: "registry.example.org/binnacle", digest: `sha256:${"0".repeat(64)}` },
    serviceAccount: { annotations: { "example.org/role": "monitor" } },
    persistence: { existingClaim: "old" },
    networkPolicy: {
      webFrom: [{ namespaceSelector: {} }],
      agentsFrom: [{ ipBlock: { cidr: "10.0.0.0/8" } }],
      egress: [{ ports: [{ port: 443 }] }],
    },
  },
  "an agent alone": {
    server: { enabled: false },
    agent: {
      ...agent,
      label: "shop",
      serverFingerprint: `sha256:${"a".repeat(64)}`,
      enrollmentToken: { value: `svc_enr_${"k".repeat(52)}` },
      ca: { existingSecret: "authority" },
      persistence: { storageClass: "fast", keep: false },
      env: { SERVICE_LOG_LEVEL: "debug" },
      nodeSelector: { disk: "ssd" },
    },
    networkPolicy: { egress: [{ ports: [{ port: 443 }] }] },
  },
  "server and agent": { agent: { ...agent, enrollmentToken: { existingSecret: "enrollment" } }, fullnameOverride: "watch" },
  "some namespaces": {
    rbac: { clusterWide: false, nodeStats: true, tlsSecrets: true, gatewayRoutes: false },
    kubernetes: { namespaces: ["shop", "blog"] },
  },
  "rights that are off by themselves": { rbac: { nodeStats: true, tlsSecrets: true } },
  "everything else off": { networkPolicy: { enabled: false }, rbac: { create: false }, serviceAccount: { create: false, name: "mine" } },
};

const container = z.looseObject({
  name: z.string(),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })),
  securityContext: z.unknown(),
  resources: z.object({ requests: z.record(z.string(), z.unknown()), limits: z.record(z.string(), z.unknown()) }),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
});
const deployment = z.looseObject({
  selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
  template: z.looseObject({
    metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
    spec: z.looseObject({
      securityContext: z.looseObject({ runAsNonRoot: z.literal(true), seccompProfile: z.object({ type: z.literal("RuntimeDefault") }) }),
      automountServiceAccountToken: z.boolean(),
      containers: z.tuple([container]),
      volumes: z.array(z.looseObject({ name: z.string() })),
    }),
  }),
});
const podsOf = (objects: readonly KubernetesObject[]) =>
  objects.filter(({ kind }) => kind === "Deployment").map((each) => deployment.parse(each["spec"]).template.spec);
const known = new Set(Object.values(OPTIONS).flatMap((option) => [variableOf(option), fileVariableOf(option)]));

describe("the chart", () => {
  it("has no fault by Helm's own judgement", async () => {
    await runHelm("lint", "--strict", "--quiet", CHART);
  });

  it("has the version of the program", async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const chart = await runHelm("show", "chart", CHART);
    assert.match(chart, new RegExp(`^version: ${version}$`, "m"));
    assert.match(chart, new RegExp(`^appVersion: "?${version}"?$`, "m"));
  });

  for (const [what, values] of Object.entries(INSTALLATIONS))
    describe(`with ${what}`, () => {
      const objects = objectsOf(renderChart(values));

      it("is what the published schemas ask for", async () => {
        assert.ok((await objects).length > 3);
        assert.deepEqual((await objects).flatMap(faultsOf), []);
      });

      it("names each object once", async () => {
        const names = (await objects).map(({ kind, metadata }) => [kind, metadata.namespace, metadata.name].join(" "));
        assert.equal(new Set(names).size, names.length, names.join("\n"));
      });

      it("gives options that there are, and each once", async () => {
        for (const { containers } of podsOf(await objects)) {
          const names = containers[0].env.map(({ name }) => name);
          assert.deepEqual(names, [...new Set(names)]);
          assert.deepEqual(
            names.filter((name) => !known.has(name)),
            [],
          );
          for (const { value } of containers[0].env) assert.notEqual(value, "");
        }
      });

      it("confines its pods", async () => {
        const pods = podsOf(await objects);
        assert.ok(pods.length > 0);
        for (const { containers, volumes } of pods) {
          assert.deepEqual(containers[0].securityContext, {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
          });
          for (const amounts of Object.values(containers[0].resources)) assert.deepEqual(Object.keys(amounts).sort(), ["cpu", "memory"]);
          for (const volume of volumes) assert.ok(!("hostPath" in volume));
          for (const { name } of containers[0].volumeMounts) assert.ok(volumes.some((volume) => volume.name === name));
        }
      });

      it("has services and policies that select its pods", async () => {
        const all = await objects;
        const templates = all.filter(({ kind }) => kind === "Deployment").map((each) => deployment.parse(each["spec"]));
        for (const { selector, template } of templates)
          for (const [name, value] of Object.entries(selector.matchLabels)) assert.equal(template.metadata.labels[name], value);
        const selectors = all.flatMap(({ kind, spec }) => {
          if (kind === "Service")
            return [
              z
                .object({ selector: z.record(z.string(), z.string()) })
                .loose()
                .parse(spec).selector,
            ];
          if (kind !== "NetworkPolicy") return [];
          return [
            z.looseObject({ podSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }) }).parse(spec).podSelector.matchLabels,
          ];
        });
        for (const selector of selectors)
          assert.ok(templates.some(({ selector: { matchLabels } }) => JSON.stringify(matchLabels) === JSON.stringify(selector)));
      });

      it("can write nothing but leases in its own namespace", async () => {
        for (const each of await objects) {
          if (each.kind !== "ClusterRole" && each.kind !== "Role") continue;
          const rules = z.array(z.looseObject({ resources: z.array(z.string()), verbs: z.array(z.string()) })).parse(each["rules"]);
          for (const { resources, verbs } of rules) {
            assert.ok(!resources.includes("*") && !verbs.includes("*"));
            if (resources.includes("leases")) assert.deepEqual([each.kind, each.metadata.namespace], ["Role", "binnacle"]);
            else for (const verb of verbs) assert.ok(["get", "list", "watch"].includes(verb), `${verb} ${resources.join()}`);
          }
        }
      });
    });

  const MISTAKES: [what: string, values: object, message: RegExp][] = [
    ["SQLite without a volume", { persistence: { enabled: false } }, /persistence\.enabled: SQLite needs a volume/],
    ["an embedded server that watches nothing", { server: { watchCluster: false } }, /server\.watchCluster: in embedded mode/],
    ["PostgreSQL without its URL", { database: { kind: "postgresql" } }, /existingSecret/],
    ["an agent without a server", { agent: { enabled: true } }, /agent.*server/],
    ["an ingress without a host", { ingress: { enabled: true } }, /ingress.*host/],
    ["nothing at all", { server: { enabled: false } }, /enable the server, the agent, or both/],
    ["a value that there is not", { replicas: 2 }, /replicas/],
    ["an option that is none of ours", { server: { env: { PATH: "/" } } }, /PATH/],
    ["rights in namespaces that are not named", { rbac: { clusterWide: false } }, /kubernetes\.namespaces: name the namespaces/],
    [
      "a certificate that is lost with the pod",
      { ...postgresql, server: { mode: "server" } },
      /server\.agents\.tlsSecret: without a volume/,
    ],
  ];
  for (const [what, values, message] of MISTAKES)
    it(`refuses ${what}`, () => {
      assert.throws(() => renderChart(values), message);
    });

  it("keeps the token of an account from pods that watch nothing", async () => {
    const [pod] = podsOf(await objectsOf(renderChart(INSTALLATIONS["a server for agents"] ?? {})));
    assert.equal(pod?.automountServiceAccountToken, false);
    const objects = await objectsOf(renderChart(INSTALLATIONS["a server for agents"] ?? {}));
    assert.ok(objects.every(({ kind }) => !kind.endsWith("Role") && !kind.endsWith("RoleBinding")));
  });

  it("can have Prometheus ask for figures, with the token that they need", async () => {
    const objects = await objectsOf(
      renderChart({ podMonitor: { enabled: true, labels: { release: "prometheus" } }, server: { adminToken: token } }),
    );
    const monitor = objects.find(({ kind }) => kind === "PodMonitor");
    assert.deepEqual(z.looseObject({ podMetricsEndpoints: z.unknown() }).parse(monitor?.["spec"]).podMetricsEndpoints, [
      {
        port: "http",
        path: "/metrics",
        interval: "30s",
        authorization: { type: "Bearer", credentials: { name: "mine", key: "admin-token" } },
      },
    ]);
  });
});

describe("the plain manifests", () => {
  for (const { path, content } of KUBERNETES_MANIFESTS)
    it(`${path} is what the chart makes`, async () => {
      const text = readFileSync(join(ROOT, path), "utf8");
      assert.equal(text, content(), "run npm run generate");
      const objects = await objectsOf(text);
      assert.deepEqual(objects.flatMap(faultsOf), []);
      assert.ok(
        objects.every(({ kind }) => kind !== "Secret"),
        "secrets are made by those who apply it",
      );
      assert.doesNotMatch(text, /helm\.sh|Helm/);
    });
});
