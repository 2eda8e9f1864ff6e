import type { ResourceMetric } from "../../events.ts";

export const METRICS: readonly ResourceMetric[] = ["cpu", "memory"];

/** What somebody wants to hear of. Percent of what is allocated; null is off. Source: specification, Container resource alert thresholds. */
export interface Thresholds {
  cpu: number | null;
  memory: number | null;
  debounceSeconds: number;
}

/** Thresholds as a body spells them. */
export function readThresholds(body: {
  cpu_threshold: number | null;
  memory_threshold: number | null;
  debounce_seconds: number;
}): Thresholds {
  return { cpu: body.cpu_threshold, memory: body.memory_threshold, debounceSeconds: body.debounce_seconds };
}

/** How one figure of one container stands to its threshold. */
export interface ThresholdState {
  /** Exceeded for the whole debounce, and not yet back for as long. */
  fired: boolean;
  /** Since when it has been on the other side, without a break; null while it is not. */
  pendingSinceMs: number | null;
  /** The most since it went above; null while it is not above. */
  peak: number | null;
  /** The last sample; null when none is known. */
  lastMs: number | null;
}

export interface Step {
  state: ThresholdState;
  change: "fired" | "cleared" | undefined;
}

/** Beyond this nobody knows what was between two samples. Source: contract, section 5. */
export const LONGEST_GAP_MS = 35_000;

export const NOT_EXCEEDED: ThresholdState = { fired: false, pendingSinceMs: null, peak: null, lastMs: null };

/**
 * One sample more. Fires when the value was strictly above the threshold for the whole debounce, clears when it was at or below for as long. A
 * sample without a value, and a gap, break what was pending; what has fired stays until something says otherwise. A sample that is not
 * newer changes nothing. Values in percent, times in milliseconds.
 */
export function stepThreshold(
  state: ThresholdState,
  { value, atMs }: { value: number | null; atMs: number },
  { threshold, debounceMs }: { threshold: number; debounceMs: number },
): Step {
  if (state.lastMs !== null && atMs <= state.lastMs) return { state, change: undefined };
  const { fired } = state;
  if (value === null) return { state: { fired, pendingSinceMs: null, peak: fired ? state.peak : null, lastMs: atMs }, change: undefined };

  const unbroken = state.lastMs !== null && atMs - state.lastMs <= LONGEST_GAP_MS;
  const pendingSinceMs = unbroken ? state.pendingSinceMs : null;
  const above = value > threshold;
  const peakBefore = fired || pendingSinceMs !== null ? state.peak : null;
  const peak = above ? Math.max(peakBefore ?? value, value) : fired ? peakBefore : null;

  if (above === fired) return { state: { fired, pendingSinceMs: null, peak, lastMs: atMs }, change: undefined };
  const sinceMs = pendingSinceMs ?? atMs;
  if (atMs - sinceMs < debounceMs) return { state: { fired, pendingSinceMs: sinceMs, peak, lastMs: atMs }, change: undefined };
  return above
    ? { state: { fired: true, pendingSinceMs: null, peak, lastMs: atMs }, change: "fired" }
    : { state: { ...NOT_EXCEEDED, lastMs: atMs }, change: "cleared" };
}
