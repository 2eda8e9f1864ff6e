/** What records of clusters have in them; see answers.ts. */
import { z } from "zod";
import { SEVERITIES } from "../../contract/alert.ts";
import { KUBERNETES_ALERTS } from "../../events.ts";
import { timestamp } from "../../http/schemas.ts";
import { KUBERNETES_ROLLOUT_STATES } from "../../observations/kubernetes-workloads.ts";

export const count = z.number().int();
export const uid = z.string().meta({ description: "uid" });
export const agentId = z.uuid().nullable();
export const words = z.string().nullable();
export const time = timestamp.nullable();
export const sentence = z
  .string()
  .nullable()
  .meta({ description: "why it is not well, as a sentence; null when nothing is known to be wrong" });

export const amounts = z.object({
  cpu_cores: z.number().nullable(),
  memory_bytes: z.number().nullable(),
});
export type AmountsRecord = z.infer<typeof amounts>;

export const usage = amounts.nullable().meta({ description: "by the last reading of the cluster's metrics; null where they are not seen" });
export const throttled = z.number().nullable().meta({
  description:
    "in how many of the CPU periods of the last minute a container waited for its CPU limit, in percent; of several containers the most throttled; null where that is not known",
});
export const requests = amounts.meta({ description: "sum of what its containers request; null where none does" });
export const limits = amounts.meta({ description: "sum of the limits of its containers; null where one of them has none" });

export const problem = z.object({
  alert: z.enum(KUBERNETES_ALERTS),
  severity: z.enum(SEVERITIES),
  message: z.string(),
  cause: words,
  since: timestamp,
});
export type KubernetesProblemRecord = z.infer<typeof problem>;

const leadsTo = z.array(z.object({ id: uid, kind: z.string(), name: z.string() }));

export const service = z.object({
  id: uid,
  cluster_id: z.string(),
  namespace: z.string(),
  name: z.string(),
  type: z.enum(["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"]),
  ports: z.array(
    z.object({
      name: words,
      port: count,
      node_port: count.nullable(),
      protocol: z.enum(["tcp", "udp", "sctp"]),
      target: z.string(),
    }),
  ),
  external_addresses: z.array(z.string()),
  workloads: leadsTo.meta({ description: "whose pods it selects" }),
  created_at: time,
});
export type ServiceRecord = z.infer<typeof service>;

export const route = z.object({
  id: uid,
  cluster_id: z.string(),
  namespace: z.string(),
  name: z.string(),
  kind: z.enum(["Ingress", "HTTPRoute", "GRPCRoute", "TLSRoute"]),
  rules: z.array(
    z.object({
      host: z.string().meta({ description: "empty: any" }),
      path: z.string(),
      tls: z.boolean(),
      service_name: words,
      url: words.meta({ description: "what an endpoint check can ask for; null of a host that is any, or has a wildcard" }),
    }),
  ),
  workloads: leadsTo.meta({ description: "that its services lead to" }),
  created_at: time,
});
export type RouteRecord = z.infer<typeof route>;

export const claim = z.object({
  id: uid,
  cluster_id: z.string(),
  namespace: z.string(),
  name: z.string(),
  phase: z.enum(["Pending", "Bound", "Lost"]),
  storage_class: words,
  capacity_bytes: z.number().nullable(),
  size_bytes: z.number().nullable().meta({ description: "what its file system holds" }),
  used_bytes: z.number().nullable(),
  used_percent: z.number().nullable(),
  workloads: leadsTo.meta({ description: "whose pods mount it" }),
  problems: z.array(problem),
  created_at: time,
});
export type ClaimRecord = z.infer<typeof claim>;

export const certificate = z.object({
  id: uid,
  cluster_id: z.string(),
  namespace: z.string(),
  name: z.string().meta({ description: "of the Secret" }),
  subject: z.string(),
  sans: z.array(z.string()),
  issuer: z.string(),
  not_before: timestamp,
  expires_at: timestamp,
  chain_error: words,
  problems: z.array(problem),
  created_at: time,
});
export type CertificateRecord = z.infer<typeof certificate>;

export const clusterEvent = z.object({
  id: uid,
  cluster_id: z.string(),
  namespace: z.string().meta({ description: "empty of what is in none" }),
  type: z.enum(["Normal", "Warning"]),
  reason: z.string(),
  message: z.string(),
  about: z.object({ kind: z.string(), name: z.string(), id: uid.nullable() }),
  workload_id: uid.nullable().meta({ description: "what it is about, or the workload of the pod that it is about" }),
  source: words,
  count,
  first_at: timestamp,
  last_at: timestamp,
});
export type ClusterEventRecord = z.infer<typeof clusterEvent>;

export const rollout = z
  .object({ state: z.enum(KUBERNETES_ROLLOUT_STATES), reason: words, message: words })
  .nullable()
  .meta({ description: "how its current version comes in; null of a kind that has none" });

export const job = z
  .object({
    completions: count.nullable().meta({ description: "null: any one success is enough" }),
    active: count,
    succeeded: count,
    failed: count,
    started_at: time,
    completed_at: time,
    outcome: z.enum(["running", "complete", "failed", "suspended"]),
    reason: words,
    message: words,
  })
  .nullable();

export const cronJob = z
  .object({
    schedule: z.string(),
    time_zone: words.meta({ description: "IANA name; null: that of the controller manager, mostly UTC" }),
    suspended: z.boolean(),
    starting_deadline_seconds: z.number().nullable(),
    concurrency_policy: z.enum(["Allow", "Forbid", "Replace"]),
    active: count,
    last_scheduled_at: time,
    last_success_at: time,
    last_outcome: z.object({ job_name: z.string(), outcome: z.enum(["complete", "failed"]), reason: words, finished_at: time }).nullable(),
    next_run_at: time.meta({ description: "by its schedule; null while it is suspended, or of a schedule that is not understood" }),
  })
  .nullable();

export const autoscaler = z
  .object({
    name: z.string(),
    min: count,
    max: count,
    current: count,
    desired: count,
    at_limit: z.boolean().meta({ description: "it asks for as many as it may" }),
    problem: words.meta({ description: "why it cannot scale; null when it can" }),
  })
  .nullable()
  .meta({ description: "the HorizontalPodAutoscaler of the workload" });

export const containerKind = z.enum(["app", "init", "sidecar", "ephemeral"]);

export const containerEnd = z.object({ reason: words, message: words, exit_code: count, finished_at: time }).nullable();

/** A level of the Pod Security Standards. */
export const podSecurity = z.enum(["privileged", "baseline", "restricted"]).nullable();

export const security = z.object({
  privileged: z.array(z.string()).meta({ description: "names of containers" }),
  host_network: z.boolean(),
  host_pid: z.boolean(),
  host_ipc: z.boolean(),
  host_paths: z.array(z.string()),
  host_ports: z.array(z.object({ container: z.string(), port: count, protocol: z.enum(["tcp", "udp", "sctp"]) })),
  runs_as_root: z.array(z.string()),
  without_memory_limit: z.array(z.string()),
  without_cpu_limit: z.array(z.string()),
  added_capabilities: z.array(z.string()),
  service_account: z.string(),
  automounts_token: z.boolean(),
  latest_tag: z.array(z.string()).meta({ description: "names of containers whose image has no tag, or `latest`" }),
  namespace_level: podSecurity,
});

export const commands = z.object({
  update: z.string().meta({ description: "kubectl set image, with the images that it has now" }),
  undo: words.meta({ description: "kubectl rollout undo; null of a kind that cannot" }),
  restart: words.meta({ description: "kubectl rollout restart; null of a kind that cannot" }),
});
