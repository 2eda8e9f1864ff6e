import { type Range, RESOURCE_STEPS_MS, SPANS_MS } from "../../contract/ranges.ts";
import type { Clock } from "../../platform/clock.ts";
import type { History } from "./answers.ts";
import type { Breach } from "./breach.ts";
import { COLUMN, type KeptColumn } from "./family.ts";
import { percent, whole } from "./snapshot.ts";
import type { ResourceStore, SeriesFigures, SeriesStore } from "./store.ts";
import type { ThresholdWatch } from "./thresholds.ts";

/** What was used, over a range up to now. */
export interface ResourceHistory {
  /** On a whole grid of steps, the last of them under way; null where nothing was measured. */
  of(containerId: number, range: Range): Promise<History>;
}

export function createHistory({
  series,
  store,
  thresholds,
  clock,
}: {
  series: SeriesStore;
  store: ResourceStore;
  thresholds: Pick<ThresholdWatch, "breach">;
  clock: Clock;
}): ResourceHistory {
  /** With the most until now, while it lasts. */
  function breachRecord(breach: Breach): History["breaches"][number] {
    const lasting = breach.resolvedAt === null ? thresholds.breach(breach.containerId, breach.metric) : null;
    return {
      metric: breach.metric,
      threshold: breach.threshold,
      peak: lasting?.peak ?? breach.peak,
      fired_at: breach.firedAt.toISOString(),
      resolved_at: breach.resolvedAt?.toISOString() ?? null,
    };
  }

  const timestamps = new Map<Range, { fromMs: number; texts: string[] }>();

  /** The same for everyone until the next step. */
  function timestampsOf(range: Range, fromMs: number): string[] {
    const made = timestamps.get(range);
    if (made?.fromMs === fromMs) return made.texts;
    const stepMs = RESOURCE_STEPS_MS[range];
    const texts = Array.from({ length: SPANS_MS[range] / stepMs }, (_, index) => new Date(fromMs + index * stepMs).toISOString());
    timestamps.set(range, { fromMs, texts });
    return texts;
  }

  return {
    async of(containerId, range) {
      const stepMs = RESOURCE_STEPS_MS[range];
      const toMs = (Math.floor(clock.now().getTime() / stepMs) + 1) * stepMs;
      const fromMs = toMs - SPANS_MS[range];
      const [figures, breaches] = await Promise.all([
        series.read({ id: containerId, fromMs, toMs, stepMs }),
        store.breaches(containerId, { from: new Date(fromMs), to: new Date(toMs) }),
      ]);
      const numbers = (column: KeptColumn, of: keyof SeriesFigures, rounded: (value: number) => number | null): (number | null)[] =>
        listOf(figures[COLUMN[column]]?.[of], rounded);
      return {
        container_id: containerId,
        range,
        step_seconds: stepMs / 1000,
        series: {
          timestamps: timestampsOf(range, fromMs),
          cpu_percent: numbers("cpu_percent", "mean", percent),
          cpu_percent_max: numbers("cpu_percent", "max", percent),
          memory_bytes: numbers("memory_bytes", "mean", whole),
          memory_bytes_max: numbers("memory_bytes", "max", whole),
          memory_limit_bytes: numbers("memory_limit_bytes", "mean", whole),
          network_rx_bytes_per_second: numbers("network_rx_bytes_per_second", "mean", whole),
          network_tx_bytes_per_second: numbers("network_tx_bytes_per_second", "mean", whole),
          disk_read_bytes_per_second: numbers("disk_read_bytes_per_second", "mean", whole),
          disk_write_bytes_per_second: numbers("disk_write_bytes_per_second", "mean", whole),
        },
        breaches: breaches.map(breachRecord),
      };
    },
  };
}

/** By hand: the iterator of a typed array takes ten times as long. */
function listOf(values: Float64Array | undefined, rounded: (value: number) => number | null): (number | null)[] {
  const list: (number | null)[] = [];
  for (let index = 0; index < (values?.length ?? 0); index += 1) list.push(rounded(values?.[index] ?? Number.NaN));
  return list;
}
