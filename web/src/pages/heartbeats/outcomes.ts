import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/answers.ts";
import { countOf } from "../../format/number.ts";

export type RecentOutcome = HeartbeatRecord["recent_outcomes"][number];

const ENDS: readonly { outcome: RecentOutcome; word: string }[] = [
  { outcome: "success", word: "succeeded" },
  { outcome: "failure", word: "failed" },
  { outcome: "timeout", word: "took too long" },
  { outcome: "missed", word: "did not report" },
];

/** `The last 20 runs: 18 succeeded, 2 failed` */
export function summarizeOutcomes(outcomes: readonly RecentOutcome[]): string {
  if (outcomes.length === 0) return "No run yet";
  const counts = ENDS.map(({ outcome, word }) => ({ word, count: outcomes.filter((each) => each === outcome).length }));
  const words = counts.filter(({ count }) => count > 0).map(({ word, count }) => `${count} ${word}`);
  return `The last ${outcomes.length === 1 ? "run" : countOf(outcomes.length, "run")}: ${words.join(", ")}`;
}
