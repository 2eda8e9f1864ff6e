import type { HeartbeatStatus } from "../../../src/events.ts";
import type { HeartbeatRecord } from "../../../src/monitoring/heartbeats/answers.ts";
import type { ContainerStatus } from "./status-facts.ts";
import { secondsWords } from "./schedule.ts";

export type HeartbeatFacts = Pick<
  HeartbeatRecord,
  "status" | "status_changed_at" | "reason" | "failing_since" | "last_exit_code" | "max_runtime_seconds" | "current_run_started_at"
>;

export const HEARTBEAT_WORDS: Readonly<Record<HeartbeatStatus, string>> = {
  down: "Down",
  started: "Started",
  up: "Up",
  new: "New",
  paused: "Paused",
};

/** Status, word and cause of a heartbeat: `Down · exit 3, 5 min ago`, `Started · 4 min`. */
export function heartbeatStatus(facts: HeartbeatFacts): ContainerStatus {
  const word = HEARTBEAT_WORDS[facts.status];
  const common = { word, cause: undefined, since: undefined };
  switch (facts.status) {
    case "new":
      return { ...common, status: "idle", cause: "waiting for a ping" };
    case "paused":
      return { ...common, status: "idle", since: { at: facts.status_changed_at, form: "for" } };
    case "up":
      return { ...common, status: "ok" };
    case "started": {
      const since = facts.current_run_started_at === null ? undefined : ({ at: facts.current_run_started_at, form: "for" } as const);
      return facts.reason === null
        ? { ...common, status: "ok", since }
        : { ...common, status: "degraded", cause: `previously ${reasonWords(facts)}` };
    }
    case "down":
      return {
        ...common,
        status: "down",
        cause: reasonWords(facts),
        since: { at: facts.failing_since ?? facts.status_changed_at, form: "ago" },
      };
  }
}

/** What went wrong, in the fewest words. */
export function reasonWords({ reason, last_exit_code: exitCode, max_runtime_seconds: limit }: HeartbeatFacts): string | undefined {
  switch (reason) {
    case null:
      return undefined;
    case "deadline":
      return "late";
    case "exit_code":
      return exitCode === null ? "failed" : `exit ${exitCode}`;
    case "fail":
      return "reported a failure";
    case "timeout":
      return limit === null ? "exceeded max runtime" : `ran longer than ${secondsWords(limit)}`;
  }
}

/** Whether someone should look at it. */
export function heartbeatNeedsAttention({ status, reason }: Pick<HeartbeatRecord, "status" | "reason">): boolean {
  return status === "down" || (status === "started" && reason !== null);
}
