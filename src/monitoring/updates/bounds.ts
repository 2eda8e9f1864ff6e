/** How much is kept of updates at most. */
export const BOUNDS = {
  exclusions: 1000,
  /** Kept of what went wrong in a scan. */
  scanErrors: 200,
  /** Scans that are kept. */
  scans: 100,
  /** Of one update. */
  vulnerabilities: 500,
} as const;
