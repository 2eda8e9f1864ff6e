import type { Event, UpdateStatus } from "../../events.ts";
import type { Clock } from "../../platform/clock.ts";
import type { AlertSource, Entity, Problem, Resolution } from "../vocabulary.ts";
import { type KeptAlert, keyText } from "./alert.ts";
import { updateEnd } from "./container-sources.ts";
import type { Order } from "./decide.ts";
import { createRecent, type HostName, type Recent } from "./recent.ts";
import type { Register } from "./register.ts";
import { type Signal, createOutages, hostOf, NOT_ENABLED, type Outage, type Outages, type StoppedAs } from "./signals.ts";
import { readEvent, REMOVED } from "./sources.ts";

/** After these events a whole host is seen, or no longer seen. */
const CHANGES_SIGHT: ReadonlySet<Event["type"]> = new Set([
  "runtime.status_changed",
  "agent.connected",
  "agent.disconnected",
  "agent.revoked",
]);

/** Events of these sources come only from their host, or from time that passes. */
const SHOWN_BY_HOSTS: ReadonlySet<AlertSource> = new Set(["container", "resource", "endpoint"]);

/** For an end whose event was missed. */
const FOUND_OVER: Resolution = { by: "observation", reason: "The problem is gone." };

/** The present state of the things that alerts are about. */
export interface Watches {
  /** Whether a runtime of the local host is watched. */
  localRuntime: boolean;
  /** Whether a container runs; undefined when it does not exist. */
  runs(containerId: number): boolean | undefined;
  stoppedAs?: StoppedAs;
  /** Whether a container that was down runs again, or need not run; undefined when it does not exist. */
  isDownOver(containerId: number): boolean | undefined;
  /** Whether a problem of a container is alerted, by the event of the alert; undefined when the container does not exist. */
  isAlerted(containerId: number, event: string): boolean | undefined;
  /** Whether it ended together with the container engine of its host, about which there is an alert. */
  hasStoppedWithRuntime(containerId: number): boolean;
  /** Whether it was removed, and may be re-created. */
  mayReturn(containerId: number): boolean;
  /** Whether its health check has no result yet. */
  isStarting(containerId: number): boolean;
  /** How a container stands against newer images; undefined when it does not exist or is ignored. */
  updateStatus?(containerId: number): UpdateStatus | undefined;
  /** Whether a manager shows a swarm now; by default none is. */
  seesSwarm?(clusterId: string): boolean;
  /** Whether some host shows a Kubernetes cluster now, with everything needed to judge an alert of that name; by default none does. */
  seesKubernetes?(clusterId: string, alert: string): boolean;
}

/** What can be observed at present. Source: contract, section 19, "only an observation that shows health resolves". */
interface Visibility {
  /** Whether its host is silent. What the host showed last then stays as it was: silence is no news. */
  isUnseen(about: Pick<Problem, "source" | "agentId">): boolean;
  /**
   * Whether a problem cannot be observed now, because its host is not shown or its container does not run. Then its absence from the source means
   * nothing.
   */
  isOutOfSight(problem: Problem): boolean;
  /** Whether nothing shows a problem now: its host, its engine or its container is away. */
  isAway(problem: Problem): boolean;
  /** Whether a problem stays although its source does not name it: it cannot be observed now, or its container is still down. */
  stays(problem: Problem): boolean;
}

export interface EventReaderParts {
  register: Register;
  hostName?: HostName | undefined;
  watches?: Watches | undefined;
  clock: Clock;
}

/** Derives from events what is wrong and what is over. It also tracks what is down and what can be observed. */
export class EventReader {
  readonly visibility: Visibility;
  readonly #register: Register;
  readonly #watches: Watches | undefined;
  readonly #clock: Clock;
  readonly #recent: Recent;
  readonly #outages: Outages;

