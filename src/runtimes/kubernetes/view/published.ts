import { isDeepStrictEqual } from "node:util";
import type { ResourceAmounts } from "../../../observations/kubernetes-workloads.ts";
import type { PodUsage } from "../../../observations/kubernetes-workloads.ts";
import type { ClusterUsage } from "./stored.ts";

/** What was published of one kind of things, and what changed of it since the last look. */
export interface Published<Thing> {
  values(): IterableIterator<Thing>;
  entries(): IterableIterator<[string, Thing]>;
  get(id: string): Thing | undefined;
  /** undefined: it is not there any more. Answers whether that is news. */
  put(id: string, thing: Thing | undefined): boolean;
  /** What changed since this was called last. */
  takeChanges(): { changed: Thing[]; removed: string[] };
}

export function createPublished<Thing>(): Published<Thing> {
  const things = new Map<string, Thing>();
  const changed = new Set<string>();
  const removed = new Set<string>();
  return {
    values: () => things.values(),
    entries: () => things.entries(),
    get: (id) => things.get(id),
    put(id, thing) {
      const before = things.get(id);
      if (thing === undefined) {
        if (!things.delete(id)) return false;
        changed.delete(id);
        removed.add(id);
        return true;
      }
      if (before !== undefined && isDeepStrictEqual(before, thing)) return false;
      things.set(id, thing);
      removed.delete(id);
      changed.add(id);
      return true;
    },
    takeChanges() {
      const taken = { changed: [...changed].flatMap((id) => things.get(id) ?? []), removed: [...removed] };
      changed.clear();
      removed.clear();
      return taken;
    },
  };
}

/** A tenth, and not less than this, is worth a word: readings come every few seconds, of every pod. */
const SHARE = 0.1;
const LEAST_CORES = 0.01;
const LEAST_BYTES = 8 * 1024 * 1024;

/** The reading to publish: that of before where the new one hardly differs. */
export function steadyUsage(before: ResourceAmounts | null | undefined, now: ResourceAmounts | undefined): ResourceAmounts | null {
  if (now === undefined) return null;
  if (before == null) return now;
  const isSteady = isNear(before.cpuCores, now.cpuCores, LEAST_CORES) && isNear(before.memoryBytes, now.memoryBytes, LEAST_BYTES);
  return isSteady ? before : now;
}

const LEAST_SHARE = 0.02;

/** The same of a pod. */
export function steadyPodUsage(
  before: PodUsage | null | undefined,
  usage: Pick<ClusterUsage, "pods" | "throttled">,
  pod: string,
): PodUsage | null {
  const amounts = usage.pods.get(pod);
  if (amounts === undefined) return null;
  const throttledShare = usage.throttled.get(pod) ?? null;
  const isSteady = before != null && steadyUsage(before, amounts) === before && isNear(before.throttledShare, throttledShare, LEAST_SHARE);
  return isSteady ? before : { cpuCores: amounts.cpuCores, memoryBytes: amounts.memoryBytes, throttledShare };
}

function isNear(before: number | null, now: number | null, least: number): boolean {
  if (before === null || now === null) return before === now;
  return Math.abs(now - before) < Math.max(least, before * SHARE);
}
