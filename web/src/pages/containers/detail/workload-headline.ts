import type { ContainerRecord } from "../../../../../src/monitoring/containers/api.ts";
import { countOf } from "../../../format/number.ts";
import { asSentence } from "../../../format/sentence.ts";
import { formatAgo } from "../../../format/time.ts";
import { endsByItself, workloadKind } from "../../../format/workload-row-status.ts";
import { formatLength } from "./length.ts";

/** How a workload of Kubernetes is, in one sentence. */
export function workloadSentence(container: ContainerRecord, nowMs: number): string {
  const { state, health, restart_loop: loop, last_state_change_at: changedAt } = container;
  const changedMs = nowMs - Date.parse(changedAt);
  if (loop !== null && (state === "running" || state === "restarting")) {
    return `Crash-looping: ${countOf(loop.restarts, "restart")} within 10 minutes. ${lastEnd(container)}`;
  }
  switch (state) {
    case "running":
      if (health === "unhealthy") return `Not all pods are ready, for ${formatLength(changedMs)}.`;
      if (health === "starting") return "Rolling out: not all pods are ready yet.";
      return `Running for ${formatLength(nowMs - Date.parse(container.started_at ?? changedAt))}${health === "healthy" ? ", all pods ready" : ""}.`;
    case "restarting":
      return `Crash-looping: no pod is ready. ${lastEnd(container)}`;
    case "exited":
      if (container.stop_requested) return `Scaled to zero ${formatAgo(changedMs)}.`;
      return endsByItself(container) ? `Failed ${endedAgo(container, nowMs)}. ${lastEnd(container)}` : "No pod is ready.";
    case "completed":
      return `Completed ${endedAgo(container, nowMs)}.`;
    case "paused":
      return `Suspended for ${formatLength(changedMs)}.`;
    case "created":
      return workloadKind(container) === "CronJob" ? "Has not run yet." : "No pod is running yet.";
    case "dead":
      return "No pod is ready.";
  }
}

/** What the sentence leaves out: why, in the words of the cluster, and how often containers were started again. */
export function detailOfWorkload({ error_detail: detail, restart_count: restarts }: ContainerRecord): string {
  const facts = [
    ...(detail === null ? [] : [asSentence(detail.trim())]),
    ...(restarts > 0 ? [`${countOf(restarts, "container restart")} in its pods.`] : []),
  ];
  return facts.join(" ");
}

function lastEnd({ exit_code: code, oom_killed: isOom }: ContainerRecord): string {
  if (isOom) return "A container was OOM killed.";
  return code === null || code === 0 ? "" : `A container ended with exit code ${code}.`;
}

function endedAgo({ finished_at: finishedAt, last_state_change_at: changedAt }: ContainerRecord, nowMs: number): string {
  return formatAgo(nowMs - Date.parse(finishedAt ?? changedAt));
}
