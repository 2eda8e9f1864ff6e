import type { Event } from "../../events.ts";
import type { Observation } from "../../observations.ts";
import type { KubernetesSighting } from "../../observations/kubernetes.ts";
import type { Bus } from "../../platform/bus.ts";
import { type Clock, nextTurnWhenDue } from "../../platform/clock.ts";
import type { PresentContainers } from "../containers/index.ts";
import { changedEvent, overEvent } from "./changes.ts";
import type { Grace } from "./grace.ts";
import { isAssessed } from "./insight.ts";
import type { Assessment, Change, Register } from "./register.ts";

/** Assesses containers as they are seen, and publishes what changed in their findings. */
export interface Watch {
  /** All that is there, without events: after a start nothing is news. */
  begin(): void;
  /** The containers know already what the same observations say. */
  observe(agentId: string | null, observations: readonly Observation[]): Promise<void>;
}

export interface WatchParts {
  present: Pick<PresentContainers, "find" | "get" | "hosts" | "ids">;
  register: Register;
  grace: Grace;
  bus: Bus<Event>;
  clock: Clock;
  onChange(): void;
}

export function createWatch({ present, register, grace, bus, clock, onChange }: WatchParts): Watch {
  async function assess(ids: Iterable<number | undefined>): Promise<void> {
    let changed = false;
    const known = new Set([...ids].filter((id) => id !== undefined));
    for (const id of known) {
      const turn = nextTurnWhenDue();
      if (turn !== undefined) await turn;
      const before = register.get(id);
      const change = register.assess(id);
      if (change === undefined) continue;
      changed = true;
      publish(change, before);
    }
    // Only now: an inventory may show the one that took a place before it is seen who left it.
    for (const id of known) endWaiting(id);
    if (changed) onChange();
  }

  /** What is found is published at once; only the end of its alert waits when the container merely stopped. */
  function publish(change: Change, before: Assessment | undefined): void {
    const isClean = change.assessment.findings.length === 0;
    const isAway = isClean && before !== undefined && hasStopped(before.container.id);
    if (isAway) grace.wait(before);
    bus.publish(changedEvent(change, { at: clock.now(), over: isClean && !isAway }));
  }

  function hasStopped(id: number): boolean {
    const container = present.get(id);
    return container === undefined || (!container.settings.ignored && !isAssessed(container));
  }

  /** After the news of the one that runs, so that the alert of the one before it ends when there is another. */
  function endWaiting(id: number): void {
    const now = register.get(id);
    // Between two runs it shows no ports: what it exposes is not known yet.
    if (now === undefined || now.container.state === "restarting") return;
    for (const earlier of grace.take(now.container)) {
      if (earlier.container.id !== id || now.findings.length === 0) bus.publish(overEvent(earlier, clock.now()));
    }
  }

  /** The present containers that an observation is about. */
  function idsOf(agentId: string | null, observation: Observation): (number | undefined)[] {
    switch (observation.kind) {
      case "container.seen":
        return [present.find(agentId, observation.container.externalId)?.id];
      case "container.inventory":
        return observation.containers.map(({ externalId }) => present.find(agentId, externalId)?.id);
      case "swarm.observed":
        // Ports of a service are not in what its containers show.
        return [...present.ids()].filter((id) => present.get(id)?.runtime === "swarm");
      case "kubernetes.observed":
        return idsOfCluster(observation.kubernetes);
      default:
        return [];
    }
  }

  /** The host that watches the cluster now: the rows of the cluster may still be those of another host. */
  function idsOfCluster(sighting: KubernetesSighting): (number | undefined)[] {
    if (changesAnyWorkload(sighting)) return [...present.ids()].filter((id) => present.get(id)?.runtime === "kubernetes");
    const workloads = [...sighting.objects.workloads.map(({ id }) => id), ...(sighting.removed.workloads ?? [])];
    return [...present.hosts()].flatMap((host) => workloads.map((workload) => present.find(host, workload)?.id));
  }

  return {
    begin() {
      for (const id of present.ids()) register.assess(id);
    },
    async observe(agentId, observations) {
      const mayBeGone = observations.some(({ kind }) => kind === "container.gone" || kind === "container.inventory");
      const gone = mayBeGone ? [...register.ids()].filter((id) => present.get(id)?.archivedAt !== null) : [];
      await assess([...observations.flatMap((observation) => idsOf(agentId, observation)), ...gone]);
    },
  };
}

/** Services and namespaces are not in what containers show, and a service may lead to any workload. Pods, which change all the time, expose nothing. */
function changesAnyWorkload({ isComplete, objects, removed }: KubernetesSighting): boolean {
  const kinds = ["services", "namespaces"] as const;
  return isComplete || kinds.some((kind) => objects[kind].length > 0 || (removed[kind]?.length ?? 0) > 0);
}
