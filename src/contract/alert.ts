/** Source: contract, section 6. */
export const ALERT_BOUNDS = { personLength: 128, noteLength: 1000, entityTypeLength: 64, entityIdLength: 255 } as const;
