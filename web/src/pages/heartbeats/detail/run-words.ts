import type { ExecutionRecord, PingRecord } from "../../../../../src/monitoring/heartbeats/answers.ts";
import { formatDuration } from "../../../format/duration.ts";
import { countOf } from "../../../format/number.ts";
import type { Status } from "../../../format/status.ts";

type Words = { status: Status; word: string };

/** How a run ended: `Succeeded`, `Exit 3`, `Failed`, `Took too long`. */
export function runWords({ outcome, exit_code: code }: Pick<ExecutionRecord, "outcome" | "exit_code">): Words {
  switch (outcome) {
    case "success":
      return { status: "ok", word: "Succeeded" };
    case "failure":
      return { status: "down", word: code === null ? "Failed" : `Exit ${code}` };
    case "timeout":
      return { status: "degraded", word: "Took too long" };
    case "running":
      return { status: "idle", word: "Running" };
  }
}

/** What a ping reported. */
export function pingWords({ kind, exit_code: code }: Pick<PingRecord, "kind" | "exit_code">): Words {
  switch (kind) {
    case "success":
      return { status: "ok", word: "Success" };
    case "start":
      return { status: "idle", word: "Start" };
    case "exit_code":
      return { status: code === 0 ? "ok" : "down", word: `Exit ${code}` };
    case "fail":
      return { status: "down", word: "Failure" };
    case "log":
      return { status: "idle", word: "Note" };
  }
}

/** What the bars of runs show, in words. */
export function summarizeRuns(runs: readonly Pick<ExecutionRecord, "outcome" | "duration_ms">[]): string {
  const bad = runs.filter(({ outcome }) => outcome === "failure" || outcome === "timeout").length;
  const lengths = runs.flatMap(({ duration_ms: length }) => (length === null ? [] : [length]));
  const took = lengths.length === 0 ? "" : `; the longest took ${formatDuration(Math.max(...lengths))}`;
  return `The last ${countOf(runs.length, "run")}: ${bad === 0 ? "none" : bad} failed${took}`;
}
