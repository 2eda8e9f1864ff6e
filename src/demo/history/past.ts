import { CONTAINERS, type DemoContainer } from "../world/containers.ts";
import { type Generation, generationsOf } from "../world/generations.ts";
import { type Incident, incidentsOf } from "../world/incidents.ts";
import type { Moments } from "./moments.ts";

/** A container with its identifier in the database and its past. */
export interface PastContainer {
  id: number;
  container: DemoContainer;
  generations: readonly Generation[];
  incidents: readonly Incident[];
}

export function pastOf(moments: Moments): PastContainer[] {
  return CONTAINERS.map((container, index) => {
    const generations = generationsOf(container, moments);
    return { id: index + 1, container, generations, incidents: incidentsOf(container, generations, moments) };
  });
}
