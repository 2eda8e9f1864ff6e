/**
 * Objects of a cluster as they are sent: JSON that anybody may have made. Identifying texts are accepted unchanged or refused; other texts and lists
 * are cut, and numbers and times out of range are null, since refusing one of them would lose its object.
 */
import { z } from "zod";
import { SEVERITIES } from "../../contract/alert.ts";
import type {
  KubernetesCertificate,
  KubernetesClaim,
  KubernetesEvent,
  KubernetesNamespace,
  KubernetesNode,
  KubernetesObjectKind,
  KubernetesObjects,
  KubernetesRoute,
  KubernetesService,
} from "../../observations/kubernetes.ts";
import {
  type KubernetesPod,
  type KubernetesWorkload,
  KUBERNETES_ROLLOUT_STATES,
  POD_PHASES,
} from "../../observations/kubernetes-workloads.ts";
import {
  MAX_CHAIN_ERROR,
  MAX_ERROR,
  MAX_IMAGE,
  MAX_LABEL_NAME,
  MAX_LABEL_VALUE,
  MAX_LABELS,
  MAX_LIST,
  MAX_NAME,
  MAX_NUMBER,
  MAX_POD_CONTAINERS,
  MAX_PORTS,
  MAX_SANS,
  MAX_SERVICE_LIST,
  MAX_SUBJECT,
  MAX_TIME_MS,
  MIN_TIME_MS,
} from "./limits.ts";
import { cutName } from "./values.ts";

const text = (most: number) => z.string().transform((any) => cutName(any, most));
const name = text(MAX_NAME);
const words = text(MAX_ERROR).nullable();
const nameOrNull = name.nullable();
/** A uid or a similar id. */
export const uid = z.string().regex(/^[!-~]{1,255}$/);
/** The id of another object. Whoever makes an object may write anything there. */
const reference = uid.nullable().catch(null);
const references = (most: number) => list(reference, most).transform((ids) => ids.flatMap((id) => id ?? []));
const number = z.number().nullable();
const isAmount = (any: number): boolean => any >= 0 && any <= MAX_NUMBER;
const count = z.number().int().min(0).max(MAX_NUMBER);
const countOrNull = number.transform((any) => (any !== null && Number.isInteger(any) && isAmount(any) ? any : null));
const amountOrNull = number.transform((any) => (any !== null && isAmount(any) ? any : null));
const port = z.number().int().min(0).max(65_535);
const protocol = z.enum(["tcp", "udp", "sctp"]);

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;
const dateFrom = (leastMs: number) =>
  z
    .string()
    .regex(RFC_3339)
    .transform((any) => new Date(any))
    .refine((date) => date.getTime() >= leastMs && date.getTime() <= MAX_TIME_MS);
const date = dateFrom(0);
const dateOrNull = z
  .string()
  .nullable()
  .transform((any) => (any === null ? null : (date.safeParse(any).data ?? null)));

function list<Item>(item: z.ZodType<Item>, most: number): z.ZodType<Item[]> {
  return z.preprocess((any) => (Array.isArray(any) && any.length > most ? any.slice(0, most) : any), z.array(item));
}
const names = list(name, MAX_SERVICE_LIST);
const images = text(MAX_IMAGE);
const labels = z.record(z.string(), z.string()).transform((any) =>
  Object.fromEntries(
    Object.entries(any)
      .slice(0, MAX_LABELS)
      .map(([key, value]) => [cutName(key, MAX_LABEL_NAME), value.replaceAll("\0", "").slice(0, MAX_LABEL_VALUE)]),
  ),
);

const object = { id: uid, name, createdAt: dateOrNull };
const namespaced = { ...object, namespace: name };
const amounts = z.object({ cpuCores: amountOrNull, memoryBytes: amountOrNull });
const nodeAmounts = amounts.extend({ pods: countOrNull });
const containerKind = z.enum(["app", "init", "sidecar", "ephemeral"]);

const namespace: z.ZodType<KubernetesNamespace> = z.object({
  ...object,
  phase: z.enum(["Active", "Terminating"]),
  podSecurity: z.enum(["privileged", "baseline", "restricted"]).nullable(),
  hasNetworkPolicy: z.boolean().nullable(),
});

const node: z.ZodType<KubernetesNode> = z.object({
  ...object,
  conditions: list(
    z.object({ type: name, status: z.enum(["True", "False", "Unknown"]), reason: nameOrNull, message: words, since: dateOrNull }),
    MAX_SERVICE_LIST,
  ),
  taints: list(z.object({ key: text(MAX_LABEL_NAME), value: nameOrNull, effect: name }), MAX_SERVICE_LIST),
  unschedulable: z.boolean(),
  roles: list(name, MAX_LIST),
  capacity: nodeAmounts,
  allocatable: nodeAmounts,
  usage: amounts.nullable(),
  kubeletVersion: nameOrNull,
  osImage: nameOrNull,
  containerRuntime: nameOrNull,
  internalIp: nameOrNull,
});

const job = z.object({
  completions: countOrNull,
  ...{ active: count, succeeded: count, failed: count },
  startedAt: dateOrNull,
  completedAt: dateOrNull,
  outcome: z.enum(["running", "complete", "failed", "suspended"]),
  reason: nameOrNull,
  message: words,
});

