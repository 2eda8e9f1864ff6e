import { createdAt, fieldsOf, metadataOf, timeOf } from "./metadata.ts";
import { podSpecOf } from "./pods.ts";
import { deploymentId, hashOf, labelsOf, PODS_A_WORKLOAD, replicaSetOwner, selectorOf, type WorkloadState } from "./state.ts";

const REVISION = "deployment.kubernetes.io/revision";

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
