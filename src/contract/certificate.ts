/** Source: contract, section 4. */
export const CERTIFICATE_BOUNDS = {
  interval: { min: 60, max: 604_800, default: 60 },
  thresholds: [30, 14, 7, 3, 1],
  mostThresholds: 10,
  mostDays: 365,
} as const;

/** From worst to best, as menus list them. */
export const CERTIFICATE_STATUSES = ["expired", "chain_invalid", "unreachable", "expiring", "unknown", "valid"] as const;

/** Why it is watched: it was added, an endpoint presents it, or a label asks for it. */
export const CERTIFICATE_SOURCES = ["standalone", "endpoint", "label"] as const;
export type CertificateSource = (typeof CERTIFICATE_SOURCES)[number];
