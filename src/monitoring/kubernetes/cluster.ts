import type { KubernetesObjectKind, KubernetesSighting, KubernetesStanding } from "../../observations/kubernetes.ts";
import type { Inventory } from "./inventory.ts";

/** What one host showed of its cluster last. */
export interface HostView {
  agentId: string | null;
  standing: KubernetesStanding;
  /** Of the cluster: what one cannot name holds from before. */
  clusterId: string;
  version: string | null;
  reason: string | null;
  unseen: KubernetesSighting["unseen"];
  /** undefined until it showed all of its cluster, and while it shows nothing. */
  inventory: Inventory | undefined;
  /** By the clock of the host. */
  observedAt: Date;
  /** When it arrived, on a clock that only rises. */
  receivedMs: number;
}

/** A cluster as it was last seen, whichever of its hosts showed it. */
export interface Cluster {
  id: string;
  inventory: Inventory;
  version: string | null;
  unseen: KubernetesSighting["unseen"];
  /** By the clock of the host that showed it. */
  observedAt: Date;
  /** Who showed it; null is the local host. */
  agentId: string | null;
  /** Somebody shows it now. */
  isObserved: boolean;
  /** Why nobody does, as a sentence; null while somebody does. */
  reason: string | null;
  /** The hosts of ours that watch it. */
  hosts: { agentId: string | null; standing: KubernetesStanding; reason: string | null }[];
}

/** A collector says every 15 seconds that it still sees its cluster, and a request may take 20. */
export const STALE_AFTER_MS = 50_000;
/** A host that reported nothing for longer than that is replaced by another one that watches too. */
const SILENT_AFTER_MS = 20_000;

export function isFresh({ receivedMs }: Pick<HostView, "receivedMs">, nowMs: number): boolean {
  return nowMs - receivedMs < STALE_AFTER_MS;
}

/**
 * Whose word holds of a cluster: mostly one host watches it and the others stand by. Of several that watch, the one of before as long as it speaks, so that
 * the cluster is not shown by turns as each of them has it. Undefined when nobody shows it.
 */
export function speakerOf(views: readonly HostView[], before: string | null | undefined, nowMs: number): HostView | undefined {
  const watching = views
    .filter((view) => view.standing === "watching" && view.inventory !== undefined && isFresh(view, nowMs))
    .sort((a, b) => b.receivedMs - a.receivedMs);
  const [latest] = watching;
  const last = watching.find(({ agentId }) => agentId === before);
  return last !== undefined && nowMs - last.receivedMs < SILENT_AFTER_MS ? last : latest;
}

/** Whether a host watches its cluster, and has not been silent for long. */
export function maySpeak({ standing, receivedMs }: HostView, nowMs: number): boolean {
  return standing === "watching" && nowMs - receivedMs < SILENT_AFTER_MS;
}

/** Why nothing is seen of a cluster, as a sentence. */
export function whyUnseen(views: readonly HostView[], nowMs: number): string {
  const fresh = views.filter((view) => isFresh(view, nowMs));
  const worst = fresh.find(isCutOff) ?? fresh.find(({ reason }) => reason !== null);
  return worst?.reason ?? "No host that watches it reports. What is shown is as it was last seen.";
}

/** The API server does not answer a host, or shows it nothing. */
export function isCutOff({ standing }: Pick<HostView, "standing">): boolean {
  return standing === "unreachable" || standing === "denied";
}

/** Whether objects of all these kinds are seen, so that what is not wrong is seen to be well. */
export function seesAll({ unseen }: Pick<Cluster, "unseen">, kinds: readonly KubernetesObjectKind[]): boolean {
  return !unseen.some(({ kind }) => kinds.includes(kind));
}

/** Stands for the id of a cluster that was never read. */
export function unnamed(agentId: string | null): string {
  return `host:${agentId ?? "local"}`;
}

export function isUnnamed(clusterId: string): boolean {
  return clusterId.startsWith("host:");
}
