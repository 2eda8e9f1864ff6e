/** How long is waited after each failed attempt but the last. Source: specification, Limits; contract, section 6. */
export const DELIVERY_WAITS_MS: readonly number[] = [30_000, 60_000, 120_000, 240_000];
export const MOST_ATTEMPTS = DELIVERY_WAITS_MS.length + 1;
