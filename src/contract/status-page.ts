/** Source: contract, section 8. */
export const COMPONENT_BOUNDS = { nameLength: 100, descriptionLength: 500, scopeLength: 255, groups: 50, components: 200 } as const;

/** Source: contract, section 8. */
export const INCIDENT_BOUNDS = { titleLength: 255, messageLength: 5000, components: 200, updates: 100, open: 200 } as const;

/** `pending` until the link of the first mail is followed. */
export const SUBSCRIBER_STATUSES = ["pending", "confirmed"] as const;
export type SubscriberStatus = (typeof SUBSCRIBER_STATUSES)[number];

/** Source: specification, Limits; contract, section 8. */
export const SUBSCRIBER_BOUNDS = { emailLength: 254, tokenLength: 43, components: 200, subscribers: 50_000, confirmHours: 24 } as const;

export const STATUS_PAGE_BOUNDS = {
  titleLength: 100,
  descriptionLength: 500,
  logoBytes: 100_000,
  urlLength: 2048,
  domainLength: 253,
} as const;

/** Names of at least two labels, the last with a letter first, so that no address is one. Source: RFC 1123, section 2.1. */
export const DOMAIN_PATTERN = "^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\\.)+[a-zA-Z](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$";

/** What is wrong with the domain of a status page, in any case; undefined when nothing is. */
export function domainFault(text: string): string | undefined {
  if (text.length > STATUS_PAGE_BOUNDS.domainLength) return `Must have at most ${STATUS_PAGE_BOUNDS.domainLength} characters`;
  if (new RegExp(DOMAIN_PATTERN).test(text)) return undefined;
  return DOMAIN_FAULTS.find(([pattern]) => pattern.test(text))?.[1] ?? "Must be a host name such as status.example.com";
}

const DOMAIN_FAULTS: readonly (readonly [pattern: RegExp, message: string])[] = [
  [/^[a-z][a-z0-9+.-]*:\/\//i, "Must not have a scheme: write status.example.com"],
  [/[/?#]/, "Must not have a path: write status.example.com"],
  [/^[\d.]+$|:.*:/, "Must be a host name such as status.example.com, not an IP address"],
  [/:\d*$/, "Must not have a port: write status.example.com"],
  [/[\u0080-\uffff]/, "Must be in its ASCII form, such as xn--bcher-kva.example"],
  [/^[a-z0-9-]+$/i, "Must have a dot, as in status.example.com"],
];
