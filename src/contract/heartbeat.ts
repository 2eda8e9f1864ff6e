/** The bounds of a heartbeat's settings. Source: contract, section 3. */
export const HEARTBEAT_BOUNDS = {
  nameLength: 255,
  intervalSeconds: { min: 30, max: 31_536_000 },
  graceSeconds: { min: 0, max: 604_800 },
  maxRuntimeSeconds: { min: 1, max: 31_536_000 },
  cronLength: 200,
  tags: 20,
  tagLength: 64,
} as const;

export const HEARTBEAT_DEFAULTS = { grace_seconds: 300, timezone: "UTC" } as const;

/** How much of a ping's body is kept. Source: contract, section 3. */
export const KEPT_BODY_BYTES = 10_240;

/** As menus list them. */
export const HEARTBEAT_STATUSES = ["down", "started", "up", "new", "paused"] as const;
