import { MINUTE_MS } from "../../contract/time.ts";

/** A problem that comes and goes is told once more, and then not until it has been steady. */
export const FLAPPING = { changes: 5, windowMs: 10 * MINUTE_MS } as const;

/** The latest changes of one problem: it began, or was over. */
export interface Flap {
  /** Within the window, in milliseconds, oldest first; no more than it takes to call it flapping. */
  changes: readonly number[];
  flapping: boolean;
  /** The message that says so was sent. */
  notified: boolean;
}

/** After one more change. More than five within ten minutes is flapping, and stays so until it was steady. */
export function countChange(flap: Flap | undefined, at: Date): Flap {
  const nowMs = at.getTime();
  const recent = (flap?.changes ?? []).filter((changeMs) => nowMs - changeMs < FLAPPING.windowMs);
  const changes = [...recent, nowMs].slice(-(FLAPPING.changes + 1));
  const flapping = flap?.flapping === true || changes.length > FLAPPING.changes;
  return { changes, flapping, notified: flap?.notified ?? false };
}

/** Without a change for ten minutes, however often it changed before. */
export function isSteady(flap: Flap, now: Date): boolean {
  return now.getTime() - (flap.changes.at(-1) ?? 0) >= FLAPPING.windowMs;
}
