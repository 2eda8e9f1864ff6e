import type { ResourceAmounts } from "../../../observations/kubernetes.ts";
import { parseQuantity } from "./quantity.ts";
import type { ConditionAnswer, MetadataAnswer } from "./schemas.ts";

type Quantities = Record<string, string | number> | null | undefined;

/** Of messages, which programs in the cluster write. */
const MAX_WORDS = 1000;
const MAX_ANNOTATION = 8192;
const ANNOTATIONS = "service.";

export function amountsOf(quantities: Quantities): ResourceAmounts {
  return { cpuCores: parseQuantity(quantities?.["cpu"]), memoryBytes: parseQuantity(quantities?.["memory"]) };
}

/** What every object in a namespace has. */
export function namedOf({ uid, name, namespace, creationTimestamp }: MetadataAnswer): {
  id: string;
  name: string;
  namespace: string;
  createdAt: Date | null;
} {
  return { id: uid, name, namespace: namespace ?? "", createdAt: creationTimestamp ?? null };
}

/** Its labels, and the annotations that are read as labels of containers are. */
export function labelsOf({ labels, annotations }: Pick<MetadataAnswer, "labels" | "annotations">): Record<string, string> {
  const read = Object.entries(annotations ?? {}).filter(([name]) => name.startsWith(ANNOTATIONS));
  return { ...labels, ...Object.fromEntries(read.map(([name, value]) => [name, value.slice(0, MAX_ANNOTATION)])) };
}

/** The object that controls it; null when none does. `kubectl create job --from` names the CronJob of a run without calling it that, before 1.24. */
export function controllerOf({ ownerReferences }: MetadataAnswer): { kind: string; name: string; id: string } | null {
  const owner = ownerReferences?.find(({ controller }) => controller === true) ?? ownerReferences?.find(({ kind }) => kind === "CronJob");
  return owner === undefined ? null : { kind: owner.kind, name: owner.name, id: owner.uid };
}

export function conditionOf(conditions: readonly ConditionAnswer[] | null | undefined, type: string): ConditionAnswer | undefined {
  return conditions?.find((each) => each.type === type);
}

/** null where the API left it out or empty. */
export function wordsOf(text: string | null | undefined): string | null {
  return text?.slice(0, MAX_WORDS) || null;
}

export function protocolOf(text: string | null | undefined): "tcp" | "udp" | "sctp" {
  const protocol = text?.toLowerCase();
  return protocol === "udp" || protocol === "sctp" ? protocol : "tcp";
}
