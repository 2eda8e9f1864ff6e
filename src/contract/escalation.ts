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
