import type { KubernetesSighting, KubernetesWorkload } from "../../observations/kubernetes.ts";
import { maskSecrets } from "../../platform/secrets.ts";
import { nextTurnWhenDue } from "../../platform/time-slice.ts";

/** Labels of workloads leave with alerts, as they are shown. */
export async function withoutSecrets(sighting: KubernetesSighting): Promise<KubernetesSighting> {
  const { objects } = sighting;
  if (objects.workloads.length === 0) return sighting;
  const workloads: KubernetesWorkload[] = [];
  for (const each of objects.workloads) {
    workloads.push({ ...each, labels: maskSecrets(each.labels) });
    const turn = nextTurnWhenDue();
    if (turn !== undefined) await turn;
  }
  return { ...sighting, objects: { ...objects, workloads } };
}
