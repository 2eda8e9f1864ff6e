import type { History } from "../../../src/monitoring/resources/api.ts";

export type Range = History["range"];

/** The spans of history, shortest first. Source: contract, section 5. */
export const RANGE_NAMES = ["1h", "6h", "24h", "7d", "30d"] as const satisfies readonly Range[];

export const SPANS_MS: Readonly<Record<Range, number>> = {
  "1h": 3_600_000,
  "6h": 21_600_000,
  "24h": 86_400_000,
  "7d": 604_800_000,
  "30d": 2_592_000_000,
};
