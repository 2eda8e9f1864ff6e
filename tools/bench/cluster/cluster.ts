/** The cluster that the bench's API server serves: its kinds, and the changes of its pods and Deployments. */
import { uidOf } from "./metadata.ts";
import { eventObject, ingressObject, jobObject, namespaceObject, nodeObject, serviceObject } from "./others.ts";
import { nodeName, NODES, podName, podObject } from "./pods.ts";
import { deploymentId, NAMESPACES, namespaceName, PODS_A_WORKLOAD, type WorkloadState, workloadOf } from "./state.ts";
import { deploymentObject, replicaSetObject } from "./workloads.ts";

const FIRST_VERSION = 4_000_000;
const SERVICES = 200;
const INGRESSES = 50;
const EVERY_NTH_USES_MORE = 20;

/** A kind as discovery and lists name it. */
export interface ServedKind {
  group: string;
  version: string;
  plural: string;
  kind: string;
  namespaced: boolean;
}

export const KINDS: readonly ServedKind[] = [
  ...served("", "v1", { namespaces: "Namespace", nodes: "Node" }, false),
  ...served("", "v1", {
    pods: "Pod",
    services: "Service",
    persistentvolumeclaims: "PersistentVolumeClaim",
    secrets: "Secret",
    events: "Event",
  }),
  ...served("apps", "v1", { deployments: "Deployment", statefulsets: "StatefulSet", daemonsets: "DaemonSet", replicasets: "ReplicaSet" }),
  ...served("batch", "v1", { jobs: "Job", cronjobs: "CronJob" }),
  ...served("autoscaling", "v2", { horizontalpodautoscalers: "HorizontalPodAutoscaler" }),
  ...served("networking.k8s.io", "v1", { ingresses: "Ingress", networkpolicies: "NetworkPolicy" }),
];

/** A change as it is written to a watch, and the event that shows it. */
export interface Change {
  plural: "pods" | "deployments";
  version: number;
  object: object;
  /** Type of the event and id of the workload that it is about. */
  shownBy: string;
}

export interface BenchCluster {
  version(): number;
  /** Those of a kind now, in a steady order. */
  objects(plural: string): readonly object[];
  /** The next change; by turns of all workloads. */
  change(nowMs: number): Change;
  podMetrics(): object;
  nodeMetrics(): object;
}

export function createBenchCluster({ workloads, jobs }: { workloads: number; jobs: number }): BenchCluster {
  let version = FIRST_VERSION;
  let reading = 0;
  let changes = 0;
  const startedMs = Date.now();
  const states = Array.from({ length: workloads }, (_, number) => workloadOf(number, version));
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

  const KEPT: Readonly<Record<string, () => object[]>> = {
    namespaces: () =>
      ["kube-system", ...numbers(NAMESPACES).map(namespaceName)].map((name, number) => namespaceObject(name, number, FIRST_VERSION)),
    nodes: () => numbers(NODES).map((number) => nodeObject(number, FIRST_VERSION)),
    pods: () => states.flatMap((workload) => workload.pods.map((pod) => podObject(pod, workload))),
    services: () => states.slice(0, SERVICES).map((workload) => serviceObject(workload, FIRST_VERSION)),
    events: () => states.map((workload) => eventObject(workload, { version: FIRST_VERSION, nowMs: startedMs })),
    deployments: () => states.map(deploymentObject),
    replicasets: () => states.map(replicaSetObject),
    jobs: () => numbers(jobs).map((number) => jobObject(number, FIRST_VERSION)),
    ingresses: () => states.slice(0, INGRESSES).map((workload) => ingressObject(workload, FIRST_VERSION)),
  };

  /** A container of a workload is restarted, its Deployment counts a pod less, the pod is ready again, and is counted again. */
  function step(workload: WorkloadState, round: number, nowMs: number): Change {
    const pod = workload.pods[Math.floor(round / 4) % PODS_A_WORKLOAD];
    if (pod === undefined) throw new Error("a workload without pods");
    const place = round % 4;
    if (place % 2 === 1) {
      Object.assign(workload, { ready: place === 1 ? PODS_A_WORKLOAD - 1 : PODS_A_WORKLOAD, version, changedMs: nowMs });
      const shownBy = `kubernetes.workload_updated ${deploymentId(workload)}`;
      return { plural: "deployments", version, object: deploymentObject(workload), shownBy };
    }
    Object.assign(pod, { ready: place === 2, version, changedMs: nowMs });
    if (place === 0) Object.assign(pod, { restarts: pod.restarts + 1, restartedMs: nowMs });
    return { plural: "pods", version, object: podObject(pod, workload), shownBy: `kubernetes.pods_changed ${deploymentId(workload)}` };
  }

  return {
    version: () => version,
    objects: (plural) => KEPT[plural]?.() ?? [],
    change(nowMs) {
      version += 1;
      const workload = states[changes % states.length];
      if (workload === undefined) throw new Error("a cluster without workloads");
      const change = step(workload, Math.floor(changes / states.length), nowMs);
      changes += 1;
      return change;
    },
    podMetrics() {
      reading += 1;
      return metricsList(
        "PodMetrics",
        states.flatMap((workload) =>
          workload.pods.map((pod) => ({
            metadata: { name: podName(pod, workload), namespace: workload.namespace, creationTimestamp: new Date().toISOString() },
            ...{ timestamp: new Date().toISOString(), window: "15.1s" },
            containers: [{ name: "app", usage: usageOf(pod.number, reading) }],
          })),
        ),
      );
    },
    nodeMetrics: () =>
      metricsList(
        "NodeMetrics",
        numbers(NODES).map((number) => ({
          metadata: { name: nodeName(number), uid: uidOf(5, number) },
          ...{ timestamp: new Date().toISOString(), window: "20.0s", usage: { cpu: "12345678901n", memory: "123456789Ki" } },
        })),
      ),
  };
}

/** A reading differs a little from that before, and of some pods by much. */
function usageOf(number: number, reading: number): object {
  const isMore = (number + reading) % EVERY_NTH_USES_MORE === 0;
  const cores = (isMore ? 240_000_000 : 80_000_000) + ((number * 7919 + reading * 104_729) % 5_000_000);
  const kibibytes = (isMore ? 320_000 : 200_000) + ((number * 104_729 + reading * 7919) % 4000);
  return { cpu: `${cores}n`, memory: `${kibibytes}Ki` };
}

function metricsList(kind: string, items: object[]): object {
  return { kind: `${kind}List`, apiVersion: "metrics.k8s.io/v1beta1", metadata: {}, items };
}

function served(group: string, version: string, kinds: Record<string, string>, namespaced = true): ServedKind[] {
  return Object.entries(kinds).map(([plural, kind]) => ({ group, version, plural, kind, namespaced }));
}
