import type { ServiceRecord } from "../../../../src/monitoring/swarm/api.ts";
import type { SwarmSearch } from "./search.ts";

export interface ServiceGroup {
  name: string;
  services: ServiceRecord[];
}

/** The services that the filter leaves, in their groups, in the order given. */
export function groupsOf(services: readonly ServiceRecord[], { q }: SwarmSearch): ServiceGroup[] {
  const text = q?.toLowerCase();
  const left = services.filter(
    ({ name, group, image }) => text === undefined || `${name}\n${group}\n${image}`.toLowerCase().includes(text),
  );
  return [...Map.groupBy(left, ({ group }) => group)].map(([name, ofGroup]) => ({ name, services: ofGroup }));
}
