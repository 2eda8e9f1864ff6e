import type { z } from "zod";
import type { KubernetesObjectKind } from "../../observations/kubernetes.ts";
import {
  autoscalerOf,
  claimOf,
  eventOf,
  gatewayRouteOf,
  ingressOf,
  namespaceOf,
  nodeOf,
  serviceOf,
  certificateOf,
} from "./objects/cluster.ts";
import { podOf, securityOf, templateContainers } from "./objects/pod.ts";
import * as schemas from "./objects/schemas.ts";
import { controllerOf, labelsOf, namedOf, shared } from "./objects/values.ts";
import * as workloadSchemas from "./objects/workload-schemas.ts";
import { cronJobOf, daemonSetOf, deploymentOf, jobOf, type OwnWorkload, replicaSetOf, statefulSetOf } from "./objects/workload.ts";
import type { Stored, StoredKind, StoredPod } from "./view/index.ts";

/** How a kind is read, and what is kept of it. */
export interface WatchedResource<Item, Kept> {
  group: string;
  /** Newest first. */
  versions: readonly string[];
  kind: string;
  schema: z.ZodType<Item>;
  keep: (item: Item) => Kept;
  /** What is not seen without it; null of what nobody misses. */
  shows: KubernetesObjectKind | null;
  fieldSelector?: string;
}

/** What every object has. */
export interface Identified {
  metadata: { uid: string };
}

/** Of any shape, so that all can stand in one table: an item is what the schema beside it made. */
function resource<Item extends Identified, Kept>(watched: WatchedResource<Item, Kept>): WatchedResource<Identified, Kept> {
  return { ...watched, keep: (item) => watched.keep(item as Item) };
}

/** From Kubernetes 1.20 to today's. What a cluster does not have is left out. */
export const RESOURCES = {
  pods: resource({ group: "", versions: ["v1"], kind: "Pod", schema: workloadSchemas.pod, keep: storedPod, shows: "pods" }),
  nodes: resource({ group: "", versions: ["v1"], kind: "Node", schema: schemas.node, keep: nodeOf, shows: "nodes" }),
  namespaces: resource({
    group: "",
    versions: ["v1"],
    kind: "Namespace",
    schema: schemas.namespace,
    keep: namespaceOf,
    shows: "namespaces",
  }),
  deployments: resource({
    group: "apps",
    versions: ["v1"],
    kind: "Deployment",
    schema: workloadSchemas.replicated,
    keep: deploymentOf,
    shows: "workloads",
  }),
  statefulSets: resource({
    group: "apps",
    versions: ["v1"],
    kind: "StatefulSet",
    schema: workloadSchemas.replicated,
    keep: statefulSetOf,
    shows: "workloads",
  }),
  daemonSets: resource({
    group: "apps",
    versions: ["v1"],
    kind: "DaemonSet",
    schema: workloadSchemas.daemonSet,
    keep: daemonSetOf,
    shows: "workloads",
  }),
  replicaSets: resource({
    group: "apps",
    versions: ["v1"],
    kind: "ReplicaSet",
    schema: workloadSchemas.replicated,
    keep: replicaSetOf,
    shows: "workloads",
  }),
  jobs: resource({ group: "batch", versions: ["v1"], kind: "Job", schema: workloadSchemas.job, keep: jobOf, shows: "workloads" }),
  cronJobs: resource({
    group: "batch",
    versions: ["v1", "v1beta1"],
    kind: "CronJob",
    schema: workloadSchemas.cronJob,
    keep: cronJobOf,
    shows: "workloads",
  }),
  autoscalers: resource({
    ...{ group: "autoscaling", versions: ["v2", "v2beta2", "v1"], kind: "HorizontalPodAutoscaler" },
    ...{ schema: workloadSchemas.autoscaler, keep: autoscalerOf, shows: null },
  }),
  services: resource({ group: "", versions: ["v1"], kind: "Service", schema: schemas.service, keep: serviceOf, shows: "services" }),
  ingresses: resource({
    ...{ group: "networking.k8s.io", versions: ["v1", "v1beta1"], kind: "Ingress" },
    ...{ schema: schemas.ingress, keep: ingressOf, shows: "routes" },
  }),
  networkPolicies: resource({
    ...{ group: "networking.k8s.io", versions: ["v1"], kind: "NetworkPolicy" },
    ...{ schema: schemas.networkPolicy, keep: storedPolicy, shows: null },
  }),
  httpRoutes: gatewayRoutes("HTTPRoute", ["v1", "v1beta1"]),
  grpcRoutes: gatewayRoutes("GRPCRoute", ["v1", "v1alpha2"]),
  tlsRoutes: gatewayRoutes("TLSRoute", ["v1", "v1alpha3", "v1alpha2"]),
  claims: resource({
    ...{ group: "", versions: ["v1"], kind: "PersistentVolumeClaim" },
    ...{ schema: schemas.claim, keep: claimOf, shows: "claims" },
  }),
  certificates: resource({
    ...{ group: "", versions: ["v1"], kind: "Secret", fieldSelector: "type=kubernetes.io/tls" },
    ...{ schema: schemas.secret, keep: certificateOf, shows: "certificates" },
  }),
  events: resource({ group: "", versions: ["v1"], kind: "Event", schema: schemas.event, keep: eventOf, shows: "events" }),
} as const satisfies { readonly [Kind in StoredKind]: WatchedResource<Identified, Stored[Kind]> };

export const STORED_KINDS = Object.keys(RESOURCES) as StoredKind[];

function gatewayRoutes(kind: "HTTPRoute" | "GRPCRoute" | "TLSRoute", versions: readonly string[]) {
  return resource({
    ...{ group: "gateway.networking.k8s.io", versions, kind, schema: schemas.gatewayRoute },
    ...{ keep: (item: schemas.GatewayRouteAnswer) => gatewayRouteOf(item, kind), shows: "routes" },
  });
}

function storedPod(item: workloadSchemas.PodAnswer): StoredPod {
  const { metadata, spec } = item;
  const owner = shared(controllerOf(metadata));
  const labels = shared(metadata.labels ?? {});
  return { pod: podOf(item), owner, own: owner === null || owner.kind === "Node" ? barePod(item) : null, labels };

  function barePod({ status }: workloadSchemas.PodAnswer): OwnWorkload {
    const isOver = status?.phase === "Succeeded" || status?.phase === "Failed";
    const isReady = (status?.conditions ?? []).some(({ type, status: value }) => type === "Ready" && value === "True");
    const one = isReady ? 1 : 0;
    return {
      workload: {
        ...namedOf(metadata),
        kind: "Pod",
        labels: labelsOf(metadata),
        containers: templateContainers(spec),
        replicas: { desired: isOver ? 0 : 1, current: isOver ? 0 : 1, ready: one, updated: one, available: one },
        ...{ rollout: null, isOutdated: false, job: null, cronJob: null, autoscaler: null, revision: null },
        security: securityOf(spec),
      },
      owner: null,
      podLabels: metadata.labels ?? {},
    };
  }
}

/** Of a policy that names no types, what comes in is restricted. */
function storedPolicy({ metadata, spec }: schemas.NetworkPolicyAnswer): Stored["networkPolicies"] {
  return { namespace: metadata.namespace ?? "", restrictsIngress: spec?.policyTypes == null || spec.policyTypes.includes("Ingress") };
}
