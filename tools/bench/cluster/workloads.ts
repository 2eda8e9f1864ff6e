import { createdAt, fieldsOf, metadataOf, type Owner, timeOf, uidOf } from "./metadata.ts";
import { podSpecOf } from "./pods.ts";

export const NAMESPACES = 25;
export const PODS_A_WORKLOAD = 10;

const ROLES = ["api", "worker", "web", "consumer", "gateway"] as const;
const REVISION = "deployment.kubernetes.io/revision";

/** What changes of a Deployment and its pods. */
export interface WorkloadState {
  number: number;
  name: string;
  namespace: string;
  /** As its status says. */
  ready: number;
  version: number;
  changedMs: number;
  pods: PodState[];
}

export interface PodState {
  number: number;
  ready: boolean;
  restarts: number;
  /** The last time; of no meaning before the first. */
  restartedMs: number;
  version: number;
  changedMs: number;
}

export function workloadOf(number: number, version: number): WorkloadState {
  const changedMs = Date.parse(createdAt(number));
  return {
    ...{ number, name: `shop-${ROLES[number % ROLES.length]}-${String(number).padStart(3, "0")}`, namespace: namespaceName(number) },
    ...{ ready: PODS_A_WORKLOAD, version, changedMs },
    pods: Array.from({ length: PODS_A_WORKLOAD }, (_, index) => ({
      ...{ number: number * PODS_A_WORKLOAD + index, ready: true, restarts: 0, restartedMs: 0, version, changedMs },
    })),
  };
}

export function namespaceName(number: number): string {
  return `team-${String(number % NAMESPACES).padStart(2, "0")}`;
}

export function deploymentId({ number }: Pick<WorkloadState, "number">): string {
  return uidOf(1, number);
}

/** The hash of its template, which stands in the names of its ReplicaSet and pods. */
export function hashOf({ number }: Pick<WorkloadState, "number">): string {
  return `7c9f${(number * 48_271).toString(36).padStart(6, "b").slice(-6)}`;
}

export function replicaSetOwner(state: WorkloadState): Owner {
  return { apiVersion: "apps/v1", kind: "ReplicaSet", name: `${state.name}-${hashOf(state)}`, uid: uidOf(2, state.number) };
}

export function selectorOf({ name }: Pick<WorkloadState, "name">): Record<string, string> {
  return { "app.kubernetes.io/name": name };
}

export function labelsOf(state: Pick<WorkloadState, "name" | "namespace">): Record<string, string> {
  return {
    ...selectorOf(state),
    "app.kubernetes.io/part-of": "shop",
    "app.kubernetes.io/version": "2.14.3",
    "app.kubernetes.io/managed-by": "Helm",
    "helm.sh/chart": `${state.name}-1.8.0`,
    team: state.namespace,
  };
}

function templateOf(state: WorkloadState): object {
  return {
    metadata: {
      creationTimestamp: null,
      labels: { ...labelsOf(state), "pod-template-hash": hashOf(state) },
      annotations: { "kubectl.kubernetes.io/restartedAt": createdAt(state.number) },
    },
    spec: podSpecOf(state),
  };
}

