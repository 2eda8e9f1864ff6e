import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./time.ts";

/** The stretches of time up to now that charts show, shortest first. Source: contract, sections 2 and 5. */
export const RANGE_NAMES = ["1h", "6h", "24h", "7d", "30d"] as const;
export type Range = (typeof RANGE_NAMES)[number];

export const SPANS_MS: Readonly<Record<Range, number>> = {
  "1h": HOUR_MS,
  "6h": 6 * HOUR_MS,
  "24h": DAY_MS,
  "7d": 7 * DAY_MS,
  "30d": 30 * DAY_MS,
};

/** Between two values of what a container or host uses. */
export const RESOURCE_STEPS_MS: Readonly<Record<Range, number>> = {
  "1h": 10 * SECOND_MS,
  "6h": 30 * SECOND_MS,
  "24h": 2 * MINUTE_MS,
  "7d": 15 * MINUTE_MS,
  "30d": HOUR_MS,
};

/** Between two response times of an endpoint. */
export const RESPONSE_STEPS_MS: Readonly<Record<Range, number>> = {
  "1h": 30 * SECOND_MS,
  "6h": 2 * MINUTE_MS,
  "24h": 5 * MINUTE_MS,
  "7d": 30 * MINUTE_MS,
  "30d": 2 * HOUR_MS,
};
