import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { z } from "zod";
import { faultsOf } from "../../../../test/support/kubernetes-schemas.ts";
import { parseYaml } from "../../../../test/support/yaml.ts";
import type { Installation } from "./agent-command.ts";
import { installTemplates } from "./index.ts";

const INSTALLATION: Installation = {
  serverUrl: "grpcs://monitor.example.org:443",
  token: `svc_enr_${"k".repeat(52)}`,
  label: "shop",
  expiresAt: new Date("2026-03-02T12:00:00.000Z"),
  serverFingerprint: undefined,
};
const ARGUMENTS = ["--mode=agent", "--server=grpcs://monitor.example.org:443", "--runtime=kubernetes"];

const record = z.record(z.string(), z.unknown());

const mount = z.object({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().optional() });
const container = z.looseObject({
  name: z.string(),
  image: z.string(),
  imagePullPolicy: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.unknown().optional(),
  securityContext: z.looseObject({ runAsUser: z.number().optional() }),
  volumeMounts: z.array(mount),
});
const podSet = z.object({
  selector: z.object({ matchLabels: z.unknown() }),
  template: z.object({
    metadata: z.object({ labels: z.unknown() }),
    spec: z.looseObject({
      serviceAccountName: z.string(),
      nodeSelector: z.unknown(),
      securityContext: z.looseObject({ runAsNonRoot: z.literal(true) }),
      initContainers: z.tuple([container]),
      containers: z.tuple([container]),
      volumes: z.array(z.looseObject({ name: z.string() })),
    }),
  }),
});

