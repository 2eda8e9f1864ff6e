/** Source: contract, section 9. */
export const UPDATE_BOUNDS = {
  reasonLength: 500,
  patternLength: 255,
} as const;
