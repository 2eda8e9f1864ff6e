export const WEBHOOK_BOUNDS = {
  nameLength: 255,
  urlLength: 2048,
  secretLength: { min: 16, max: 256 },
  eventTypes: 100,
  eventTypeLength: 100,
  subscriptions: 100,
} as const;
