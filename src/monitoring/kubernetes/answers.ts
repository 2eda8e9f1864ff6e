import { z } from "zod";
import { KUBERNETES_NODE_STATES, WORKLOAD_STATES } from "../../events.ts";
import { nextCursor } from "../../http/cursor.ts";
import { timestamp } from "../../http/schemas.ts";
import { KUBERNETES_OBJECT_KINDS, KUBERNETES_STANDINGS } from "../../observations/kubernetes.ts";
import { POD_PHASES } from "../../observations/kubernetes-workloads.ts";
import {
  agentId,
  amounts,
  autoscaler,
  certificate,
  claim,
  clusterEvent,
  commands,
  containerEnd,
  containerKind,
  count,
  cronJob,
  job,
  limits,
  podSecurity,
  problem,
  requests,
  rollout,
  route,
  security,
  sentence,
  service,
  throttled,
  time,
  uid,
  usage,
  words,
} from "./objects.ts";

export const cluster = z.object({
  id: z.string().meta({ description: "uid of the namespace kube-system" }),
  version: words.meta({ description: "of the API server, as in `v1.29.2`" }),
  observed: z.boolean().meta({ description: "false: it is shown as it was last seen, see `reason`; nothing is known to be gone" }),
  observed_at: timestamp,
  reason: words,
  agent_id: agentId.meta({ description: "whose host shows it" }),
  hosts: z
    .array(z.object({ agent_id: agentId, standing: z.enum(KUBERNETES_STANDINGS), reason: words }))
    .meta({ description: "the hosts that watch it; one of them reports, the others stand by" }),
  unseen: z
    .array(z.object({ kind: z.enum(KUBERNETES_OBJECT_KINDS), reason: z.string() }))
    .meta({ description: "kinds of objects that are not seen now, each with the rule that would give it" }),
  namespaces: count,
  nodes: count,
  nodes_ready: count,
  workloads: count,
  workloads_unhealthy: count.meta({ description: "degraded, down or failed" }),
  pods: count,
  pods_ready: count,
  problems: z.array(problem).meta({ description: "of the cluster itself" }),
});
export type ClusterRecord = z.infer<typeof cluster>;

const clusters = z.array(cluster).meta({ description: "the clusters that are seen" });

export const namespace = z.object({
  id: uid,
  cluster_id: z.string(),
  name: z.string(),
  phase: z.enum(["Active", "Terminating"]),
  pod_security: podSecurity.meta({
    description: "level that is enforced, by its label pod-security.kubernetes.io/enforce; null where there is none",
  }),
  has_network_policy: z.boolean().nullable().meta({ description: "whether a policy restricts what comes in; null where that is not seen" }),
  workloads: count,
  workloads_unhealthy: count,
  pods: count,
  pods_ready: count,
  restarts: count.meta({ description: "of the containers of its pods" }),
  requests,
  limits,
  usage,
  created_at: time,
});
export type NamespaceRecord = z.infer<typeof namespace>;

export const workload = z.object({
  id: uid,
  cluster_id: z.string(),
  namespace: z.string(),
  name: z.string().meta({ description: "without the namespace" }),
  kind: z.string().meta({ description: "as in `Deployment`, or the kind of the owner of its pods" }),
  group: z.string().meta({ description: "by the annotation service.group, else the namespace" }),
  state: z.enum(WORKLOAD_STATES),
  message: sentence,
  desired: count.nullable().meta({ description: "pods that it asks for; null where it asks for no number" }),
  current: count,
  ready: count,
  updated: count.meta({ description: "of its current version" }),
  available: count,
  restarts: count.meta({ description: "of the containers of its pods" }),
  containers: z.array(z.object({ name: z.string(), kind: containerKind, image: z.string(), requests: amounts, limits: amounts })),
  labels: z.record(z.string(), z.string()).meta({ description: "values that look secret are masked" }),
  ignored: z.boolean().meta({ description: "by its annotation service.ignore: nothing of it is alerted" }),
  rollout,
  revision: words,
  job,
  cron_job: cronJob,
  autoscaler,
  nodes: z.array(z.string()).meta({ description: "names of the nodes that its pods are on; at most 100" }),
  requests,
  limits,
  usage,
  cpu_throttled_percent: throttled,
  container_id: count.nullable().meta({ description: "of its row among the containers, by which logs, updates and insights are found" }),
  agent_id: agentId,
  problems: z.array(problem),
  created_at: time,
});
export type WorkloadRecord = z.infer<typeof workload>;

export const podContainer = z.object({
  name: z.string(),
  kind: containerKind,
  image: z.string(),
  image_digest: words,
  state: z.enum(["waiting", "running", "terminated"]),
  reason: words.meta({ description: "as in `CrashLoopBackOff`" }),
  message: words,
  ready: z.boolean(),
  restarts: count,
  started_at: time,
  end: containerEnd.meta({ description: "of a terminated one" }),
  last_end: containerEnd.meta({ description: "how it ended before it was started again; its log is that of `previous`" }),
  requests: amounts,
  limits: amounts,
});
export type PodContainerRecord = z.infer<typeof podContainer>;

