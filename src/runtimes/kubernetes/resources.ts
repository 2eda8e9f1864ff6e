import type { z } from "zod";
import type { KubernetesObjectKind, KubernetesRoute } from "../../observations/kubernetes.ts";
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
import { podOf } from "./objects/pod.ts";
import * as schemas from "./objects/schemas.ts";
import { controllerOf, shared } from "./objects/values.ts";
import * as workloadSchemas from "./objects/workload-schemas.ts";
import { barePodOf, cronJobOf, daemonSetOf, deploymentOf, jobOf, replicaSetOf, statefulSetOf } from "./objects/workload.ts";
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
function resource<Item extends Identified, Kept>(
  group: string,
  versions: readonly string[],
  kind: string,
  read: Pick<WatchedResource<Item, Kept>, "schema" | "keep" | "shows" | "fieldSelector">,
): WatchedResource<Identified, Kept> {
  return { group, versions, kind, ...read, keep: (item) => read.keep(item as Item) };
}

const { replicated, daemonSet, job, cronJob, autoscaler } = workloadSchemas;
const { node, namespace, service, ingress, gatewayRoute, networkPolicy, claim, secret, event } = schemas;
const TLS_SECRETS = "type=kubernetes.io/tls";

/** From Kubernetes 1.20 to today's. What a cluster does not have is left out. */
export const RESOURCES = {
  pods: resource("", ["v1"], "Pod", { schema: workloadSchemas.pod, keep: storedPod, shows: "pods" }),
  nodes: resource("", ["v1"], "Node", { schema: node, keep: nodeOf, shows: "nodes" }),
  namespaces: resource("", ["v1"], "Namespace", { schema: namespace, keep: namespaceOf, shows: "namespaces" }),
  deployments: resource("apps", ["v1"], "Deployment", { schema: replicated, keep: deploymentOf, shows: "workloads" }),
  statefulSets: resource("apps", ["v1"], "StatefulSet", { schema: replicated, keep: statefulSetOf, shows: "workloads" }),
  daemonSets: resource("apps", ["v1"], "DaemonSet", { schema: daemonSet, keep: daemonSetOf, shows: "workloads" }),
  replicaSets: resource("apps", ["v1"], "ReplicaSet", { schema: replicated, keep: replicaSetOf, shows: "workloads" }),
  jobs: resource("batch", ["v1"], "Job", { schema: job, keep: jobOf, shows: "workloads" }),
  cronJobs: resource("batch", ["v1", "v1beta1"], "CronJob", { schema: cronJob, keep: cronJobOf, shows: "workloads" }),
  autoscalers: resource("autoscaling", ["v2", "v2beta2", "v1"], "HorizontalPodAutoscaler", {
    schema: autoscaler,
    keep: autoscalerOf,
    shows: null,
  }),
  services: resource("", ["v1"], "Service", { schema: service, keep: serviceOf, shows: "services" }),
  ingresses: resource("networking.k8s.io", ["v1", "v1beta1"], "Ingress", { schema: ingress, keep: ingressOf, shows: "routes" }),
  networkPolicies: resource("networking.k8s.io", ["v1"], "NetworkPolicy", { schema: networkPolicy, keep: storedPolicy, shows: null }),
  httpRoutes: gatewayRoutes("HTTPRoute", ["v1", "v1beta1"]),
  grpcRoutes: gatewayRoutes("GRPCRoute", ["v1", "v1alpha2"]),
  tlsRoutes: gatewayRoutes("TLSRoute", ["v1", "v1alpha3", "v1alpha2"]),
  claims: resource("", ["v1"], "PersistentVolumeClaim", { schema: claim, keep: claimOf, shows: "claims" }),
  certificates: resource("", ["v1"], "Secret", { schema: secret, keep: certificateOf, shows: "certificates", fieldSelector: TLS_SECRETS }),
  events: resource("", ["v1"], "Event", { schema: event, keep: eventOf, shows: "events" }),
} as const satisfies { readonly [Kind in StoredKind]: WatchedResource<Identified, Stored[Kind]> };

export const STORED_KINDS = Object.keys(RESOURCES) as StoredKind[];

function gatewayRoutes(kind: "HTTPRoute" | "GRPCRoute" | "TLSRoute", versions: readonly string[]) {
  const keep = (item: schemas.GatewayRouteAnswer): KubernetesRoute => gatewayRouteOf(item, kind);
  return resource("gateway.networking.k8s.io", versions, kind, { schema: gatewayRoute, keep, shows: "routes" });
}

function storedPod(item: workloadSchemas.PodAnswer): StoredPod {
  const owner = shared(controllerOf(item.metadata));
  const labels = shared(item.metadata.labels ?? {});
  return { pod: podOf(item), owner, own: owner === null || owner.kind === "Node" ? barePodOf(item) : null, labels };
}

/** Of a policy that names no types, what comes in is restricted. */
function storedPolicy({ metadata, spec }: schemas.NetworkPolicyAnswer): Stored["networkPolicies"] {
  return { namespace: metadata.namespace ?? "", restrictsIngress: spec?.policyTypes == null || spec.policyTypes.includes("Ingress") };
}
