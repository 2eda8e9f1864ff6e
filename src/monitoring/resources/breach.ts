import type { ResourceMetric } from "../../events.ts";

/** A time in which a threshold was exceeded. */
export interface Breach {
  containerId: number;
  metric: ResourceMetric;
  /** Percent, as it was when it fired. */
  threshold: number;
  /** The most in it, percent. */
  peak: number;
  firedAt: Date;
  /** null while it lasts. */
  resolvedAt: Date | null;
}

export type BreachEnd = "below_threshold" | "threshold_changed" | "not_watched";

/** A breach that began, or ended for a reason. */
export interface BreachChange {
  breach: Breach;
  /** null: it began. */
  end: BreachEnd | null;
  /** Percent now; null when it is not known. */
  value: number | null;
  debounceSeconds: number;
  at: Date;
}