const cronJob = z.object({
  schedule: name,
  timeZone: nameOrNull,
  suspended: z.boolean(),
  startingDeadlineSeconds: countOrNull,
  concurrencyPolicy: z.enum(["Allow", "Forbid", "Replace"]),
  active: count,
  // Agents of earlier versions leave it out.
  scheduleChangedAt: dateOrNull.default(null),
  lastScheduledAt: dateOrNull,
  lastSuccessAt: dateOrNull,
  lastOutcome: z.object({ jobName: name, outcome: z.enum(["complete", "failed"]), reason: nameOrNull, finishedAt: dateOrNull }).nullable(),
});

const security = z.object({
  privileged: names,
  ...{ hostNetwork: z.boolean(), hostPid: z.boolean(), hostIpc: z.boolean() },
  hostPaths: list(text(MAX_IMAGE), MAX_SERVICE_LIST),
  hostPorts: list(z.object({ container: name, port, protocol }), MAX_PORTS),
  ...{ runsAsRoot: names, withoutMemoryLimit: names, withoutCpuLimit: names, addedCapabilities: names },
  serviceAccount: name,
  automountsToken: z.boolean(),
});

const workload: z.ZodType<KubernetesWorkload> = z.object({
  ...namespaced,
  kind: name,
  labels,
  settings: z.object({
    ignored: z.boolean(),
    group: nameOrNull,
    alertSeverity: z.enum(SEVERITIES),
    alertChannels: list(name, MAX_LIST),
    alertTags: list(name, MAX_LIST),
  }),
  containers: list(z.object({ name, kind: containerKind, image: images, requests: amounts, limits: amounts }), MAX_POD_CONTAINERS),
  replicas: z.object({ desired: countOrNull, current: count, ready: count, updated: count, available: count }),
  rollout: z.object({ state: z.enum(KUBERNETES_ROLLOUT_STATES), reason: nameOrNull, message: words }).nullable(),
  isOutdated: z.boolean(),
  job: job.nullable(),
  cronJob: cronJob.nullable(),
  autoscaler: z.object({ name, min: count, max: count, current: count, desired: count, problem: words }).nullable(),
  security: security.nullable(),
  revision: nameOrNull,
});

const containerEnd = z
  .object({ reason: nameOrNull, message: words, exitCode: z.number().int().min(-MAX_NUMBER).max(MAX_NUMBER), finishedAt: dateOrNull })
  .nullable();

const pod: z.ZodType<KubernetesPod> = z.object({
  ...namespaced,
  workloadId: reference,
  ...{ jobName: nameOrNull, nodeName: nameOrNull },
  phase: z.enum(POD_PHASES),
  status: name,
  reason: nameOrNull,
  message: words,
  ready: z.boolean(),
  unschedulable: words,
  containers: list(
    z.object({
      name,
      kind: containerKind,
      image: images,
      imageDigest: images.nullable(),
      state: z.enum(["waiting", "running", "terminated"]),
      reason: nameOrNull,
      message: words,
      ready: z.boolean(),
      restartCount: count,
      startedAt: dateOrNull,
      ...{ end: containerEnd, lastEnd: containerEnd, requests: amounts, limits: amounts },
    }),
    MAX_POD_CONTAINERS,
  ),
  ...{ podIp: nameOrNull, qosClass: nameOrNull },
  claims: names,
  ...{ startedAt: dateOrNull, deletingSince: dateOrNull },
  // Earlier agents do not report throttling.
  usage: amounts.extend({ throttledShare: z.number().min(0).max(1).nullable().default(null) }).nullable(),
});

const service: z.ZodType<KubernetesService> = z.object({
  ...namespaced,
  type: z.enum(["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"]),
  ports: list(z.object({ name: nameOrNull, port, nodePort: port.nullable(), protocol, target: name }), MAX_PORTS),
  externalAddresses: names,
  workloadIds: references(MAX_SERVICE_LIST),
});

const route: z.ZodType<KubernetesRoute> = z.object({
  ...namespaced,
  kind: z.enum(["Ingress", "HTTPRoute", "GRPCRoute", "TLSRoute"]),
  rules: list(z.object({ host: name, path: text(MAX_IMAGE), tls: z.boolean(), serviceName: nameOrNull }), MAX_PORTS),
});

const claim: z.ZodType<KubernetesClaim> = z.object({
  ...namespaced,
  phase: z.enum(["Pending", "Bound", "Lost"]),
  storageClass: nameOrNull,
  ...{ capacityBytes: amountOrNull, usedBytes: amountOrNull, sizeBytes: amountOrNull },
});

const certificate: z.ZodType<KubernetesCertificate> = z.object({
  ...namespaced,
  subject: text(MAX_SUBJECT),
  sans: list(name, MAX_SANS),
  issuer: text(MAX_SUBJECT),
  // It may be long before 1970.
  ...{ notBefore: dateFrom(MIN_TIME_MS), expiresAt: dateFrom(MIN_TIME_MS) },
  chainError: text(MAX_CHAIN_ERROR).nullable(),
});

const event: z.ZodType<KubernetesEvent> = z.object({
  ...namespaced,
  type: z.enum(["Normal", "Warning"]),
  reason: name,
  message: text(MAX_ERROR),
  about: z.object({ kind: name, name, id: reference }),
  source: nameOrNull,
  count,
  ...{ firstAt: date, lastAt: date },
});

/** The schema of one object of each kind. */
export const OBJECT_SCHEMAS: { readonly [Kind in KubernetesObjectKind]: z.ZodType<KubernetesObjects[Kind][number]> } = {
  namespaces: namespace,
  nodes: node,
  workloads: workload,
  pods: pod,
  services: service,
  routes: route,
  claims: claim,
  certificates: certificate,
  events: event,
};
