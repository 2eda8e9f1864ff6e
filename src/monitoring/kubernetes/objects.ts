/** What leads to workloads, and what they use; see api.ts. */
import { z } from "zod";
import { SEVERITIES } from "../../contract/alert.ts";
import { KUBERNETES_ALERTS } from "../../events.ts";
import { timestamp } from "../../http/schemas.ts";

/** What several records of clusters have in them; see api.ts. */

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
