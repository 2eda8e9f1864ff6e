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
