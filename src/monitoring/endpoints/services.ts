import { checksOfService, isServiceProbed, serviceCheckOwner, serviceOfCheckOwner, type SwarmService } from "../../observations/swarm.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Serial } from "../../platform/queues.ts";
import { type SavedEndpoint, alertsOf } from "./endpoint.ts";
import type { Projection } from "./projection.ts";
import { deactivated, reconcile, type Step } from "./definition.ts";
import { ONE_BY_ONE, type Register } from "./register.ts";

/** The services of a swarm that a manager shows. */
export interface ShownServices {
  /** Whose checks of them count. */
  agentId: string | null;
  /** Hosts that are part of the swarm: what one of them checked for a service that is not shown is over. */
  hosts: readonly (string | null)[];
  services: readonly SwarmService[];
  /** Whether the swarm may change the endpoints of a service, as far as there are any: `holders` have checked them so far. */
  mayTake(serviceId: string, holders: readonly (string | null)[]): boolean;
}

export interface ServiceEndpoints {
  /** Makes the endpoints of services what their labels ask for. Throws `storage_unavailable`; idempotent. */
  followServices(shown: ShownServices): Promise<void>;
}

export interface ServiceEndpointsParts {
  projection: Pick<Projection, "all">;
  register: Pick<Register, "change">;
  clock: Clock;
  serial: Serial;
}

/** Endpoints that labels of services ask for: each is checked once, by the host whose manager shows the swarm. */
export function createServiceEndpoints({ projection, register, clock, serial }: ServiceEndpointsParts): ServiceEndpoints {
  function ofServices(): Map<string, SavedEndpoint[]> {
    const known = new Map<string, SavedEndpoint[]>();
    for (const endpoint of projection.all()) {
      const id = endpoint.container === null ? undefined : serviceOfCheckOwner(endpoint.container.externalId);
      if (id !== undefined) known.set(id, [...(known.get(id) ?? []), endpoint]);
    }
    return known;
  }

  function stepsTo({ agentId, hosts, services, mayTake }: ShownServices): Step[] {
    const known = ofServices();
    const now = clock.now();
    const steps: Step[] = [];
    for (const service of services) {
      const { id, name, labels } = service;
      const endpoints = checksOfService(service);
      const before = known.get(id) ?? [];
      known.delete(id);
      if (before.length === 0 && endpoints.length === 0) continue;
      const holders = before.map((each) => each.agentId);
      if (!mayTake(id, holders)) continue;
      const container = { externalId: serviceCheckOwner(id), id: null, name, labels, running: isServiceProbed(service) };
      steps.push(...reconcile(before, { agentId, container, alerts: alertsOf(service), endpoints }, now));
    }
    for (const previous of [...known.values()].flat())
      if (previous.inactiveSince === null && hosts.includes(previous.agentId)) steps.push({ previous, next: deactivated(previous, now) });
    return steps;
  }

  return {
    followServices: (shown) =>
      serial(ONE_BY_ONE, async () => {
        const steps = stepsTo(shown);
        if (steps.length > 0) await register.change(steps, clock.now());
      }),
  };
}
