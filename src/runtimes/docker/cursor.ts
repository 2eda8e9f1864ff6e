const NS_PER_SECOND = 1_000_000_000n;

/** Cursors are times of the engine's clock to the nanosecond, written as the engine takes them: seconds, a point, nine digits. Inclusive. */
export function cursorAt(timeNs: bigint): string {
  return `${timeNs / NS_PER_SECOND}.${String(timeNs % NS_PER_SECOND).padStart(9, "0")}`;
}

/** Where to resume once everything up to a time was told. */
export function cursorAfter(timeNs: bigint): string {
  return cursorAt(timeNs + 1n);
}

/** A time, or a cursor, as the engine's `since`. */
export function sinceParameter(since: string | Date): string {
  return typeof since === "string" ? since : cursorAt(BigInt(since.getTime()) * 1_000_000n);
}
