import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../contract/time.ts";
import type { DemoContainer } from "./containers.ts";
import type { Generation } from "./generations.ts";
import { noise, seedOf } from "./noise.ts";

/** A time at which a container was not well: it ended and was started again, or its health check failed. */
export interface Incident {
  kind: "crash" | "oom" | "unhealthy";
  fromMs: number;
  untilMs: number;
}

export function exitCodeOf({ kind }: Pick<Incident, "kind">): number {
  return kind === "oom" ? 137 : 1;
}

const WEEK_MS = 7 * DAY_MS;
/** The share of weeks in which something happens to a container. */
const WEEKLY = 0.075;
const SHORTEST_MS = 25 * SECOND_MS;
const LONGEST_MS = 55 * MINUTE_MS;
/** Nothing else happens around an update, and before the outage of today. */
const APART_MS = 2 * HOUR_MS;

/** What happened to a container in the past year, oldest first; apart from each other and from its updates. */
export function incidentsOf(
  { name, fate, hasHealthCheck }: DemoContainer,
  generations: readonly Generation[],
  { startMs, updatedMs }: { startMs: number; updatedMs: number },
): Incident[] {
  if (fate === "completed") return [];
  const seed = seedOf(name);
  const incidents: Incident[] = [];
  for (let week = 0; startMs + (week + 1) * WEEK_MS < updatedMs; week += 1) {
    if (noise(seed, 10, week) > WEEKLY) continue;
    const fromMs = Math.floor(startMs + week * WEEK_MS + noise(seed, 11, week) * (WEEK_MS - 2 * HOUR_MS));
    const untilMs = fromMs + Math.floor(SHORTEST_MS + noise(seed, 12, week) ** 3 * (LONGEST_MS - SHORTEST_MS));
    const isNear = generations.some(({ createdMs }) => createdMs > fromMs - APART_MS && createdMs < untilMs + APART_MS);
    if (isNear || untilMs > updatedMs - APART_MS) continue;
    const drawn = noise(seed, 13, week);
    incidents.push({ kind: hasHealthCheck && drawn < 0.5 ? "unhealthy" : drawn < 0.7 ? "crash" : "oom", fromMs, untilMs });
  }
  return incidents;
}
