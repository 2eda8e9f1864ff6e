/** The frame of every chart, in px: the same for all, so that they stand in line and nothing has to be measured. */
export const FRAME = {
  height: 188,
  /** Left of the drawing: the marks of its values. */
  left: 56,
  right: 8,
  top: 4,
  /** Below it: the marks of time. */
  bottom: 22,
} as const;
