/** Source: contract, section 9. */
export const UPDATE_BOUNDS = {
  reasonLength: 500,
  patternLength: 255,
} as const;

/** As lists have them: what can be done first. */
export const UPDATE_STATUSES = ["available", "pinned", "excluded", "unknown", "up_to_date"] as const;

/** From the largest step to the smallest; `digest` is the same tag with another content. */
export const UPDATE_TYPES = ["major", "minor", "patch", "digest"] as const;
