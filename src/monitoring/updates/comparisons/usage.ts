import { MINUTE_MS } from "../../../contract/time.ts";
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
