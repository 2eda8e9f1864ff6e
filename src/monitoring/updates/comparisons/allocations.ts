import type { ContainerReadings } from "../../../observations.ts";

/**
 * How many CPUs containers may use. What is kept over time is the share of those, so that a container with other limits than the one before it could
 * not be held against it.
 */
export interface Allocations {
  /** Learns from a tick; `idOf` answers who is meant by an external id. */
  learn(readings: ContainerReadings, idOf: (externalId: string) => number | undefined): void;
  get(containerId: number): number | null;
  /** Forgets all but these. */
  keep(isWanted: (containerId: number) => boolean): void;
}

/** Of a CPU share below this the quotient is mostly rounding; at the top it may have been cut. */
const LEAST_PERCENT = 0.05;
const MOST_PERCENT = 99.5;
const MOST_KNOWN = 20_000;

export function createAllocations(): Allocations {
  const known = new Map<number, number>();
  return {
    learn({ externalIds, columns }, idOf) {
      for (const [place, externalId] of externalIds.entries()) {
        const percent = columns.cpuPercent[place] ?? Number.NaN;
        const cores = columns.cpuCoresUsed[place] ?? Number.NaN;
        if (!(percent > LEAST_PERCENT && percent < MOST_PERCENT && cores > 0)) continue;
        const id = idOf(externalId);
        if (id !== undefined && (known.has(id) || known.size < MOST_KNOWN)) known.set(id, Math.round((cores / percent) * 100_000) / 1000);
      }
    },
    get: (containerId) => known.get(containerId) ?? null,
    keep(isWanted) {
      for (const id of known.keys()) if (!isWanted(id)) known.delete(id);
    },
  };
}
