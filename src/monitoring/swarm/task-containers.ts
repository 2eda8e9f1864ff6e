import { isDeepStrictEqual } from "node:util";
import type { ContainerSighting, Observation } from "../../observations.ts";
import type { SwarmService } from "../../observations/swarm.ts";
import type { PresentContainers } from "../containers/index.ts";
import { ownLabels, withServiceLabels } from "./task-labels.ts";

const SERVICE_ID = "com.docker.swarm.service.id";

type Seen = Observation & { kind: "container.seen" };

/** Containers of tasks, on whichever host: gives them the labels of their services, which only managers see. */
export interface TaskContainers {
  /** The observation with the labels of services under those of containers. A replayed one is not remembered. */
  complete(agentId: string | null, observation: Observation, isReplayed: boolean): Observation;
  /** Containers that labels of their services, all those of a cluster, ask to be otherwise than they are, as they were seen last. */
  outdated(clusterId: string, services: readonly SwarmService[]): { agentId: string | null; observation: Seen }[];
  lastSeen(agentId: string | null, externalId: string): Seen | undefined;
  forgetHost(agentId: string): void;
}

export interface TaskContainersParts {
  present: Pick<PresentContainers, "find">;
  /** As it was seen last. */
  serviceOf(id: string): SwarmService | undefined;
}

/** The service that a container is a task of, by its labels. */
export function serviceIdOf({ labels }: { labels: Readonly<Record<string, string>> }): string | undefined {
  return labels[SERVICE_ID];
}

export function createTaskContainers({ present, serviceOf }: TaskContainersParts): TaskContainers {
  /** As their hosts said it. */
  const seen = new Map<string | null, Map<string, Seen>>();
  /** By cluster: what the labels of each service asked for when its containers were looked at. */
  const applied = new Map<string, ReadonlyMap<string, string>>();

  function remember(agentId: string | null, observation: Seen): void {
    const { container, observedAt } = observation;
    if (serviceIdOf(container) === undefined) return;
    let ofHost = seen.get(agentId);
    if (ofHost === undefined) seen.set(agentId, (ofHost = new Map()));
    const known = ofHost.get(container.externalId);
    if (known === undefined || known.observedAt <= observedAt) ofHost.set(container.externalId, observation);
  }

  /** Until a manager shows its service, what was known of the container holds. */
  function completed(agentId: string | null, container: ContainerSighting): ContainerSighting {
    const serviceId = serviceIdOf(container);
    if (serviceId === undefined) return container;
    const source = serviceOf(serviceId) ?? present.find(agentId, container.externalId);
    return source === undefined ? container : withServiceLabels(container, source);
  }

  function isOutdated(agentId: string | null, container: ContainerSighting): boolean {
    const known = present.find(agentId, container.externalId);
    if (known === undefined) return false;
    const wanted = completed(agentId, container);
    return !isDeepStrictEqual([known.settings, ownLabels(known.labels)], [wanted.settings, ownLabels(wanted.labels)]);
  }

  return {
    complete(agentId, observation, isReplayed) {
      if (observation.kind === "container.seen") {
        if (!isReplayed) remember(agentId, observation);
        const container = completed(agentId, observation.container);
        return container === observation.container ? observation : { ...observation, container };
      }
      if (observation.kind === "container.inventory") {
        const { observedAt, containers } = observation;
        if (!isReplayed) {
          seen.delete(agentId);
          for (const container of containers) remember(agentId, { kind: "container.seen", observedAt, container });
        }
        return { ...observation, containers: containers.map((container) => completed(agentId, container)) };
      }
      if (observation.kind === "container.gone" && !isReplayed) seen.get(agentId)?.delete(observation.externalId);
      return observation;
    },
    outdated(clusterId, services) {
      const before = applied.get(clusterId);
      const asked = new Map(services.map(({ id, labels, settings }) => [id, JSON.stringify([ownLabels(labels), settings])]));
      const changed = new Set([...asked].flatMap(([id, text]) => (before?.get(id) === text ? [] : [id])));
      applied.set(clusterId, asked);
      if (changed.size === 0) return [];
      return [...seen].flatMap(([agentId, ofHost]) =>
        [...ofHost.values()]
          .filter(({ container }) => changed.has(serviceIdOf(container) ?? "") && isOutdated(agentId, container))
          .map((observation) => ({ agentId, observation })),
      );
    },
    lastSeen: (agentId, externalId) => seen.get(agentId)?.get(externalId),
    forgetHost: (agentId) => void seen.delete(agentId),
  };
}
