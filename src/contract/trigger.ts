/** Source: contract, section 6. */
export const TRIGGER_BOUNDS = {
  nameLength: 255,
  filterLength: 2000,
  filterItems: 50,
  tagLength: 64,
  channels: 50,
  triggers: 500,
} as const;
