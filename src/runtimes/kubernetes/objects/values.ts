import { createHash } from "node:crypto";
import type { ResourceAmounts } from "../../../observations/kubernetes-workloads.ts";
import type { ConditionAnswer, MetadataAnswer } from "./schemas.ts";

/** Of messages, which programs in the cluster write. */
const MAX_WORDS = 1000;
const MAX_ANNOTATION = 8192;
const ANNOTATIONS = "service.";
/** The ids that a server takes. */
const PLAIN_ID = /^[!-~]{1,255}$/;

export function amountsOf(quantities: Readonly<Record<string, unknown>> | null | undefined): ResourceAmounts {
  return { cpuCores: parseQuantity(quantities?.["cpu"]), memoryBytes: parseQuantity(quantities?.["memory"]) };
}

/** null where none of them is known. */
export function total(amounts: readonly ResourceAmounts[]): ResourceAmounts {
  const sum: ResourceAmounts = { cpuCores: null, memoryBytes: null };
  for (const each of amounts) addTo(sum, each);
  return sum;
}

/** An amount stays null where none of its parts is known. */
export function addTo(sum: ResourceAmounts, { cpuCores, memoryBytes }: ResourceAmounts): void {
  if (cpuCores !== null) sum.cpuCores = (sum.cpuCores ?? 0) + cpuCores;
  if (memoryBytes !== null) sum.memoryBytes = (sum.memoryBytes ?? 0) + memoryBytes;
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

/** Who controls an object. */
export interface Owner {
  kind: string;
  name: string;
  id: string;
}

/** The object that controls it; null when none does. `kubectl create job --from` names the CronJob of a run without calling it that, before 1.24. */
export function controllerOf({ ownerReferences }: MetadataAnswer): Owner | null {
  const owner = ownerReferences?.find(({ controller }) => controller === true) ?? ownerReferences?.find(({ kind }) => kind === "CronJob");
  return owner === undefined ? null : { kind: owner.kind, name: owner.name, id: idOfOwner(owner.uid) };
}

/** Whoever makes an object may name any text as the uid of its owner. One that no uid can be is replaced by its hash, as an id of the workload. */
function idOfOwner(uid: string): string {
  return PLAIN_ID.test(uid) ? uid : createHash("sha256").update(uid).digest("hex");
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

const POWERS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};
const QUANTITY = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/;

/** The number that a quantity stands for, as in `250m` cores or `64Mi` bytes; null when it is none. Source: Kubernetes API, resource.Quantity. */
export function parseQuantity(text: unknown): number | null {
  if (typeof text === "number") return Number.isFinite(text) ? text : null;
  if (typeof text !== "string") return null;
  const [, digits, exponent = "", suffix = ""] = QUANTITY.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  const value = Number(digits + exponent) * (POWERS[suffix] ?? Number.NaN);
  return Number.isFinite(value) ? value : null;
}

/** Larger values, as of an object with a thousand labels, are seldom alike. */
const LONGEST_JSON = 1_000;
const MOST = 5_000;

const known = new Map<string, unknown>();

/**
 * One value for all that are alike, frozen, of strings and plain records: the pods of a workload have the same owner, labels, image and amounts, and a
 * cluster has thousands of pods. A string keeps nothing of a longer one that it was cut from.
 */
export function shared<Value extends string | object | null>(value: Value): Value {
  if (value === null) return value;
  const json = JSON.stringify(value);
  if (json.length > LONGEST_JSON) return value;
  const kept = known.get(json);
  if (kept !== undefined) return kept as Value;
  if (known.size >= MOST) known.clear();
  const own: Value = typeof value === "string" ? JSON.parse(json) : Object.freeze(value);
  known.set(json, own);
  return own;
}
