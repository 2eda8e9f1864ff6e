import { MINUTE_MS } from "../../../contract/time.ts";
import type { ContainerReadings } from "../../../observations.ts";
import { RESOURCE_FAMILY } from "../../resources/index.ts";
import type { Span } from "./comparison.ts";

/** The series of containers' resources, as far as they are needed here. */
export interface UsageSeries {
  read(query: { id: number; fromMs: number; toMs: number; stepMs: number }): Promise<readonly { readonly mean: Float64Array }[]>;
}

/** What containers used in a stretch of time; null is what was not measured. */
export interface Usage {
  cpuPercent: number | null;
  memoryBytes: number | null;
  /** Of memory; of CPU there may be fewer. */
  minutes: number;
}

const STEP_MS = MINUTE_MS;

/** The means of what containers used that ran one after another, by the minute. */
export async function usageOf(series: UsageSeries, containerIds: readonly number[], { fromMs, toMs }: Span): Promise<Usage> {
  const query = { fromMs: Math.ceil(fromMs / STEP_MS) * STEP_MS, toMs: Math.floor(toMs / STEP_MS) * STEP_MS, stepMs: STEP_MS };
  const cpu = createMean();
  const memory = createMean();
  if (query.toMs > query.fromMs) {
    for (const id of containerIds) {
      const columns = await series.read({ id, ...query });
      cpu.add(columns[placeOf("cpu_percent")]?.mean);
      memory.add(columns[placeOf("memory_bytes")]?.mean);
    }
  }
  return { cpuPercent: cpu.value(), memoryBytes: memory.value(), minutes: memory.count() };
}

function placeOf(column: string): number {
  return RESOURCE_FAMILY.columns.findIndex(({ name }) => name === column);
}

/** Of what is a number. */
function createMean(): { add(values: Float64Array | undefined): void; value(): number | null; count(): number } {
  let sum = 0;
  let count = 0;
  return {
    add(values) {
      for (const value of values ?? []) {
        if (Number.isNaN(value)) continue;
        sum += value;
        count += 1;
      }
    },
    value: () => (count === 0 ? null : sum / count),
    count: () => count,
  };
}

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
