/** A clock that is off by less is left as it is: the answer's way here takes time too. */
const TOLERANCE_MS = 2000;

/** One for the page, since queries read it outside of components. */
let aheadMs = 0;

/** Sets the server's time; returns whether what was read by the clock before is of another time. */
export function correctServerClock(serverTime: string): boolean {
  const offMs = Date.now() - Date.parse(serverTime);
  const nextMs = Math.abs(offMs) > TOLERANCE_MS ? offMs : 0;
  // The way of each answer takes a little more or less.
  if (Math.abs(nextMs - aheadMs) <= TOLERANCE_MS) return false;
  aheadMs = nextMs;
  return true;
}

/** How far this device's clock is ahead of the server's, in milliseconds. */
export function clockAheadMs(): number {
  return aheadMs;
}

/** Milliseconds since the epoch by the server's clock. */
export function serverNow(): number {
  return Date.now() - aheadMs;
}

/** The point in time so long before now by the server's clock, in ISO 8601. */
export function timeAgo(lengthMs: number): string {
  return new Date(serverNow() - lengthMs).toISOString();
}
