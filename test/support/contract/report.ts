import type { ContractRun } from "./run.ts";

const EXAMPLES = 2;

/** What a run did, and what it found, each kind of an operation with a few examples. */
export function reportOf({ operations, visited, succeeded, requests, statuses, findings }: ContractRun): string {
  const kinds = [...Map.groupBy(findings, ({ rule, operation }) => `${rule} of ${operation}`)];
  const counts = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  return [
    `${visited.size} of ${operations} operations visited, ${succeeded.size} with success, by ${requests} requests (${counts.join(", ")}); ${findings.length} findings of ${kinds.length} kinds`,
    ...kinds.flatMap(([kind, found]) => [`${kind}, ${found.length} times`, ...found.slice(0, EXAMPLES).map(({ text }) => `  ${text}`)]),
  ].join("\n");
}
