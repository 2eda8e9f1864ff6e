/** Source: contract, section 8. */
export const COMPONENT_BOUNDS = { nameLength: 100, descriptionLength: 500, scopeLength: 255, groups: 50, components: 200 } as const;

/** Source: contract, section 8. */
export const INCIDENT_BOUNDS = { titleLength: 255, messageLength: 5000, components: 200, updates: 100, open: 200 } as const;

/** `pending` until the link of the first mail is followed. */
export const SUBSCRIBER_STATUSES = ["pending", "confirmed"] as const;
export type SubscriberStatus = (typeof SUBSCRIBER_STATUSES)[number];

/** Source: specification, Limits; contract, section 8. */
export const SUBSCRIBER_BOUNDS = { emailLength: 254, tokenLength: 43, components: 200, subscribers: 50_000, confirmHours: 24 } as const;

export const STATUS_PAGE_BOUNDS = { titleLength: 100, descriptionLength: 500, logoBytes: 100_000, urlLength: 2048 } as const;
