/** Between two readings of what containers and hosts use. */
export const READING_INTERVAL_MS = 10_000;
/** A host that has not been heard of for so long is not available, and what its containers use is not known. Source: contract, section 5. */
export const HOST_STALE_MS = 35_000;
