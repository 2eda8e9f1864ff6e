/** When a container uses too much. Source: contract, section 5. */
export const THRESHOLD_BOUNDS = { percent: { min: 1, max: 100 }, debounceSeconds: { min: 0, max: 3600 } } as const;

export const DEFAULT_THRESHOLDS = { cpu_threshold: 90, memory_threshold: 90, debounce_seconds: 60 } as const;
