/** How many lines of a log are read at once. */
export const LOG_LINES = { min: 1, max: 1000, default: 100 } as const;
