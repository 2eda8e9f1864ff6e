export const CHANNEL_BOUNDS = {
  channels: 200,
  rules: 100,
  nameLength: 255,
  urlLength: 2048,
  /** Of the JSON text. */
  headersLength: 8192,
  headers: 32,
  entityTypeLength: 64,
  entityIdLength: 255,
} as const;

/** Source: contract, section 6. */
export const TRIGGER_BOUNDS = {
  nameLength: 255,
  filterLength: 2000,
  filterItems: 50,
  tagLength: 64,
  channels: 50,
  triggers: 500,
} as const;

/** The bounds of a policy. Source: contract, section 11. */
export const ESCALATION_BOUNDS = {
  policies: 100,
  nameLength: 255,
  levels: 10,
  delaySeconds: { min: 0, max: 86_400 },
  channelsOfLevel: 20,
  tags: 20,
  tagLength: 64,
} as const;

export const WEBHOOK_BOUNDS = {
  nameLength: 255,
  urlLength: 2048,
  secretLength: { min: 16, max: 256 },
  eventTypes: 100,
  eventTypeLength: 100,
  subscriptions: 100,
} as const;

/** How long is waited after each failed attempt but the last. Source: specification, Limits; contract, section 6. */
export const DELIVERY_WAITS_MS: readonly number[] = [30_000, 60_000, 120_000, 240_000];
export const MOST_ATTEMPTS = DELIVERY_WAITS_MS.length + 1;