describe("the Kubernetes template", () => {
  const manifest = z.looseObject({ apiVersion: z.string(), kind: z.string(), metadata: z.looseObject({ name: z.string() }) });
  const documents = async (installation = INSTALLATION) =>
    z.array(manifest).parse(await parseYaml(installTemplates(installation).kubernetes));

  it("is what the published schemas ask for, and all kinds that it needs", async () => {
    for (const serverFingerprint of [undefined, `sha256:${"0".repeat(64)}`]) {
      const objects = await documents({ ...INSTALLATION, serverFingerprint });
      assert.deepEqual(
        objects.map(({ kind }) => kind),
        ["Namespace", "Secret", "ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "DaemonSet"],
      );
      assert.deepEqual(objects.flatMap(faultsOf), []);
    }
  });

  it("has names that an API server takes", async () => {
    const objects = await documents();
    const [set] = objects.slice(-1);
    const { template } = podSet.parse(set?.["spec"]);
    const parts = [...template.spec.containers, ...template.spec.initContainers, ...template.spec.volumes].map(({ name }) => name);
    const dnsLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
    for (const name of [...objects.map(({ metadata }) => metadata.name), ...parts]) assert.match(name, dnsLabel);
    assert.equal(new Set(parts).size, parts.length);
    const labels = [...objects.map(({ metadata }) => metadata["labels"] ?? {}), template.metadata.labels, template.spec.nodeSelector];
    for (const [name, value] of labels.flatMap((each) => Object.entries(record.parse(each)))) {
      assert.match(name, /^([a-z0-9.-]{1,253}\/)?[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/);
      assert.match(String(value), /^([A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?)?$/);
    }
  });

  const DAMAGES: [what: string, damage: (text: string) => string, fault: RegExp][] = [
    [
      "a field that there is not",
      (text) => text.replace("nodeSelector:", "nodeSelectors:"),
      /^DaemonSet\.spec\.template\.spec\.nodeSelectors is no field$/,
    ],
    ["a missing selector", (text) => text.replace(/  selector:\n.*\n.*\n/, ""), /^DaemonSet\.spec\.selector is missing$/],
    ["a word for a number", (text) => text.replace("runAsUser: 0", "runAsUser: root"), /runAsUser is no integer$/],
    [
      "a type of folder that there is not",
      (text) => text.replace("DirectoryOrCreate", "FolderOrCreate"),
      /hostPath\.type is none of , BlockDevice/,
    ],
    ["an amount that is none", (text) => text.replace("sizeLimit: 16Mi", "sizeLimit: 16 MB"), /sizeLimit does not match/],
    ["a kind of another API group", (text) => text.replace("apiVersion: apps/v1", "apiVersion: v1"), /^there is no kind v1 DaemonSet$/],
    ["text for a list", (text) => text.replace('drop: ["ALL"]', "drop: ALL"), /capabilities\.drop is no array$/],
  ];
  for (const [what, damage, fault] of DAMAGES)
    it(`would be refused with ${what}`, async () => {
      const text = installTemplates(INSTALLATION).kubernetes;
      const damaged = damage(text);
      assert.notEqual(damaged, text);
      const faults = (await parseYaml(damaged)).flatMap(faultsOf);
      assert.equal(faults.length, 1, faults.join("; "));
      assert.match(faults[0] ?? "", fault);
    });

  it("may read the cluster, and write nothing but its lease", async () => {
    const objects = await documents();
    const rules = z.array(z.object({ apiGroups: z.array(z.string()), resources: z.array(z.string()), verbs: z.array(z.string()) }));
    for (const { verbs, resources } of rules.parse(objects.find(({ kind }) => kind === "ClusterRole")?.["rules"])) {
      for (const verb of verbs) assert.ok(["get", "list", "watch"].includes(verb), verb);
      assert.ok(!resources.includes("secrets") && !resources.includes("*"));
    }
    assert.deepEqual(objects.find(({ kind }) => kind === "Role")?.["rules"], [
      { apiGroups: ["coordination.k8s.io"], resources: ["leases"], resourceNames: ["binnacle-agent"], verbs: ["get", "update"] },
      { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["create"] },
    ]);
  });

  it("may read what the chart's agent may", async () => {
    const ofChart = z
      .array(manifest)
      .parse(await parseYaml(readFileSync(new URL("../../../../deploy/kubernetes/agent.yaml", import.meta.url), "utf8")));
    const objects = await documents();
    for (const wanted of ["ClusterRole", "Role"])
      assert.deepEqual(objects.find(({ kind }) => kind === wanted)?.["rules"], ofChart.find(({ kind }) => kind === wanted)?.["rules"]);
  });

  it("is called by its token, else by its node", async () => {
    const envOf = async (label: string | null) => {
      const set = (await documents({ ...INSTALLATION, label })).at(-1);
      return z.array(z.looseObject({ name: z.string() })).parse(podSet.parse(set?.["spec"]).template.spec.containers[0].env);
    };
    const named = (await envOf(null)).find(({ name }) => name === "SERVICE_LABEL");
    assert.deepEqual(named?.["valueFrom"], { fieldRef: { fieldPath: "spec.nodeName" } });
    assert.ok((await envOf("shop")).every(({ name }) => name !== "SERVICE_LABEL"));
  });

  it("fits together", async () => {
    const objects = await documents();
    const [namespace, secret, account, role, binding, ofLease, leaseBinding, set] = objects;
    assert.deepEqual(record.parse(secret?.["stringData"]), { token: INSTALLATION.token });
    for (const object of [secret, account, ofLease, leaseBinding, set])
      assert.equal(object?.metadata["namespace"], namespace?.metadata.name);
    assert.deepEqual(binding?.["roleRef"], { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role?.metadata.name });
    assert.deepEqual(leaseBinding?.["roleRef"], {
      apiGroup: "rbac.authorization.k8s.io",
      kind: "Role",
      name: ofLease?.metadata.name,
    });
    for (const each of [binding, leaseBinding])
      assert.deepEqual(each?.["subjects"], [{ kind: "ServiceAccount", name: account?.metadata.name, namespace: namespace?.metadata.name }]);
    const spec = podSet.parse(set?.["spec"]);
    const pod = spec.template.spec;
    assert.deepEqual(spec.selector.matchLabels, spec.template.metadata.labels);
    assert.equal(pod.serviceAccountName, account?.metadata.name);
    const [agent] = pod.containers;
    assert.deepEqual(agent.args, ARGUMENTS);
    assert.deepEqual(agent.env, [
      { name: "SERVICE_ENROLLMENT_TOKEN", valueFrom: { secretKeyRef: { name: secret?.metadata.name, key: "token", optional: true } } },
    ]);
    const volumes = pod.volumes.map(({ name }) => name);
    for (const { volumeMounts } of [agent, pod.initContainers[0]])
      for (const { name } of volumeMounts) assert.ok(volumes.includes(name), name);
    // The image is in no registry: without a policy a node asks for it all the same, as it does for all that are called latest.
    for (const { image, imagePullPolicy } of [agent, pod.initContainers[0]])
      assert.deepEqual([image, imagePullPolicy], ["binnacle", "IfNotPresent"]);
    assert.ok(agent.volumeMounts.some(({ mountPath, readOnly }) => mountPath === "/host/proc" && readOnly === true));
    assert.ok(!JSON.stringify(set).includes("svc_enr_"));
  });
});
