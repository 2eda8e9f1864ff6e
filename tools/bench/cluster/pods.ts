import { createdAt, fieldsOf, metadataOf, timeOf, uidOf } from "./metadata.ts";
import { hashOf, labelsOf, type PodState, replicaSetOwner, type WorkloadState } from "./state.ts";

export const NODES = 20;

const IMAGE = "registry.example.com/shop/service";
const DIGEST = "3f1c0a5b9d7e8c2f4a6b1d0e9f8c7b6a5d4e3f2c1b0a9f8e7d6c5b4a3f2e1d0c";
const VARIABLES = ["LOG_LEVEL", "DATABASE_HOST", "CACHE_URL"];
const RESTART_MS = 1000;

export function nodeName(number: number): string {
  return `worker-${String(number % NODES).padStart(2, "0")}.cluster.example.com`;
}

/** Of a template and of its pods, which add their node. */
export function podSpecOf(state: WorkloadState): object {
  const probe = { httpGet: { path: "/healthz", port: "http", scheme: "HTTP" }, timeoutSeconds: 2, periodSeconds: 10, successThreshold: 1 };
  const securityContext = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } };
  return {
    volumes: [
      { name: "config", configMap: { name: `${state.name}-config`, defaultMode: 420 } },
      { name: "scratch", emptyDir: { sizeLimit: "256Mi" } },
    ],
    containers: [
      {
        name: "app",
        image: imageOf(state),
        ports: [
          { name: "http", containerPort: 8080, protocol: "TCP" },
          { name: "metrics", containerPort: 9090, protocol: "TCP" },
        ],
        env: VARIABLES.map((name) => ({ name, valueFrom: { configMapKeyRef: { name: `${state.name}-config`, key: name.toLowerCase() } } })),
        resources: { limits: { cpu: "500m", memory: "512Mi" }, requests: { cpu: "100m", memory: "256Mi" } },
        volumeMounts: [
          { name: "config", mountPath: "/etc/service", readOnly: true },
          { name: "scratch", mountPath: "/tmp" },
        ],
        livenessProbe: { ...probe, failureThreshold: 3 },
        readinessProbe: { ...probe, failureThreshold: 2 },
        ...{ terminationMessagePath: "/dev/termination-log", terminationMessagePolicy: "FallbackToLogsOnError" },
        ...{ imagePullPolicy: "IfNotPresent", securityContext },
      },
    ],
    ...{ restartPolicy: "Always", terminationGracePeriodSeconds: 30, dnsPolicy: "ClusterFirst", schedulerName: "default-scheduler" },
    ...{ serviceAccountName: state.name, serviceAccount: state.name, automountServiceAccountToken: false },
    securityContext: { runAsNonRoot: true, runAsUser: 10_001, fsGroup: 10_001, seccompProfile: { type: "RuntimeDefault" } },
  };
}

function imageOf({ number }: WorkloadState): string {
  return `${IMAGE}-${number}:2.14.3`;
}

export function podId({ number }: Pick<PodState, "number">): string {
  return uidOf(3, number);
}

export function podName(pod: Pick<PodState, "number">, workload: WorkloadState): string {
  return `${workload.name}-${hashOf(workload)}-${(pod.number * 7919 + 1_679_616).toString(36).slice(-5)}`;
}

export function podObject(pod: PodState, workload: WorkloadState): object {
  const { number, version, changedMs } = pod;
  const address = `10.${64 + (number % NODES)}.${(number >> 8) % 256}.${number % 256}`;
  return {
    kind: "Pod",
    apiVersion: "v1",
    metadata: metadataOf({
      ...{ name: podName(pod, workload), generateName: `${workload.name}-${hashOf(workload)}-`, namespace: workload.namespace },
      ...{ uid: podId(pod), version, number, labels: { ...labelsOf(workload), "pod-template-hash": hashOf(workload) } },
      annotations: {
        "kubectl.kubernetes.io/restartedAt": createdAt(workload.number),
        "prometheus.io/scrape": "true",
        "cni.projectcalico.org/podIP": `${address}/32`,
        "cni.projectcalico.org/podIPs": `${address}/32`,
      },
      owner: replicaSetOwner(workload),
      managers: [
        { manager: "kube-controller-manager", at: createdAt(number), fields: MANAGED_SPEC },
        { manager: "kubelet", subresource: "status", at: timeOf(changedMs), fields: { "f:status": MANAGED_STATUS } },
      ],
    }),
    spec: {
      ...podSpecOf(workload),
      ...{ nodeName: nodeName(number), enableServiceLinks: true, preemptionPolicy: "PreemptLowerPriority", priority: 0 },
      tolerations: ["not-ready", "unreachable"].map((key) => ({
        ...{ key: `node.kubernetes.io/${key}`, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 },
      })),
    },
    status: {
      phase: "Running",
      conditions: conditionsOf(pod),
      ...{ hostIP: hostAddress(number), hostIPs: [{ ip: hostAddress(number) }], podIP: address, podIPs: [{ ip: address }] },
      startTime: createdAt(number),
      containerStatuses: [containerStatus(pod, workload)],
      qosClass: "Burstable",
    },
  };
}

