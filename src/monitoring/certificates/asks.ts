import { askedOf, type ContainerSighting, type Observation } from "../../observations.ts";
import type { PresentContainers } from "../containers/index.ts";
import { alertsOf } from "../endpoints/index.ts";
import type { LabelledTargets } from "./certificate.ts";

/** What the labels of containers, and of services that a host watches for its swarm, ask for, by host. */
export interface Asks {
  /** Whether something else is asked for now. */
  take(agentId: string | null, observation: Observation): boolean;
  /** Takes all that the services ask for that a host watches now; answers whether that is something else than before. */
  takeServices(agentId: string | null, services: readonly LabelledTargets[]): boolean;
  of(agentId: string | null): Iterable<LabelledTargets>;
  /** Whether the host has listed its containers since the start of the program. */
  isListed(agentId: string | null): boolean;
  /** Whether it is known since the start of the program which services the host watches. */
  areServicesKnown(agentId: string | null): boolean;
  hosts(): Iterable<string | null>;
  forget(agentId: string): void;
}

interface HostAsks {
  byContainer: Map<string, LabelledTargets>;
  isListed: boolean;
  services: readonly LabelledTargets[] | undefined;
}

/** `present` knows already what the same observations say of containers. */
export function createAsks(present: Pick<PresentContainers, "find">): Asks {
  const hosts = new Map<string | null, HostAsks>();

  function hostOf(agentId: string | null): HostAsks {
    const known = hosts.get(agentId);
    if (known !== undefined) return known;
    const host: HostAsks = { byContainer: new Map(), isListed: false, services: undefined };
    hosts.set(agentId, host);
    return host;
  }

  function seen(agentId: string | null, sighting: ContainerSighting): boolean {
    const { byContainer } = hostOf(agentId);
    const { externalId } = sighting;
    const container = present.find(agentId, externalId);
    const targets = container === undefined ? [] : askedOf({ ...sighting, settings: container.settings }).certificates;
    if (container === undefined || targets.length === 0) return byContainer.delete(externalId);
    const { id, name, labels } = container;
    const next = { container: { id, externalId, name, labels }, alerts: alertsOf(container), targets };
    if (JSON.stringify(byContainer.get(externalId)) === JSON.stringify(next)) return false;
    byContainer.set(externalId, next);
    return true;
  }

  return {
    take(agentId, observation) {
      switch (observation.kind) {
        case "container.inventory": {
          const host = hostOf(agentId);
          let isNews = !host.isListed;
          host.isListed = true;
          for (const sighting of observation.containers) if (seen(agentId, sighting)) isNews = true;
          for (const externalId of host.byContainer.keys()) {
            if (present.find(agentId, externalId) !== undefined) continue;
            host.byContainer.delete(externalId);
            isNews = true;
          }
          return isNews;
        }
        case "container.seen":
          return seen(agentId, observation.container);
        case "container.gone":
          return present.find(agentId, observation.externalId) === undefined && hostOf(agentId).byContainer.delete(observation.externalId);
        default:
          return false;
      }
    },
    takeServices(agentId, services) {
      const host = hostOf(agentId);
      if (JSON.stringify(host.services) === JSON.stringify(services)) return false;
      host.services = services;
      return true;
    },
    of(agentId) {
      const host = hosts.get(agentId);
      return host === undefined ? [] : [...host.byContainer.values(), ...(host.services ?? [])];
    },
    areServicesKnown: (agentId) => hosts.get(agentId)?.services !== undefined,
    isListed: (agentId) => hosts.get(agentId)?.isListed === true,
    hosts: () => hosts.keys(),
    forget: (agentId) => void hosts.delete(agentId),
  };
}
