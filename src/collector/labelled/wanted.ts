import { tlsPeerOf } from "../../contract/targets.ts";
import {
  askedOf,
  type CertificateTarget,
  certificateTargetKey,
  type ContainerSighting,
  type EndpointCheck,
  isProbed,
  labelEndpointKey,
  type LabelledEndpoint,
  type Observation,
} from "../../observations.ts";
import {
  certificatesOfService,
  checksOfService,
  isServiceProbed,
  serviceCheckOwner,
  type SwarmService,
  type SwarmSighting,
} from "../../observations/swarm.ts";

/** What the labels of a host's containers, and of the services that it shows, ask to be looked at. */
export interface Wanted {
  /** Whether something else is asked for now. */
  take(observation: Observation): boolean;
  /** Endpoints of containers that run, by the keys of their results. */
  checks(): Map<string, EndpointCheck>;
  /** Certificates, each once: those of labels before those that https endpoints lead to. */
  targets(): Map<string, CertificateTarget>;
}

/** What one container asks for. */
interface Asking {
  checks: readonly (readonly [key: string, check: EndpointCheck])[];
  labelled: readonly CertificateTarget[];
  /** Of its https endpoints, also while it does not run. */
  peers: readonly CertificateTarget[];
}

export function createWanted(): Wanted {
  /** Only those that ask for something. */
  const asking = new Map<string, Asking>();
  /** The same for the services of a swarm: this host shows either all of them or none. */
  let services = new Map<string, Asking>();
  /** When each container was seen last: older news say nothing. */
  let seenMs = new Map<string, number>();

  function put(sighting: ContainerSighting, at: Date): boolean {
    const { externalId } = sighting;
    seenMs.set(externalId, at.getTime());
    const next = askingOf(sighting);
    if (next === undefined) return asking.delete(externalId);
    if (JSON.stringify(asking.get(externalId)) === JSON.stringify(next)) return false;
    asking.set(externalId, next);
    return true;
  }

  /** What a manager that does not see its swarm any more asked for last still holds: it may be all that looks. */
  function putServices({ standing, topology }: SwarmSighting): boolean {
    if (topology === null && standing !== "inactive") return false;
    const before = services;
    services = new Map((topology?.services ?? []).flatMap((service) => askingOfService(service)));
    return JSON.stringify([...before]) !== JSON.stringify([...services]);
  }

  return {
    take(observation) {
      switch (observation.kind) {
        case "container.inventory": {
          seenMs = new Map();
          let isNews = false;
          for (const sighting of observation.containers) if (put(sighting, observation.observedAt)) isNews = true;
          for (const externalId of asking.keys()) if (!seenMs.has(externalId) && asking.delete(externalId)) isNews = true;
          return isNews;
        }
        case "container.seen": {
          const { container, observedAt } = observation;
          return observedAt.getTime() >= (seenMs.get(container.externalId) ?? -Infinity) && put(container, observedAt);
        }
        case "container.gone":
          seenMs.delete(observation.externalId);
          return asking.delete(observation.externalId);
        case "swarm.observed":
          return putServices(observation.swarm);
        default:
          return false;
      }
    },
    checks: () => new Map([...asking.values(), ...services.values()].flatMap(({ checks }) => checks)),
    targets() {
      const all = [...asking.values(), ...services.values()];
      const targets = [...all.flatMap(({ labelled }) => labelled), ...all.flatMap(({ peers }) => peers)];
      return new Map(targets.map((target) => [certificateTargetKey(target), target]));
    },
  };
}

function askingOfService(service: SwarmService): [owner: string, Asking][] {
  const endpoints = checksOfService(service);
  const labelled = certificatesOfService(service);
  if (endpoints.length === 0 && labelled.length === 0) return [];
  const owner = serviceCheckOwner(service.id);
  return [[owner, { checks: isServiceProbed(service) ? checksOf(owner, endpoints) : [], labelled, peers: peersOf(endpoints) }]];
}

/** undefined for nothing. */
function askingOf(sighting: ContainerSighting): Asking | undefined {
  const { endpoints, certificates } = askedOf(sighting);
  if (endpoints.length === 0 && certificates.length === 0) return undefined;
  const { externalId, state } = sighting;
  return {
    checks: isProbed(state) ? checksOf(externalId, endpoints) : [],
    labelled: certificates,
    peers: peersOf(endpoints),
  };
}

function checksOf(owner: string, endpoints: readonly LabelledEndpoint[]): Asking["checks"] {
  return endpoints.map(({ labelKey, check }) => [labelEndpointKey(owner, labelKey), check]);
}

function peersOf(endpoints: readonly LabelledEndpoint[]): CertificateTarget[] {
  return endpoints.flatMap(({ check }) => (check.type === "http" ? (tlsPeerOf(check.target) ?? []) : []));
}