export function deploymentObject(state: WorkloadState): object {
  const { number, name, namespace, version, ready, changedMs } = state;
  const changedAt = timeOf(changedMs);
  const isWhole = ready === PODS_A_WORKLOAD;
  return {
    kind: "Deployment",
    apiVersion: "apps/v1",
    metadata: metadataOf({
      ...{ name, namespace, uid: deploymentId(state), version, number, labels: labelsOf(state) },
      annotations: {
        [REVISION]: "4",
        "meta.helm.sh/release-name": name,
        "meta.helm.sh/release-namespace": namespace,
      },
      managers: [
        { manager: "helm", at: createdAt(number), fields: MANAGED_SPEC },
        { manager: "kube-controller-manager", subresource: "status", at: changedAt, fields: { "f:status": MANAGED_STATUS } },
      ],
    }),
    spec: {
      replicas: PODS_A_WORKLOAD,
      selector: { matchLabels: selectorOf(state) },
      template: templateOf(state),
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    },
    status: {
      observedGeneration: 1,
      ...{ replicas: PODS_A_WORKLOAD, updatedReplicas: PODS_A_WORKLOAD, readyReplicas: ready, availableReplicas: ready },
      ...(!isWhole && { unavailableReplicas: PODS_A_WORKLOAD - ready }),
      conditions: [
        {
          ...{ type: "Progressing", status: "True", lastUpdateTime: createdAt(number), lastTransitionTime: createdAt(number) },
          reason: "NewReplicaSetAvailable",
          message: `ReplicaSet "${name}-${hashOf(state)}" has successfully progressed.`,
        },
        {
          ...{ type: "Available", status: "True", lastUpdateTime: createdAt(number), lastTransitionTime: createdAt(number) },
          ...{ reason: "MinimumReplicasAvailable", message: "Deployment has minimum availability." },
        },
      ],
    },
  };
}

export function replicaSetObject(state: WorkloadState): object {
  const { number, namespace, version } = state;
  const { name, uid } = replicaSetOwner(state);
  return {
    kind: "ReplicaSet",
    apiVersion: "apps/v1",
    metadata: metadataOf({
      ...{ name, namespace, uid, version, number, labels: { ...labelsOf(state), "pod-template-hash": hashOf(state) } },
      annotations: { [REVISION]: "4", "deployment.kubernetes.io/desired-replicas": String(PODS_A_WORKLOAD) },
      owner: { apiVersion: "apps/v1", kind: "Deployment", name: state.name, uid: deploymentId(state) },
      managers: [{ manager: "kube-controller-manager", at: createdAt(number), fields: MANAGED_SPEC }],
    }),
    spec: {
      replicas: PODS_A_WORKLOAD,
      selector: { matchLabels: { ...selectorOf(state), "pod-template-hash": hashOf(state) } },
      template: templateOf(state),
    },
    status: {
      ...{ replicas: PODS_A_WORKLOAD, fullyLabeledReplicas: PODS_A_WORKLOAD, readyReplicas: PODS_A_WORKLOAD },
      ...{ availableReplicas: PODS_A_WORKLOAD, observedGeneration: 1 },
    },
  };
}

const MANAGED_STATUS = {
  ...fieldsOf(["availableReplicas", "observedGeneration", "readyReplicas", "replicas", "unavailableReplicas", "updatedReplicas"]),
  "f:conditions": {
    ".": {},
    'k:{"type":"Available"}': { ".": {}, ...fieldsOf(["lastTransitionTime", "lastUpdateTime", "message", "reason", "status", "type"]) },
    'k:{"type":"Progressing"}': { ".": {}, ...fieldsOf(["lastTransitionTime", "lastUpdateTime", "message", "reason", "status", "type"]) },
  },
};

const MANAGED_SPEC = {
  "f:metadata": {
    "f:annotations": { ".": {}, ...fieldsOf(["meta.helm.sh/release-name", "meta.helm.sh/release-namespace"]) },
    "f:labels": { ".": {}, ...fieldsOf(["app.kubernetes.io/name", "app.kubernetes.io/part-of", "helm.sh/chart", "team"]) },
  },
  "f:spec": {
    ...fieldsOf(["progressDeadlineSeconds", "replicas", "revisionHistoryLimit", "selector"]),
    "f:template": {
      "f:metadata": { "f:labels": fieldsOf(["app.kubernetes.io/name", "pod-template-hash"]) },
      "f:spec": {
        "f:containers": {
          'k:{"name":"app"}': fieldsOf([
            "env",
            "image",
            "imagePullPolicy",
            "livenessProbe",
            "name",
            "ports",
            "readinessProbe",
            "resources",
          ]),
        },
        ...fieldsOf(["dnsPolicy", "restartPolicy", "schedulerName", "securityContext", "serviceAccountName", "volumes"]),
      },
    },
  },
};
