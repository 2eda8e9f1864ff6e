import { DAY_MS } from "../../../../../src/contract/time.ts";
import { KEPT_DAYS } from "../../../../../src/contract/retention.ts";
import type { ContainerRecord } from "../../../../../src/monitoring/containers/api.ts";
import { explainExitCode } from "../../../format/exit-code.ts";
import { countOf } from "../../../format/number.ts";
import { formatAgo, formatDay } from "../../../format/time.ts";
import { formatLength } from "./length.ts";
import { detailOfWorkload, workloadSentence } from "./workload-headline.ts";

/** What the head of the page says: what is, in one sentence, and what else helps to understand it. */
interface Headline {
  what: string;
  detail: string;
}

export function headline(container: ContainerRecord, nowMs: number): Headline {
  const { archived_at } = container;
  if (archived_at !== null) {
    const until = new Date(Date.parse(archived_at) + KEPT_DAYS.removedContainers * DAY_MS);
    return {
      what: `Removed ${ago(archived_at, nowMs)}.`,
      detail: `History is kept until ${formatDay(until, nowMs)}. Logs were removed with ${container.runtime === "kubernetes" ? "its pods" : "the container"}.`,
    };
  }
  if (container.runtime === "kubernetes") return { what: workloadSentence(container, nowMs).trim(), detail: detailOfWorkload(container) };
  return { what: sentence(container, nowMs), detail: detail(container, nowMs) };
}

function sentence(container: ContainerRecord, nowMs: number): string {
  const { state, health, restart_loop: loop, last_state_change_at: changedAt } = container;
  const endedAt = container.finished_at ?? changedAt;
  if (loop !== null && (state === "running" || state === "restarting")) {
    return `Crash-looping: ${countOf(loop.restarts, "restart")} within 10 minutes. Last time it ${lastEnd(container)}.`;
  }
  switch (state) {
    case "running":
      if (health === "unhealthy") return `Unhealthy for ${since(changedAt, nowMs)}.`;
      if (health === "starting") return `Health check starting, running for ${since(container.started_at ?? changedAt, nowMs)}.`;
      return `Running for ${since(container.started_at ?? changedAt, nowMs)}${health === "healthy" ? ", healthy" : ""}.`;
    case "restarting":
      return `It ${lastEnd(container)}. The restart policy starts it again.`;
    case "exited":
      return `${exitWords(container)}, ${ago(endedAt, nowMs)}.`;
    case "completed":
      return `Completed with exit code 0, ${ago(endedAt, nowMs)}.`;
    case "paused":
      return `Paused for ${since(changedAt, nowMs)}.`;
    case "created":
      return `Created ${ago(container.created_at ?? changedAt, nowMs)}, ${container.error_detail === null ? "never started" : "could not start"}.`;
    case "dead":
      return `Dead: removal failed, ${ago(changedAt, nowMs)}.`;
  }
}

/** Facts that the sentence leaves out and that help to find out why. */
function detail(container: ContainerRecord, nowMs: number): string {
  const { state, started_at, finished_at, restart_count, error_detail, restart_loop, health } = container;
  const facts: string[] = [];
  if (error_detail !== null && state !== "running") facts.push(`Runtime error: ${error_detail.replace(/[\s.]+$/, "")}.`);
  if ((state === "exited" || state === "completed") && started_at !== null && finished_at !== null && started_at < finished_at) {
    facts.push(`Ran for ${formatLength(Date.parse(finished_at) - Date.parse(started_at))}.`);
  }
  if (state === "running" && started_at !== null && (health === "unhealthy" || restart_loop !== null)) {
    facts.push(`Running for ${since(started_at, nowMs)}.`);
  }
  if (restart_count > 0) facts.push(`${countOf(restart_count, "restart")} by policy since creation.`);
  return facts.join(" ");
}

function exitWords({ exit_code, oom_killed, stop_requested }: ContainerRecord): string {
  if (stop_requested) return `Stopped by request${exit_code === null ? "" : ` (exit ${exit_code})`}`;
  if (exit_code === null) return oom_killed ? "OOM killed" : "Exited";
  if (oom_killed) return `Exited ${exit_code}: OOM killed`;
  const reason = explainExitCode(exit_code);
  return reason === undefined ? `Exited with code ${exit_code}` : `Exited ${exit_code}: ${reason}`;
}

function lastEnd({ exit_code, oom_killed }: ContainerRecord): string {
  if (oom_killed) return `was OOM killed${exit_code === null ? "" : ` (exit ${exit_code})`}`;
  if (exit_code === null) return "exited";
  const reason = explainExitCode(exit_code);
  return `exited with code ${exit_code}${reason === undefined ? "" : `, ${reason}`}`;
}

function since(at: string, nowMs: number): string {
  return formatLength(nowMs - Date.parse(at));
}

function ago(at: string, nowMs: number): string {
  return formatAgo(nowMs - Date.parse(at));
}
