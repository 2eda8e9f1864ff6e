/** What a definition may say besides check-settings.ts; the same for labels and bodies. Source: contract, sections 1 and 2. */
export const ENDPOINT_BOUNDS = {
  interval: { min: 5, max: 86_400, default: 30 },
  timeout: { min: 1, max: 60, default: 10 },
  name: 255,
  text: 255,
  headers: 50,
  statuses: 20,
} as const;

export const CHECK_METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] as const;

/** So many of the last checks are drawn beside an endpoint. */
export const SPARKLINE_CHECKS = 30;

/** Source: RFC 9110, section 5.6.2. */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Those that frame a message or belong to its connection are the client's own. Source: RFC 9110, section 7.6.1. */
export const OWN_HEADERS = /^(?:connection|content-length|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;
/** A status, or a class of them. */
export const EXPECTED_STATUS = /^[1-5](?:[0-9][0-9]|[xX][xX])$/;
export const DEFAULT_EXPECTED_STATUS = "2xx";
