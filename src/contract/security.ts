/** Source: contract, section 10. */
export const SECURITY_BOUNDS = {
  personLength: 128,
  reasonLength: 500,
  keyLength: 64,
  acknowledgments: 10_000,
  /** Kept of the posture, in days. */
  historyDays: 400,
  ranking: 10,
  steps: 20,
} as const;
