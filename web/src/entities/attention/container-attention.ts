import type { ContainerRecord } from "../../../../src/monitoring/containers/api.ts";
import { containerStatus, needsAttention } from "../../format/container-status.ts";
import { endsByItself } from "../../format/workload-row-status.ts";
import { impactOf } from "../../format/impact.ts";
import { countOf } from "../../format/number.ts";
import { asSentence } from "../../format/sentence.ts";
import type { Attention } from "./attention.ts";

/** The containers that need attention, and why. */
export function containerAttention(containers: readonly ContainerRecord[]): Attention[] {
  return containers.filter(needsAttention).map(describe);
}

function describe(container: ContainerRecord): Attention {
  const { status, cause } = containerStatus(container);
  const loop = container.restart_loop;
  const sentences = [
    container.oom_killed ? "OOM killed" : loop === null && container.health !== "unhealthy" ? cause : undefined,
    loop === null ? undefined : `${countOf(loop.restarts, "restart")} in 10 minutes`,
    loop !== null && !container.oom_killed && container.exit_code !== null && container.exit_code !== 0
      ? `Last exit code ${container.exit_code}`
      : undefined,
    container.health === "unhealthy" && container.state === "running" ? unhealthyWords(container) : undefined,
    container.oom_killed || container.state === "running" ? undefined : restartWords(container),
  ];
  return {
    type: "container",
    id: String(container.id),
    name: container.name,
    status,
    impact: impactOf(status),
    what: whatOf(container),
    why: sentences
      .filter((sentence) => sentence !== undefined)
      .map(asSentence)
      .join(" "),
    where: container.group_source === "default" ? container.image : `${container.group} · ${container.image}`,
    agentId: container.agent_id,
    since: loop?.since ?? container.last_state_change_at,
    isSettled: false,
  };
}

/** Of a workload of Kubernetes there are the words of its pods. */
function unhealthyWords({ runtime, error_detail: detail }: ContainerRecord): string {
  return runtime === "kubernetes" ? (detail ?? "Not all pods are ready") : "Health check failing";
}

function whatOf(container: ContainerRecord): string {
  const { state, exit_code, restart_loop } = container;
  if (container.runtime === "kubernetes") {
    if (restart_loop !== null || state === "restarting") return "is crash-looping";
    if (state === "running") return "is degraded";
    return state === "created" ? "is pending" : endsByItself(container) ? "failed" : "is down";
  }
  switch (state) {
    case "restarting":
      return restart_loop === null ? "is restarting" : "is crash-looping";
    case "exited":
      return exit_code === null ? "has exited" : `exited with code ${exit_code}`;
    case "dead":
      return "is dead";
    case "created":
      return "could not start";
    default:
      return restart_loop === null ? "is unhealthy" : "is crash-looping";
  }
}

function restartWords({ restart_count, restart_loop }: ContainerRecord): string | undefined {
  return restart_loop === null && restart_count > 0 ? `${countOf(restart_count, "restart")} since creation` : undefined;
}
