import type { NodeRecord, WorkloadRecord } from "../../../../src/monitoring/kubernetes/answers.ts";
import { formatBytes } from "../../format/bytes.ts";
import { formatCores } from "../../format/cores.ts";
import { formatShare } from "../../format/usage.ts";

/** How much of something is used and requested, against what there is. */
export interface Amount {
  name: string;
  used: number | null;
  requested: number | null;
  /** What the bar is as long as; null where nothing says. */
  whole: number | null;
  /** Whether `whole` is all that may be used, so that to come near it is dangerous. */
  isLimit: boolean;
  /** In how many of the last CPU periods the limit stopped it, in percent; null where that is not known, and of other things. */
  throttledPercent: number | null;
  words: string;
}

/** From here on there is little left. */
const NEARLY_ALL = 90;
/** From here on requests take visibly longer. */
const MUCH_THROTTLED = 25;

/** Of 100, and no more; null where nothing is known. */
export function shareOf(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole <= 0 ? null : Math.min(100, (part / whole) * 100);
}

export function isNearlyAll({
  used,
  whole,
  isLimit,
  throttledPercent,
}: Pick<Amount, "used" | "whole" | "isLimit" | "throttledPercent">): boolean {
  return (isLimit && (shareOf(used, whole) ?? 0) >= NEARLY_ALL) || (throttledPercent ?? 0) >= MUCH_THROTTLED;
}

/** CPU and memory of a node: what is used and requested of what pods may have. */
export function nodeAmounts({ allocatable, requests, usage }: Pick<NodeRecord, "allocatable" | "requests" | "usage">): Amount[] {
  return RESOURCES.map(({ name, key, format }) => {
    const [used, requested, whole] = [usage?.[key] ?? null, requests[key], allocatable[key]];
    const words = [
      used !== null && `${format(used)} used`,
      requested !== null && `${format(requested)} requested`,
      whole !== null && `of ${format(whole)}`,
    ];
    return { name, used, requested, whole, isLimit: true, throttledPercent: null, words: joined(words) };
  });
}

/** CPU and memory of a workload: what its pods use, against what they request and may use at most. */
export function workloadAmounts({
  limits,
  requests,
  usage,
  cpu_throttled_percent: throttled,
}: Pick<WorkloadRecord, "limits" | "requests" | "usage" | "cpu_throttled_percent">): Amount[] {
  return RESOURCES.map(({ name, key, format }) => {
    const [used, requested, limit] = [usage?.[key] ?? null, requests[key], limits[key]];
    const throttledPercent = key === "cpu_cores" ? throttled : null;
    const words = [
      used === null ? "usage unknown" : `${format(used)} used`,
      requested === null ? "no request" : `${format(requested)} requested`,
      limit === null ? "no limit" : `limit ${format(limit)}`,
      throttledPercent !== null && `${formatShare(throttledPercent)} throttled`,
    ];
    // Without a limit the bar is as long as the larger of the two.
    const whole = limit ?? (used === null && requested === null ? null : Math.max(used ?? 0, requested ?? 0));
    return { name, used, requested, whole, isLimit: limit !== null, throttledPercent, words: joined(words) };
  });
}

const RESOURCES = [
  { name: "CPU", key: "cpu_cores", format: formatCores },
  { name: "Memory", key: "memory_bytes", format: formatBytes },
] as const;

function joined(words: readonly (string | false)[]): string {
  const known = words.filter((word) => word !== false);
  // `1.2 requested of 4` reads as one.
  return known.join(", ").replace(", of ", " of ");
}
