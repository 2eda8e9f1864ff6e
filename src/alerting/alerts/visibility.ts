import type { AlertSource, Problem } from "../vocabulary.ts";
import type { Outages, StoppedAs } from "./outages.ts";

/** What is known of what alerts are about, as things stand. */
export interface Watches {
  /** Whether a runtime of the local host is watched. */
  localRuntime: boolean;
  /** Whether a container runs; undefined of one that is not there. */
  runs(containerId: number): boolean | undefined;
  stoppedAs?: StoppedAs;
  /** Whether one that was down runs again, or need not run; undefined of one that is not there. */
  isDownOver(containerId: number): boolean | undefined;
  /** Whether it ended with the container engine of its host, of which there is an alert. */
  hasStoppedWithRuntime(containerId: number): boolean;
  /** Whether it was removed, and may be re-created. */
  mayReturn(containerId: number): boolean;
  /** Whether its health check has not spoken yet. */
  isStarting(containerId: number): boolean;
  /** Whether a manager shows a swarm now; by default none is. */
  seesSwarm?(clusterId: string): boolean;
  /** Whether somebody shows a Kubernetes cluster now, with all that an alert of that name is judged by; by default nobody does. */
  seesKubernetes?(clusterId: string, alert: string): boolean;
}

/** What can be observed at present. Source: contract, section 19, "only an observation that shows health resolves". */
export interface Visibility {
  /** What a host shows stands as it was while nothing comes from it: neither is news of it, nor is that there is none. */
  isUnseen(about: Pick<Problem, "source" | "agentId">): boolean;
  /** Whether a problem cannot be observed now, because its host is not shown or its container does not run. Its source not naming it then means nothing. */
  isOutOfSight(problem: Problem): boolean;
  /** Whether nothing shows a problem now: its host, its engine or its container is away. */
  isAway(problem: Problem): boolean;
  /** Whether a problem stays though its source does not name it: it is out of sight, or a container that was down does not run yet. */
  stays(problem: Problem): boolean;
}

/** Events of these sources come from their host alone, or from time that passes. */
const SHOWN_BY_HOSTS: ReadonlySet<AlertSource> = new Set(["container", "resource", "endpoint"]);

export function createVisibility(outages: Pick<Outages, "isSilent" | "isShown" | "mayBeLost">, watches: Watches | undefined): Visibility {
  const isUnseen: Visibility["isUnseen"] = ({ source, agentId }) => SHOWN_BY_HOSTS.has(source) && outages.isSilent(agentId);

  function isOutOfSight(problem: Problem): boolean {
    const { source, event, agentId } = problem;
    if (source === "agent") return event === "runtime_lost" && outages.mayBeLost(agentId);
    if (source === "swarm") return watches?.seesSwarm?.(String(problem.details["cluster_id"])) !== true;
    if (source === "kubernetes") return watches?.seesKubernetes?.(String(problem.details["cluster_id"]), event) !== true;
    const container = containerOf(problem);
    if (container !== undefined && watches?.mayReturn(container) === true) return true;
    if (!SHOWN_BY_HOSTS.has(source)) return false;
    if (container === undefined) return isUnseen(problem);
    if (isUnseen(problem) || !outages.isShown(agentId)) return true;
    if (event === "health_unhealthy" && watches?.isStarting(container) === true) return true;
    return event !== "down" && watches?.runs(container) === false;
  }

  function isAway(problem: Problem): boolean {
    const { source, event, agentId } = problem;
    if (source === "agent") return false;
    const container = containerOf(problem);
    if (container === undefined || !SHOWN_BY_HOSTS.has(source)) return isOutOfSight(problem);
    if (watches?.mayReturn(container) === true || isUnseen(problem) || !outages.isShown(agentId)) return true;
    const stopped = watches?.stoppedAs?.(container);
    return event !== "down" && stopped !== undefined && stopped.state !== "restarting";
  }

  function isStillDown({ source, event, entity }: Problem): boolean {
    return source === "container" && event === "down" && watches?.isDownOver(Number(entity.id)) === false;
  }

  return { isUnseen, isOutOfSight, isAway, stays: (problem) => isOutOfSight(problem) || isStillDown(problem) };
}

/** What it is about, or what that runs in. */
function containerOf({ entity, parents }: Problem): number | undefined {
  const container = [entity, ...parents].find(({ type }) => type === "container");
  return container && Number(container.id);
}
