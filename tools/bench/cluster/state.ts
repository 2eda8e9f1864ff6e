import { createdAt, type Owner, uidOf } from "./metadata.ts";

export const NAMESPACES = 25;
export const PODS_A_WORKLOAD = 10;

const ROLES = ["api", "worker", "web", "consumer", "gateway"] as const;

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
