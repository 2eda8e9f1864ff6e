/** How many lines of a log are read at once. */
export const LOG_LINES = { min: 1, max: 1000, default: 100 } as const;

/** A filter of levels: what is at least so serious. Lines that name no level pass `info` alone. */
export const LOG_LEVEL_FILTERS = ["error", "warn", "info"] as const;

/** What a line was written to. */
export const LOG_STREAMS = ["stdout", "stderr"] as const;
export type LogStream = (typeof LOG_STREAMS)[number];
