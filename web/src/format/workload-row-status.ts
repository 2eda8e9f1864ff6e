import type { ContainerRecord } from "../../../src/monitoring/containers/api.ts";
import { countOf } from "./number.ts";
import type { ContainerStatus, StatusFacts } from "./status-facts.ts";

/** The kind of the workload that a row of runtime `kubernetes` stands for: its unit is `Deployment/web`. */
export function workloadKind({ unit }: Pick<ContainerRecord, "unit">): string {
  return unit?.split("/", 1)[0] ?? "Workload";
}

/** Whether it is one that is to end. */
export function endsByItself(row: Pick<ContainerRecord, "unit">): boolean {
  return ["Job", "CronJob", "Pod"].includes(workloadKind(row));
}

/**
 * The state of a workload among the containers, in the words of its page: a row of a container says there how the pods of the workload are. `why` is
 * what is known of that, if anything is.
 */
export function workloadRowStatus(facts: StatusFacts, why: string | undefined): ContainerStatus {
  const at = facts.last_state_change_at;
  const ended = { at: facts.finished_at ?? at, form: "ago" } as const;
  const lasting = { at, form: "for" } as const;
  // After a sentence a length would read as a part of it.
  const since = why === undefined ? lasting : ({ at, form: "ago" } as const);
  const loop = facts.restart_loop;
  if (loop !== null && (facts.state === "running" || facts.state === "restarting")) {
    const cause = `${countOf(loop.restarts, "restart")} in 10 min${facts.oom_killed ? ", OOM killed" : ""}`;
    return { status: loop.severity === "critical" ? "down" : "degraded", word: "Crash-looping", cause, since: undefined };
  }
  switch (facts.state) {
    case "running":
      if (facts.health === "unhealthy") return { status: "degraded", word: "Degraded", cause: why ?? "not all pods ready", since };
      if (facts.health === "starting") return { status: "maintenance", word: "Rolling out", cause: why, since: undefined };
      return { status: "ok", word: "Running", cause: undefined, since: lasting };
    case "restarting":
      return { status: "down", word: "Crash-looping", cause: why, since: undefined };
    case "exited":
      if (facts.stop_requested) return { status: "idle", word: "Scaled to zero", cause: undefined, since: lasting };
      return { status: "down", word: endsByItself(facts) ? "Failed" : "Down", cause: why, since: ended };
    case "completed":
      return { status: "idle", word: "Completed", cause: undefined, since: ended };
    case "paused":
      return { status: "idle", word: "Suspended", cause: undefined, since: lasting };
    case "created":
      return { status: facts.error_detail === null ? "idle" : "degraded", word: "Pending", cause: why, since };
    case "dead":
      return { status: "down", word: "Down", cause: why, since: ended };
  }
}
