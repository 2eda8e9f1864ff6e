import { z } from "zod";
import { agentId, pageEnd, pageOf, paging } from "../../mcp/arguments.ts";
import { tool, type Tool } from "../../mcp/tool.ts";
import { isServiceError } from "../../platform/errors.ts";
import { cluster, node, type NodeRecord, pod, type PodRecord, workload, workloadDetail, type WorkloadRecord } from "./answers.ts";
import { clusterEvent } from "./objects.ts";
import type { KubernetesService } from "./service.ts";

/** Tools page themselves, through all there is. */
const ALL = Number.MAX_SAFE_INTEGER;
const text = z.string().max(255).optional();
const notSeen = z.string().nullable().describe("Why no cluster is seen, and what to do; null when one is.").meta({ ours: true });

/** An assistant asks before it knows whether there is a cluster: that there is none is an answer. */
async function orNone<Answer extends object, None>(
  ask: () => Answer | Promise<Answer>,
  none: None,
): Promise<(Answer | None) & { not_seen: string | null }> {
  try {
    return { ...(await ask()), not_seen: null };
  } catch (error) {
    if (isServiceError(error, "conflict")) return { ...none, not_seen: error.message };
    throw error;
  }
}

/** What an assistant can ask of clusters. Logs of a workload are those of its container_id. */
export function kubernetesTools(kubernetes: KubernetesService): Tool[] {
  const shortWorkload = workload.pick({
    ...{ id: true, cluster_id: true, namespace: true, name: true, kind: true, state: true, message: true, desired: true, ready: true },
    ...{ restarts: true, rollout: true, container_id: true, problems: true },
  });
  const shortPod = pod.pick({
    ...{ id: true, cluster_id: true, namespace: true, name: true, workload_name: true, workload_kind: true, node_name: true, phase: true },
    ...{ status: true, message: true, ready: true, restarts: true, container_id: true, created_at: true },
  });
  const inNamespace = {
    namespace: text.describe("Only in this namespace."),
    cluster_id: text.describe("Only of this cluster."),
    agent_id: agentId,
  };
  return [
    tool({
      name: "list_kubernetes_workloads",
      title: "List Kubernetes workloads",
      description:
        "The workloads of Kubernetes: Deployments, StatefulSets, DaemonSets, Jobs, CronJobs and bare Pods, how many pods each asks for and has ready, its rollout, and what is wrong with it.",
      input: z.strictObject({
        ...inNamespace,
        kind: text.describe("Only of this kind, as in Deployment."),
        state: workload.shape.state.optional().describe("Only those in this state."),
        node: text.describe("Only those with a pod on this node, by its name."),
        search: text.describe("Only those with this in their name, namespace, group or an image, in any case."),
        ...paging(),
      }),
      output: z.object({ workloads: z.array(shortWorkload), clusters: z.array(cluster), not_seen: notSeen, ...pageEnd }),
      async handle({ limit, cursor, ...query }) {
        const { workloads, clusters, not_seen } = await orNone(() => kubernetes.workloads({ ...query, limit: ALL }), {
          workloads: [],
          clusters: [],
        });
        const { page, end } = pageOf<WorkloadRecord>(workloads, { limit, cursor });
        return { workloads: page.map((each) => shortWorkload.parse(each)), clusters, not_seen, ...end };
      },
    }),
    tool({
      name: "get_kubernetes_workload",
      title: "Get one Kubernetes workload",
      description:
        "One workload of Kubernetes with its pods and their containers, why they are not well, what leads to it, its volumes, events and what its pods use. Its logs: get_container_logs with its container_id.",
      input: z.strictObject({ workload_id: z.string().max(128).describe("From list_kubernetes_workloads.") }),
      output: workloadDetail,
      finder: "list_kubernetes_workloads",
      handle: ({ workload_id: id }) => kubernetes.workload(id),
    }),
    tool({
      name: "list_kubernetes_pods",
      title: "List Kubernetes pods",
      description: "The pods of Kubernetes: status, node, restarts, and why each is not well.",
      input: z.strictObject({
        ...inNamespace,
        workload_id: text.describe("Only those of this workload, by its id from list_kubernetes_workloads."),
        node: text.describe("Only those on this node, by its name."),
        ready: z.boolean().optional().describe("Only those that are ready, or are not."),
        search: text.describe("Only those with this in their name or namespace, in any case."),
        ...paging(),
      }),
      output: z.object({ pods: z.array(shortPod), not_seen: notSeen, ...pageEnd }),
      async handle({ limit, cursor, ...query }) {
        const { pods, not_seen } = await orNone(() => kubernetes.pods({ ...query, limit: ALL }), { pods: [] });
        const { page, end } = pageOf<PodRecord>(pods, { limit, cursor });
        return { pods: page.map((each) => shortPod.parse(each)), not_seen, ...end };
      },
    }),
    tool({
      name: "list_kubernetes_nodes",
      title: "List Kubernetes nodes",
      description:
        "The nodes of Kubernetes: conditions, pressure, taints, what each has against what its pods request and use, and how its version differs from the API server's.",
      input: z.strictObject({ cluster_id: text.describe("Only of this cluster."), ...paging() }),
      output: z.object({ nodes: z.array(node), clusters: z.array(cluster), not_seen: notSeen, ...pageEnd }),
      async handle({ limit, cursor, ...query }) {
        const { nodes, clusters, not_seen } = await orNone(() => kubernetes.nodes({ ...query, limit: ALL }), { nodes: [], clusters: [] });
        const { page, end } = pageOf<NodeRecord>(nodes, { limit, cursor });
        return { nodes: page, clusters, not_seen, ...end };
      },
    }),
    tool({
      name: "list_kubernetes_events",
      title: "List Kubernetes events",
      description:
        "The events of Kubernetes clusters of the last 30 days, newest first: what each is about, how often it happened, first and last.",
      input: z.strictObject({
        ...inNamespace,
        workload_id: text.describe("Only about this workload and its pods, by its id from list_kubernetes_workloads."),
        type: z.enum(["Normal", "Warning"]).optional(),
        kind: text.describe("Only about this kind, as in Pod."),
        name: text.describe("Only about what has this name."),
        search: text.describe("Only those with this in their message, reason or name, in any case."),
        ...paging(),
      }),
      output: z.object({ events: z.array(clusterEvent), not_seen: notSeen, ...pageEnd }),
      async handle({ limit, cursor, ...query }) {
        const read = async () => ({ ...(await kubernetes.events({ ...query, limit, cursor })), total: await kubernetes.eventTotal(query) });
        const { events, total, next_cursor, not_seen } = await orNone(read, { events: [], total: 0, next_cursor: null });
        return { events, not_seen, total, next_cursor };
      },
    }),
  ];
}
