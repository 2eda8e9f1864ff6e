import { MINUTE_MS } from "./time.ts";

/** What a definition may contain in addition to check-settings.ts; the same for labels and bodies. Source: contract, sections 1 and 2. */
export const ENDPOINT_BOUNDS = {
  interval: { min: 5, max: 86_400, default: 30 },
  timeout: { min: 1, max: 60, default: 10 },
  name: 255,
  text: 255,
  headers: 50,
  statuses: 20,
} as const;

export const CHECK_METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] as const;

/** From worst to best, as lists have them. Source: contract, section 2. */
export const ENDPOINT_STATUSES = ["down", "degraded", "unknown", "up"] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** What was well and is not observed for so long is not called well. Source: contract, section 19, Public page. */
export const UNOBSERVED_AFTER_MS = 5 * MINUTE_MS;
/** A check is valid until the next one is overdue. */
export const VALID_INTERVALS = 2;

/**
 * Whether a status is only the last known: for too long no check could see the endpoint, as without a network. Both times are of the clock of its
 * host, which may differ from all others.
 */
export function isLastKnown({ checkedMs, observedMs, intervalMs }: { checkedMs: number; observedMs: number; intervalMs: number }): boolean {
  const ageMs = checkedMs - observedMs;
  return ageMs >= UNOBSERVED_AFTER_MS && ageMs > VALID_INTERVALS * intervalMs;
}

/** How it is checked. */
export const ENDPOINT_TYPES = ["http", "tcp"] as const;
export type EndpointType = (typeof ENDPOINT_TYPES)[number];

/** Why it is checked: a label asks for it, or it was added. */
export const ENDPOINT_SOURCES = ["label", "standalone"] as const;
export type EndpointSource = (typeof ENDPOINT_SOURCES)[number];

/** So many of the last checks are drawn beside an endpoint. */
export const SPARKLINE_CHECKS = 30;

/** Source: RFC 9110, section 5.6.2. */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Those that frame a message or belong to its connection are the client's own. Source: RFC 9110, section 7.6.1. */
export const OWN_HEADERS = /^(?:connection|content-length|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;
/** A status, or a class of them. */
export const EXPECTED_STATUS = /^[1-5](?:[0-9][0-9]|[xX][xX])$/;
export const DEFAULT_EXPECTED_STATUS = "2xx";