export function hostAddress(number: number): string {
  return `192.168.10.${10 + (number % NODES)}`;
}

function conditionsOf({ number, ready, changedMs }: PodState): object[] {
  const changedAt = timeOf(changedMs);
  return ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"].map((type) => {
    const follows = type === "Ready" || type === "ContainersReady";
    return {
      ...{ type, status: follows && !ready ? "False" : "True", lastProbeTime: null },
      lastTransitionTime: follows ? changedAt : createdAt(number),
      ...(follows && !ready && { reason: "ContainersNotReady", message: "containers with unready status: [app]" }),
    };
  });
}

function containerStatus({ number, ready, restarts, restartedMs }: PodState, workload: WorkloadState): object {
  const containerID = `containerd://${DIGEST.slice(8)}${String(number).padStart(8, "0")}`;
  const end = {
    ...{ exitCode: 1, reason: "Error", message: "panic: connection pool exhausted", containerID },
    ...{ startedAt: createdAt(number), finishedAt: timeOf(restartedMs - RESTART_MS) },
  };
  return {
    ...{ name: "app", image: imageOf(workload), imageID: `${IMAGE}-${workload.number}@sha256:${DIGEST}`, containerID },
    ...{ restartCount: restarts, ready, started: true },
    state: { running: { startedAt: restarts === 0 ? createdAt(number) : timeOf(restartedMs) } },
    lastState: restarts === 0 ? {} : { terminated: end },
  };
}

const CONDITION = { ".": {}, ...fieldsOf(["lastProbeTime", "lastTransitionTime", "message", "reason", "status", "type"]) };
const MANAGED_STATUS = {
  "f:conditions": Object.fromEntries(["ContainersReady", "Initialized", "Ready"].map((type) => [`k:{"type":"${type}"}`, CONDITION])),
  ...fieldsOf(["containerStatuses", "hostIP", "hostIPs", "phase", "podIP", "startTime"]),
  "f:podIPs": { ".": {}, 'k:{"ip":"10.64.0.1"}': { ".": {}, "f:ip": {} } },
};
const MANAGED_SPEC = {
  "f:metadata": {
    "f:generateName": {},
    "f:annotations": { ".": {}, ...fieldsOf(["kubectl.kubernetes.io/restartedAt", "prometheus.io/scrape"]) },
    "f:labels": {
      ".": {},
      ...fieldsOf(["app.kubernetes.io/name", "app.kubernetes.io/part-of", "helm.sh/chart", "pod-template-hash", "team"]),
    },
    "f:ownerReferences": { ".": {}, 'k:{"uid":"5e000002"}': {} },
  },
  "f:spec": {
    "f:containers": {
      'k:{"name":"app"}': {
        ...{ ".": {}, ...fieldsOf(["image", "imagePullPolicy", "name", "terminationMessagePath", "terminationMessagePolicy"]) },
        "f:env": { ".": {}, ...Object.fromEntries(VARIABLES.map((name) => [`k:{"name":"${name}"}`, fieldsOf(["name", "valueFrom"])])) },
        "f:resources": { "f:limits": fieldsOf(["cpu", "memory"]), "f:requests": fieldsOf(["cpu", "memory"]) },
      },
    },
    ...fieldsOf(["dnsPolicy", "enableServiceLinks", "restartPolicy", "schedulerName", "securityContext", "serviceAccount", "volumes"]),
  },
};
