import { CONTAINERS, type DemoContainer } from "../world/containers.ts";
import { type Generation, generationsOf } from "../world/generations.ts";
import { type Incident, incidentsOf } from "../world/incidents.ts";

/** The moments that all of the history is placed by. */
export interface Moments {
  /** The start of the demo. */
  nowMs: number;
  /** When the history begins, a year ago. */
  startMs: number;
  /** When the payments service was updated, since when it fails. */
  updatedMs: number;
}

/** A container with its identifier in the database and its past. */
export interface PastContainer {
  id: number;
  container: DemoContainer;
  generations: readonly Generation[];
  incidents: readonly Incident[];
}

/** A time in which something did not work. */
export interface Outage {
  fromMs: number;
  /** Infinity while it continues. */
  untilMs: number;
}

/** How much of a stretch of time was in outages. */
export function overlap(outages: readonly Outage[], fromMs: number, untilMs: number): number {
  return outages.reduce((sum, outage) => sum + Math.max(0, Math.min(outage.untilMs, untilMs) - Math.max(outage.fromMs, fromMs)), 0);
}

export function pastOf(moments: Moments): PastContainer[] {
  return CONTAINERS.map((container, index) => {
    const generations = generationsOf(container, moments);
    return { id: index + 1, container, generations, incidents: incidentsOf(container, generations, moments) };
  });
}