  constructor({ register, hostName, watches, clock }: EventReaderParts) {
    this.#register = register;
    this.#watches = watches;
    this.#clock = clock;
    this.#recent = createRecent(hostName);
    this.#outages = createOutages({ watchesLocal: watches?.localRuntime ?? false, stoppedAs: watches?.stoppedAs });
    this.visibility = createVisibility(this.#outages, watches);
  }

  /** Tracks what an event says about things that are down; answers whether something came back. */
  note(event: Event): boolean {
    this.#recent.note(event);
    const isBack = this.#outages.note(event);
    if (CHANGES_SIGHT.has(event.type)) this.markUnseen();
    return isBack;
  }

  /** The orders that follow from an event; most have none. */
  *ordersOf(event: Event, observed: boolean): Generator<Order> {
    const at = this.#clock.now();
    for (const signal of readEvent(event, this.#recent)) {
      const { source } = signal.kind === "raise" ? signal.problem : signal.key;
      const agentId = "agent_id" in event.data ? event.data.agent_id : null;
      if (this.visibility.isUnseen({ source, agentId })) continue;
      // A restart loop ends when no restart is seen for a while. That means nothing while the host shows nothing.
      if (signal.kind === "clear" && signal.key.event === "restart_loop" && !this.#outages.isShown(agentId)) continue;
      if (signal.kind === "raise") yield { kind: "raise", key: keyText(signal.problem), problem: signal.problem, observed, at };
      else yield { kind: "clear", key: keyText(signal.key), about: signal.key, resolution: this.#endOf(signal), at };
    }
  }

  /** The outage that explains an alert. */
  outageOf(alert: KeptAlert): Outage | undefined {
    return this.#outages.among(dependedOn(alert)) ?? this.#runtimeStop(alert);
  }

  /** Notes in the register since when each alert that cannot be observed is unseen. */
  markUnseen(): void {
    const unseen = this.#register.active().filter((alert) => this.visibility.isAway(alert));
    const sinceOf = (alert: KeptAlert): Date => this.#outages.among([...dependedOn(alert), alert.entity])?.since ?? alert.lastRaisedAt;
    this.#register.setUnseen(new Map(unseen.map((alert) => [alert.id, sinceOf(alert)])));
  }

  forgetHost(agentId: string): void {
    this.#recent.forgetHost(agentId);
  }

  /** A container that ended with its engine belongs to the outage of the engine, which is alerted instead. */
  #runtimeStop({ source, event, entity, details }: KeptAlert): Outage | undefined {
    if (source !== "container" || event !== "down" || this.#watches?.hasStoppedWithRuntime(Number(entity.id)) !== true) return undefined;
    return { name: "its host", why: "stopped it with the container engine", since: new Date(String(details["since"])) };
  }

  /** Why an alert that its source does not name is over. Its container may have got a label, or this program another option. */
  endOfUnnamed(alert: KeptAlert): Resolution {
    const { entity, event } = alert;
    const isAlerted = entity.type === "container" ? this.#watches?.isAlerted(Number(entity.id), event) : undefined;
    if (isAlerted === false) return NOT_ENABLED;
    const status = updateStatusOf(alert, this.#watches);
    return this.#endOf({ key: alert, resolution: (status && updateEnd(status)) ?? FOUND_OVER });
  }

  /** A removed container was not seen to be healthy. */
  #endOf({ key, resolution }: Omit<Extract<Signal, { kind: "clear" }>, "kind">): Resolution {
    const watches = this.#watches;
    const isGone = key.entity.type === "container" && watches !== undefined && watches.runs(Number(key.entity.id)) === undefined;
    return isGone && resolution.by === "observation" ? REMOVED : resolution;
  }
}

/** A lost host or runtime depends on nothing else. */
function dependedOn({ source, agentId, parents }: Problem): readonly Entity[] {
  return agentId === null || source === "agent" ? parents : [...parents, hostOf(agentId)];
}

function createVisibility(outages: Pick<Outages, "isSilent" | "isShown" | "mayBeLost">, watches: Watches | undefined): Visibility {
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

  /** Until its image is compared again nobody knows whether a newer one is there. */
  const isNotCompared = (problem: Problem): boolean => updateStatusOf(problem, watches) === "unknown";

  return {
    isUnseen,
    isOutOfSight,
    isAway,
    stays: (problem) => isOutOfSight(problem) || isStillDown(problem) || isNotCompared(problem),
  };
}

/** The update status of the container that an alert about an update is for; undefined for other alerts. */
function updateStatusOf({ source, event, entity }: Problem, watches: Watches | undefined): UpdateStatus | undefined {
  return source === "update" && event === "available" ? watches?.updateStatus?.(Number(entity.id)) : undefined;
}

/** The container that a problem is about, or in which the thing it is about runs. */
function containerOf({ entity, parents }: Problem): number | undefined {
  const container = [entity, ...parents].find(({ type }) => type === "container");
  return container && Number(container.id);
}
