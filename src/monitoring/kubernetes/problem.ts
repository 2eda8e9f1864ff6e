import type { EventData, KubernetesAlert } from "../../events.ts";
import type { KubernetesNode, KubernetesObjectKind } from "../../observations/kubernetes.ts";
import type { Inventory } from "./inventory.ts";
import type { Memory } from "./memory.ts";
import type { RunTimes } from "./schedule.ts";

type AlertData = EventData["kubernetes.alert"];

/** Something that is wrong with a cluster. */
export interface KubernetesProblem extends Pick<
  AlertData,
  "id" | "name" | "alert" | "entity_type" | "severity" | "message" | "cause" | "node_ids" | "namespace" | "kind"
> {
  labels: Record<string, string>;
  channels: string[];
  tags: string[];
  since: Date;
}

/** What problems are judged by. `memory` is changed. */
export interface Context {
  memory: Memory;
  /** What it is alerted with already: then it lasts until health is seen, and need not wait again. */
  alerted(alert: KubernetesAlert, id: string): KubernetesProblem | undefined;
  /** Whether all is seen that an alert is judged by. */
  isSeen(alert: KubernetesAlert): boolean;
  /** The first look at the pods of this cluster since our start. */
  isFirst: boolean;
  now: Date;
  inventory: Inventory;
  runTimes: RunTimes;
}

/** How long something must be wrong before it is alerted. A node may miss a report, and a scheduler may wait for a new node. */
export const WAITS_MS: Record<KubernetesAlert, number> = {
  replica_unhealthy: 5 * 60_000,
  crash_loop: 0,
  image_pull: 60_000,
  oom: 0,
  evicted: 0,
  unschedulable: 60_000,
  job_failed: 0,
  cronjob_missed: 60_000,
  rollout_stalled: 0,
  node_not_ready: 15_000,
  node_pressure: 0,
  pvc_filling: 0,
  certificate_expiring: 0,
  api_unreachable: 60_000,
};

/** What must be seen for a problem to be seen, or to be seen to be over. */
export const JUDGED_BY: Record<KubernetesAlert, readonly KubernetesObjectKind[]> = {
  replica_unhealthy: ["workloads"],
  crash_loop: ["workloads", "pods"],
  image_pull: ["workloads", "pods"],
  oom: ["workloads", "pods"],
  evicted: ["workloads", "pods"],
  unschedulable: ["workloads", "pods"],
  job_failed: ["workloads"],
  cronjob_missed: ["workloads"],
  rollout_stalled: ["workloads"],
  node_not_ready: ["nodes"],
  node_pressure: ["nodes"],
  pvc_filling: ["claims"],
  certificate_expiring: ["certificates"],
  api_unreachable: [],
};

/** What nobody annotates. */
export const UNANNOTATED = { labels: {}, channels: [], tags: [], node_ids: [], kind: null };

/** `web`, or `shop/web` of what is in a namespace. */
export function nameOf({ name, namespace }: { name: string; namespace?: string }): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

export function readyCondition({ conditions }: KubernetesNode): KubernetesNode["conditions"][number] | undefined {
  return conditions.find(({ type }) => type === "Ready");
}
