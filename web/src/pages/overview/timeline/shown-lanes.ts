/** Lanes of the timeline until all are asked for: groups in trouble come first. */
export const SHOWN_LANES = 10;
