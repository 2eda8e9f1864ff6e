/** The figures of a container that can have a threshold. */
export const RESOURCE_METRICS = ["cpu", "memory"] as const;
export type ResourceMetric = (typeof RESOURCE_METRICS)[number];

/** When a container uses too much. Source: contract, section 5. */
export const THRESHOLD_BOUNDS = {
  percent: { min: 1, max: 100 },
  debounceSeconds: { min: 0, max: 3600 },
  scopeLength: 255,
  scopes: 1000,
} as const;

export const DEFAULT_THRESHOLDS = { cpu_threshold: 90, memory_threshold: 90, debounce_seconds: 60 } as const;

/** Between two readings of what containers and hosts use. */
export const READING_INTERVAL_MS = 10_000;
/** A host that has reported nothing for so long is not available, and what its containers use is not known. Source: contract, section 5. */
export const HOST_STALE_MS = 35_000;
