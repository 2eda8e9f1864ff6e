import type { Register } from "../../src/monitoring/swarm/register.ts";
import { servicesOf } from "../../src/monitoring/swarm/replicas.ts";

/** What is wrong now, as `alert name severity`. */
export function problemsIn(register: Register): string[] {
  return register.problems().map(({ alert, name, severity }) => `${alert} ${name} ${severity}`);
}

/** How the services are, as `name state running/desired completed`. */
export function statesIn(register: Register): string[] {
  return register
    .clusters()
    .flatMap(({ topology }) => servicesOf(topology))
    .map(({ service, state, running, desired, completed }) => `${service.name} ${state} ${running}/${desired} ${completed}`);
}
