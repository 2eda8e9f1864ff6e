import {
  KUBERNETES_OBJECT_KINDS,
  type KubernetesNode,
  type KubernetesObjects,
  type KubernetesSighting,
} from "../../src/observations/kubernetes.ts";
import {
  KUBERNETES_ROLLOUT_STATES,
  type KubernetesPod,
  type KubernetesWorkload,
  POD_PHASES,
  WORKLOAD_KINDS,
} from "../../src/observations/kubernetes-workloads.ts";
import { fc } from "./seed.ts";

/** Anything a collector may say of a cluster. */

const record = <Model>(model: { [Key in keyof Model]: fc.Arbitrary<Model[Key]> }): fc.Arbitrary<Model> =>
  fc.record<Model>(model, { noNullPrototype: true });
const nullOr = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value, { nil: null });
const some = <Value>(item: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> => fc.array(item, { maxLength: 3 });
const id = fc.oneof(fc.uuid(), fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 32, maxLength: 32 }));
const text = fc.string({ unit: fc.constantFrom(..."abcxyz-./:é日"), minLength: 1, maxLength: 20 });
const words = nullOr(text);
const count = fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.maxSafeNat());
const amount = fc.oneof(
  fc.double({ min: 0, max: 2 ** 53 - 1, noNaN: true }).map((any) => any + 0),
  fc.maxSafeNat(),
);
const LAST_MS = Date.UTC(10_000, 0) - 1;
const date = fc.integer({ min: 0, max: LAST_MS }).map((ms) => new Date(ms));
const time = nullOr(date);
const port = fc.integer({ min: 1, max: 65_535 });
const protocol = fc.constantFrom("tcp", "udp", "sctp");
const amounts = record({ cpuCores: nullOr(amount), memoryBytes: nullOr(amount) });
const nodeAmounts = record({ cpuCores: nullOr(amount), memoryBytes: nullOr(amount), pods: nullOr(count) });
const containerKind = fc.constantFrom("app", "init", "sidecar", "ephemeral");
const object = { id, name: text, createdAt: time };
const namespaced = { ...object, namespace: text };

const node: fc.Arbitrary<KubernetesNode> = record({
  ...object,
  conditions: some(record({ type: text, status: fc.constantFrom("True", "False", "Unknown"), reason: words, message: words, since: time })),
  taints: some(record({ key: text, value: words, effect: text })),
  unschedulable: fc.boolean(),
  roles: some(text),
  capacity: nodeAmounts,
  allocatable: nodeAmounts,
  usage: nullOr(amounts),
  ...{ kubeletVersion: words, osImage: words, containerRuntime: words, internalIp: words },
});

const workload: fc.Arbitrary<KubernetesWorkload> = record({
  ...namespaced,
  kind: fc.oneof(fc.constantFrom(...WORKLOAD_KINDS), fc.constant("Rollout")),
  labels: fc.dictionary(
    text,
    fc.string({ maxLength: 20 }).map((any) => any.replaceAll("\0", "")),
    { noNullPrototype: true },
  ),
  settings: record({
    ignored: fc.boolean(),
    group: words,
    alertSeverity: fc.constantFrom("critical", "warning", "info"),
    alertChannels: some(text),
    alertTags: some(text),
  }),
  containers: some(record({ name: text, kind: containerKind, image: text, requests: amounts, limits: amounts })),
  replicas: record({ desired: nullOr(count), current: count, ready: count, updated: count, available: count }),
  rollout: nullOr(record({ state: fc.constantFrom(...KUBERNETES_ROLLOUT_STATES), reason: words, message: words })),
  isOutdated: fc.boolean(),
  job: nullOr(
    record({
      ...{ completions: nullOr(count), active: count, succeeded: count, failed: count, startedAt: time, completedAt: time },
      outcome: fc.constantFrom("running", "complete", "failed", "suspended"),
      ...{ reason: words, message: words },
    }),
  ),
  cronJob: nullOr(
    record({
      ...{ schedule: text, timeZone: words, suspended: fc.boolean(), startingDeadlineSeconds: nullOr(count) },
      concurrencyPolicy: fc.constantFrom("Allow", "Forbid", "Replace"),
      ...{ active: count, scheduleChangedAt: time, lastScheduledAt: time, lastSuccessAt: time },
      lastOutcome: nullOr(record({ jobName: text, outcome: fc.constantFrom("complete", "failed"), reason: words, finishedAt: time })),
    }),
  ),
  autoscaler: nullOr(record({ name: text, min: count, max: count, current: count, desired: count, problem: words })),
  security: nullOr(
    record({
      privileged: some(text),
      ...{ hostNetwork: fc.boolean(), hostPid: fc.boolean(), hostIpc: fc.boolean() },
      hostPaths: some(text),
      hostPorts: some(record({ container: text, port, protocol })),
      ...{ runsAsRoot: some(text), withoutMemoryLimit: some(text), withoutCpuLimit: some(text), addedCapabilities: some(text) },
      serviceAccount: text,
      automountsToken: fc.boolean(),
    }),
  ),
  revision: words,
});

