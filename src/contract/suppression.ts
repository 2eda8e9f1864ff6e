/** Source: contract, sections 6 and 8. */
export const SUPPRESSION_BOUNDS = {
  reasonLength: 500,
  personLength: 128,
  eventLength: 64,
  entityTypeLength: 64,
  entityIdLength: 255,
  labelLength: 512,
  titleLength: 255,
  descriptionLength: 2000,
  components: 200,
  entities: 200,
  /** The longest that anything may be suppressed, and how far ahead it may begin. */
  days: 366,
  /** How many may be in force or yet to begin, of each. */
  records: 1000,
  previewed: 100,
} as const;
