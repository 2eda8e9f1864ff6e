import type { KubernetesEvent } from "../../observations/kubernetes.ts";
import type { RecordableEvent } from "./events/index.ts";
import type { Inventory } from "./inventory.ts";

/** Events with the workloads that they are about: by themselves, by a pod, or by what a controller made for them, which has their name and an end of its own. */
export function recordable(events: readonly KubernetesEvent[], inventory: Inventory | undefined): RecordableEvent[] {
  const byName =
    inventory &&
    new Map([...inventory.objects.workloads.values()].map(({ id, namespace, kind, name }) => [`${kind} ${namespace}/${name}`, id]));
  return events.map((event) => {
    const { about, namespace } = event;
    const own = about.id !== null && inventory?.objects.workloads.has(about.id) === true ? about.id : undefined;
    const ofPod = about.id === null ? undefined : inventory?.objects.pods.get(about.id)?.workloadId;
    const named =
      byName?.get(`${about.kind} ${namespace}/${about.name}`) ??
      byName?.get(`${MADE_FOR[about.kind]} ${namespace}/${withoutEnd(about.name)}`);
    return { event, workloadId: own ?? ofPod ?? named ?? null };
  });
}

const MADE_FOR: Readonly<Record<string, string>> = { ReplicaSet: "Deployment", Job: "CronJob" };

function withoutEnd(name: string): string {
  return name.slice(0, Math.max(name.lastIndexOf("-"), 0));
}
