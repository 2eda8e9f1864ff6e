import { z } from "zod";
import { KUBERNETES_NODE_STATES, WORKLOAD_STATES } from "../../events.ts";
import { cursorPaging } from "../../http/cursor.ts";
import { agentFilter, queryFlag, timestamp } from "../../http/schemas.ts";
import { POD_PHASES } from "../../observations/kubernetes-workloads.ts";

export type { CertificateRecord, ClaimRecord, ClusterEventRecord, KubernetesProblemRecord, RouteRecord, ServiceRecord } from "./objects.ts";

/** What the lists of clusters can be asked with. */

const text = z.string().max(255).optional();
const filters = {
  cluster_id: text.meta({ description: "only of this cluster" }),
  agent_id: agentFilter.meta({ description: "only of clusters that this host watches" }),
  search: text.meta({ description: "in the name or the namespace, in any case" }),
  ...cursorPaging(),
};
const inNamespace = { ...filters, namespace: text.meta({ description: "only in this namespace" }) };

export const namespaceQuery = z.strictObject({ ...filters });
export type NamespaceQuery = z.infer<typeof namespaceQuery>;

export const workloadQuery = z.strictObject({
  ...inNamespace,
  search: text.meta({ description: "in the name, the namespace, the group or an image, in any case" }),
  kind: text.meta({ description: "as in `Deployment`" }),
  state: z.enum(WORKLOAD_STATES).optional(),
  node: text.meta({ description: "only those with a pod on this node, by its name" }),
});
export type WorkloadQuery = z.infer<typeof workloadQuery>;

export const podQuery = z.strictObject({
  ...inNamespace,
  workload_id: text,
  node: text.meta({ description: "by its name" }),
  phase: z.enum(POD_PHASES).optional(),
  ready: queryFlag.optional(),
});
export type PodQuery = z.infer<typeof podQuery>;

export const nodeQuery = z.strictObject({ ...filters, state: z.enum(KUBERNETES_NODE_STATES).optional() });
export type NodeQuery = z.infer<typeof nodeQuery>;

export const objectQuery = z.strictObject({ ...inNamespace });
export type ObjectQuery = z.infer<typeof objectQuery>;

export const eventQuery = z.strictObject({
  ...inNamespace,
  search: text.meta({ description: "in the message, the reason, or the name that it is about, in any case" }),
  type: z.enum(["Normal", "Warning"]).optional(),
  kind: text.meta({ description: "of what it is about, as in `Pod`" }),
  name: text.meta({ description: "of what it is about" }),
  workload_id: text.meta({ description: "about this workload and its pods" }),
  since: timestamp.optional().meta({ description: "last seen then, or later" }),
});
export type EventQuery = z.infer<typeof eventQuery>;

export const workloadParams = z.object({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
    .meta({ description: "uid" }),
});
