/** What the charts of a container are marked with: its ends and starts, and the times above its thresholds. */
import type { ResourceMetric } from "../../../../../src/contract/thresholds.ts";
import type { GenerationRecord, TransitionRecord } from "../../../../../src/monitoring/containers/answers.ts";
import type { History } from "../../../../../src/monitoring/resources/answers.ts";
import type { Mark, Span } from "../../../charts/draw-markers.ts";
import { formatShare } from "../../../format/usage.ts";
import { isEnd, describeChanges, type Change } from "./change.ts";

/** Marks for transitions, given newest first. Those closer than `mergeMs` to one another are one mark, which describes all. */
export function marksOf(
  transitions: readonly TransitionRecord[],
  { mergeMs, generations = [] }: { mergeMs: number; generations?: readonly GenerationRecord[] | undefined },
): Mark[] {
  const clusters: Change[][] = [];
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const change of describeChanges(transitions, generations).toReversed()) {
    const { previous_state, new_state, timestamp } = change.transition;
    if (previous_state === null || (previous_state === new_state && change.recreated !== true)) continue;
    const atMs = Date.parse(timestamp);
    if (atMs - lastMs <= mergeMs) clusters.at(-1)?.push(change);
    else clusters.push([change]);
    lastMs = atMs;
  }
  return clusters.map(markOf);
}

const WORST_FIRST = ["down", "degraded", "idle", "ok"] as const;

function markOf(cluster: readonly Change[]): Mark {
  const status = WORST_FIRST.find((each) => cluster.some((change) => change.status === each)) ?? "ok";
  return { at: Date.parse(cluster[0]?.transition.timestamp ?? ""), status, words: wordsOf(cluster) };
}

/** `OOM killed (exit 137), then restarted by policy`; `Ended 5 times, last exited with code 1`. */
function wordsOf(cluster: readonly Change[]): string {
  const ends = cluster.filter(({ transition }) => isEnd(transition));
  const lastEnd = ends.at(-1);
  if (lastEnd !== undefined && ends.length > 1) return `Exited ${ends.length} times, last ${lowerFirst(lastEnd.what)}`;
  const [first, last] = [cluster[0], cluster.at(-1)];
  if (first === undefined || last === undefined) return "";
  return first === last ? first.what : `${first.what}, then ${lowerFirst(last.what)}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The times above the threshold of one figure. */
export function spansOf(breaches: History["breaches"], metric: ResourceMetric): Span[] {
  return breaches
    .filter((breach) => breach.metric === metric)
    .map(({ threshold, peak, fired_at, resolved_at }) => ({
      from: Date.parse(fired_at),
      until: resolved_at === null ? null : Date.parse(resolved_at),
      words: `Above ${threshold} %, peak ${formatShare(peak)}`,
    }));
}
