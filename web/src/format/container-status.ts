import type { ContainerRecord } from "../../../src/monitoring/containers/api.ts";
import { explainExitCode } from "./exit-code.ts";
import { innermostCause } from "./innermost-cause.ts";
import { countOf } from "./number.ts";
import type { ContainerStatus, StatusFacts } from "./status-facts.ts";
import type { Status } from "./status.ts";
import { formatAge, formatAgo } from "./time.ts";
import { workloadRowStatus } from "./workload-row-status.ts";

/** Status, word and cause of a container. */
export function containerStatus(facts: StatusFacts): ContainerStatus {
  if (facts.archived_at !== null)
    return { status: "idle", word: "Removed", cause: undefined, since: { at: facts.archived_at, form: "ago" } };
  if (facts.runtime === "kubernetes") return workloadRowStatus(facts, causeOfEnd(facts));
  const at = facts.last_state_change_at;
  switch (facts.state) {
    case "running":
      return running(facts);
    case "restarting":
      return {
        status: facts.restart_loop === null ? "down" : statusOfLoop(facts.restart_loop),
        word: facts.restart_loop === null ? "Restarting" : "Crash-looping",
        cause: causeOfEnd(facts),
        since: undefined,
      };
    case "exited":
      if (facts.stop_requested) {
        const cause = facts.exit_code === null || facts.exit_code === 0 ? "on request" : `on request, exit ${facts.exit_code}`;
        return { status: "idle", word: "Stopped", cause, since: { at: facts.finished_at ?? at, form: "ago" } };
      }
      return {
        status: "down",
        word: facts.exit_code === null ? "Exited" : `Exited ${facts.exit_code}`,
        cause: causeOfEnd(facts, false),
        since: { at: facts.finished_at ?? at, form: "ago" },
      };
    case "completed":
      return {
        status: "idle",
        word: "Completed",
        cause: "exit 0",
        since: { at: facts.finished_at ?? at, form: "ago" },
      };
    case "paused":
      return { status: "idle", word: "Paused", cause: undefined, since: { at, form: "for" } };
    case "created":
      return facts.error_detail === null
        ? { status: "idle", word: "Created", cause: "not started", since: { at, form: "ago" } }
        : { status: "down", word: "Not started", cause: innermostCause(facts.error_detail), since: { at, form: "ago" } };
    case "dead":
      return { status: "down", word: "Dead", cause: facts.error_detail ?? "removal failed", since: { at, form: "ago" } };
  }
}

function running(facts: StatusFacts): ContainerStatus {
  const since = { at: facts.last_state_change_at, form: "for" } as const;
  if (facts.restart_loop !== null) {
    const cause = `${countOf(facts.restart_loop.restarts, "restart")} in 10 min${facts.oom_killed ? ", OOM killed" : ""}`;
    return { status: statusOfLoop(facts.restart_loop), word: "Crash-looping", cause, since: undefined };
  }
  if (facts.health === "unhealthy") return { status: "degraded", word: "Running", cause: "unhealthy", since };
  if (facts.health === "starting") return { status: "idle", word: "Running", cause: "health check starting", since: undefined };
  return { status: "ok", word: "Running", cause: facts.health === "healthy" ? "healthy" : undefined, since };
}

/** The same whether it runs at the moment or not, so that a loop does not flicker. */
function statusOfLoop({ severity }: NonNullable<StatusFacts["restart_loop"]>): Status {
  return severity === "critical" ? "down" : "degraded";
}

/** Why it ended, from the best witness on: memory, the runtime's own words, the exit code. */
function causeOfEnd(facts: StatusFacts, withCode = true): string | undefined {
  if (facts.oom_killed) return "OOM killed";
  if (facts.error_detail !== null) return innermostCause(facts.error_detail);
  if (facts.exit_code === null) return undefined;
  return explainExitCode(facts.exit_code) ?? (withCode ? `exit ${facts.exit_code}` : undefined);
}

/** The whole phrase: `Running · unhealthy 12 min`, `Completed · exit 0, 22 h ago`, `Exited 137 · OOM killed, 2 min ago`. */
export function statusPhrase({ word, cause, since }: ContainerStatus, nowMs: number): string {
  const what = cause === undefined ? word : `${word} · ${cause}`;
  if (since === undefined) return what;
  const lengthMs = nowMs - Date.parse(since.at);
  const age = since.form === "ago" ? formatAgo(lengthMs) : formatAge(lengthMs);
  return `${what}${ageSeparator(cause, since)}${age}`;
}

/** What stands between the cause and its age: `unhealthy 12 min`, `exit 0, 22 h ago`, `Running · 3 d`. */
export function ageSeparator(cause: string | undefined, since: NonNullable<ContainerStatus["since"]>): string {
  if (cause === undefined) return " · ";
  return since.form === "ago" ? ", " : " ";
}

/** What containers that do not run and need no attention are called where they are counted, in that order. */
export const IDLE_WORDS: readonly (readonly [ContainerRecord["state"], string])[] = [
  ["completed", "completed"],
  // Those that need no attention are those that somebody stopped.
  ["exited", "stopped"],
  ["paused", "paused"],
  ["created", "not started"],
];

/** Whether someone should look at it. */
export function needsAttention(facts: StatusFacts & Pick<ContainerRecord, "is_ignored">): boolean {
  const { status } = containerStatus(facts);
  return !facts.is_ignored && (status === "down" || status === "degraded");
}