const end = nullOr(record({ reason: words, message: words, exitCode: fc.integer({ min: -1, max: 255 }), finishedAt: time }));

const pod: fc.Arbitrary<KubernetesPod> = record({
  ...namespaced,
  ...{ workloadId: nullOr(id), jobName: words, nodeName: words, phase: fc.constantFrom(...POD_PHASES), status: text },
  ...{ reason: words, message: words, ready: fc.boolean(), unschedulable: words },
  containers: some(
    record({
      ...{ name: text, kind: containerKind, image: text, imageDigest: words },
      state: fc.constantFrom("waiting", "running", "terminated"),
      ...{ reason: words, message: words, ready: fc.boolean(), restartCount: count, startedAt: time, end, lastEnd: end },
      ...{ requests: amounts, limits: amounts },
    }),
  ),
  ...{ podIp: words, qosClass: words, claims: some(text), startedAt: time, deletingSince: time },
  usage: nullOr(
    record({ cpuCores: nullOr(amount), memoryBytes: nullOr(amount), throttledShare: nullOr(fc.double({ min: 0, max: 1, noNaN: true })) }),
  ),
});

/** Objects of all kinds; of none more than three. */
export const kubernetesObjects: fc.Arbitrary<KubernetesObjects> = record({
  namespaces: some(
    record({
      ...object,
      phase: fc.constantFrom("Active", "Terminating"),
      podSecurity: nullOr(fc.constantFrom("privileged", "baseline", "restricted")),
      hasNetworkPolicy: nullOr(fc.boolean()),
    }),
  ),
  nodes: some(node),
  workloads: some(workload),
  pods: some(pod),
  services: some(
    record({
      ...namespaced,
      type: fc.constantFrom("ClusterIP", "NodePort", "LoadBalancer", "ExternalName"),
      ports: some(record({ name: words, port, nodePort: nullOr(port), protocol, target: text })),
      externalAddresses: some(text),
      workloadIds: some(id),
    }),
  ),
  routes: some(
    record({
      ...namespaced,
      kind: fc.constantFrom("Ingress", "HTTPRoute", "GRPCRoute", "TLSRoute"),
      rules: some(record({ host: fc.oneof(text, fc.constant("")), path: text, tls: fc.boolean(), serviceName: words })),
    }),
  ),
  claims: some(
    record({
      ...namespaced,
      phase: fc.constantFrom("Pending", "Bound", "Lost"),
      ...{ storageClass: words, capacityBytes: nullOr(amount), usedBytes: nullOr(amount), sizeBytes: nullOr(amount) },
    }),
  ),
  certificates: some(
    record({
      ...namespaced,
      ...{ subject: text, sans: some(text), issuer: text },
      notBefore: fc.oneof(date, fc.constant(new Date("1900-01-01T00:00:00Z"))),
      expiresAt: date,
      chainError: words,
    }),
  ),
  events: some(
    record({
      ...namespaced,
      type: fc.constantFrom("Normal", "Warning"),
      ...{ reason: text, message: text, about: record({ kind: text, name: text, id: nullOr(id) }), source: words, count },
      ...{ firstAt: date, lastAt: date },
    }),
  ),
});

const head = {
  clusterId: nullOr(id),
  version: words,
  unseen: fc.uniqueArray(record({ kind: fc.constantFrom(...KUBERNETES_OBJECT_KINDS), reason: text }), { selector: ({ kind }) => kind }),
};
const removed = fc.dictionary(fc.constantFrom(...KUBERNETES_OBJECT_KINDS), fc.array(id, { minLength: 1, maxLength: 3 }), {
  noNullPrototype: true,
});
const nothing: KubernetesObjects = {
  ...{ namespaces: [], nodes: [], workloads: [], pods: [], services: [], routes: [], claims: [], certificates: [], events: [] },
};

export const kubernetes: fc.Arbitrary<KubernetesSighting> = fc.oneof(
  record({
    ...head,
    ...{ standing: fc.constant("watching" as const), reason: fc.constant(null), isComplete: fc.constant(true) },
    ...{ objects: kubernetesObjects, removed: fc.constant({}) },
  }),
  record({
    ...head,
    ...{ standing: fc.constant("watching" as const), reason: fc.constant(null), isComplete: fc.constant(false) },
    ...{ objects: kubernetesObjects, removed },
  }),
  record({
    ...head,
    ...{ standing: fc.constantFrom("standby" as const, "denied" as const, "unreachable" as const), reason: text },
    ...{ isComplete: fc.constant(false), objects: fc.constant(nothing), removed: fc.constant({}) },
  }),
);
