/** How long texts may be; the server's schemas have the last word. */
export const LIMITS = {
  name: 100,
  description: 500,
  incidentTitle: 255,
  incidentMessage: 5000,
  pageTitle: 100,
  url: 2048,
  logoBytes: 100_000,
} as const;