export const pod = z.object({
  id: uid,
  cluster_id: z.string(),
  namespace: z.string(),
  name: z.string(),
  workload_id: uid.nullable(),
  workload_name: words,
  workload_kind: words,
  job_name: words.meta({ description: "of a pod of a CronJob: the job that it is of" }),
  node_id: uid.nullable(),
  node_name: words,
  phase: z.enum(POD_PHASES),
  status: z.string().meta({ description: "as `kubectl get pods` shows it, as in `CrashLoopBackOff` or `Init:0/1`" }),
  message: sentence,
  reason: words,
  ready: z.boolean(),
  containers_ready: count,
  containers_total: count.meta({ description: "those that do its work, with sidecars" }),
  restarts: count,
  containers: z.array(podContainer),
  pod_ip: words,
  qos_class: words,
  claims: z.array(z.string()).meta({ description: "names of its persistent volume claims" }),
  requests,
  limits,
  usage,
  cpu_throttled_percent: throttled,
  container_id: count.nullable().meta({ description: "of the row of its workload among the containers" }),
  agent_id: agentId,
  created_at: time,
  started_at: time,
  deleting_since: time,
});
export type PodRecord = z.infer<typeof pod>;

const nodeAmounts = amounts.extend({ pods: count.nullable() });

export const node = z.object({
  id: uid,
  cluster_id: z.string(),
  name: z.string(),
  state: z.enum(KUBERNETES_NODE_STATES),
  schedulable: z.boolean().meta({ description: "false: it is cordoned, and no new pods are put on it" }),
  message: sentence,
  roles: z.array(z.string()),
  conditions: z.array(
    z.object({ type: z.string(), status: z.enum(["True", "False", "Unknown"]), reason: words, message: words, since: time }),
  ),
  taints: z.array(z.object({ key: z.string(), value: words, effect: z.string() })),
  pressures: z.array(z.string()).meta({ description: "as in `MemoryPressure`" }),
  capacity: nodeAmounts,
  allocatable: nodeAmounts.meta({ description: "what pods may have of it" }),
  requests: amounts.meta({ description: "sum of its pods" }),
  limits: amounts.meta({ description: "sum of the limits that its pods have; those without one count as none" }),
  usage,
  pods: count,
  kubelet_version: words,
  version_skew: z
    .object({ minor: count.meta({ description: "minor versions behind the API server; negative: ahead" }), supported: z.boolean() })
    .nullable()
    .meta({ description: "null where a version is not known" }),
  os_image: words,
  container_runtime: words,
  internal_ip: words,
  problems: z.array(problem),
  created_at: time,
});
export type NodeRecord = z.infer<typeof node>;

export const workloadDetail = workload.extend({
  pods: z.array(pod).meta({ description: "those that are not well first, then by name; at most 500" }),
  services: z.array(service).meta({ description: "that select its pods" }),
  routes: z.array(route).meta({ description: "that lead to it" }),
  claims: z.array(claim).meta({ description: "that its pods mount" }),
  events: z.array(clusterEvent).meta({ description: "about it and its pods, newest first; at most 50" }),
  used: z
    .object({
      cpu_cores: z.number().nullable(),
      memory_bytes: z.number().nullable(),
      pods_seen: count,
      pods_running: count,
    })
    .nullable()
    .meta({ description: "what its pods use together; null while none of them is seen" }),
  security: security.nullable().meta({ description: "by its pod template; null where that is not seen" }),
  commands: commands.nullable().meta({ description: "null of a kind that has none, and where a name cannot be put into a command" }),
  cluster,
});
export type WorkloadDetail = z.infer<typeof workloadDetail>;

const page = { clusters, total: count, next_cursor: nextCursor };
export const namespaceList = z.object({ namespaces: z.array(namespace), ...page });
export type NamespaceList = z.infer<typeof namespaceList>;
export const workloadList = z.object({ workloads: z.array(workload), ...page });
export type WorkloadList = z.infer<typeof workloadList>;
export const podList = z.object({ pods: z.array(pod), ...page });
export type PodList = z.infer<typeof podList>;
export const nodeList = z.object({ nodes: z.array(node), ...page });
export type NodeList = z.infer<typeof nodeList>;
export const serviceList = z.object({ services: z.array(service), ...page });
export type ServiceList = z.infer<typeof serviceList>;
export const routeList = z.object({ routes: z.array(route), ...page });
export type RouteList = z.infer<typeof routeList>;
export const claimList = z.object({ claims: z.array(claim), ...page });
export type ClaimList = z.infer<typeof claimList>;
export const certificateList = z.object({ certificates: z.array(certificate), ...page });
export type CertificateList = z.infer<typeof certificateList>;
/** Kept by the server: a cluster itself forgets after an hour. */
export const eventList = z.object({ events: z.array(clusterEvent), clusters, next_cursor: nextCursor });
export type EventList = z.infer<typeof eventList>;
