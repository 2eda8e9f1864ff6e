/** The moments that all of the history is placed by. */
export interface Moments {
  /** The start of the demo. */
  nowMs: number;
  /** When the history begins, a year ago. */
  startMs: number;
  /** When the payments service was updated, since when it fails. */
  updatedMs: number;
}
