/** What an image did in a stretch of time; null is what was not observed. */
export interface Figures {
  restartsPerDay: number | null;
  failedChecksPercent: number | null;
  /** Of the checks that succeeded: the mean of the endpoints' medians. */
  responseTimeMs: number | null;
  cpuCoresUsed: number | null;
  memoryBytes: number | null;
}

/** How much stands behind the figures. */
export interface Sizes {
  restarts: number;
  /** In which restarts were counted. */
  days: number;
  checks: number;
  failures: number;
  /** Checks that say how long an answer took. */
  answers: number;
  /** Of measured resources. */
  minutes: number;
}

export interface Observed {
  figures: Figures;
  sizes: Sizes;
}

/** `state`: it does not run, is unhealthy, or restarted soon after the change. */
export const FIGURES = ["state", "restarts", "failed_checks", "response_time", "cpu", "memory"] as const;
export type FigureName = (typeof FIGURES)[number];

/** A figure that differs so much that it means something. */
export interface Change {
  figure: FigureName;
  worse: boolean;
  /** What it is and was. */
  text: string;
}
