/** How something was for a while, as a strip shows it. */
export const STRIP_STATES = ["down", "degraded", "up", "stopped", "unknown"] as const;
export type StripState = (typeof STRIP_STATES)[number];

/** A strip has at most so many steps, whatever time it covers. */
export const STRIP_STEPS = 96;

/** A stretch of time in one state, in milliseconds since 1970; the end is not part of it. */
export interface StateSpan {
  from: number;
  to: number;
  state: StripState;
}
