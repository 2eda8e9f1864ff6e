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

const MAX_KEPT = 20_000;

/** How often problems changed lately, in memory: after a restart they count as steady. */
export interface Flaps {
  get(key: string): Flap | undefined;
  keep(key: string, flap: Flap, agentId: string | null): void;
  /** Forgets those that have been steady; answers whether one of them flapped. */
  forgetSteady(now: Date): boolean;
  forgetHost(agentId: string): void;
}

export function createFlaps(): Flaps {
  // The one that changed last is the last one.
  const flaps = new Map<string, { flap: Flap; agentId: string | null }>();
  return {
    get: (key) => flaps.get(key)?.flap,
    keep(key, flap, agentId) {
      flaps.delete(key);
      flaps.set(key, { flap, agentId });
      if (flaps.size <= MAX_KEPT) return;
      const [oldest] = flaps.keys();
      if (oldest !== undefined) flaps.delete(oldest);
    },
    forgetSteady(now) {
      let flapped = false;
      for (const [key, { flap }] of flaps) {
        if (!isSteady(flap, now)) continue;
        flaps.delete(key);
        flapped ||= flap.flapping;
      }
      return flapped;
    },
    forgetHost(agentId) {
      for (const [key, kept] of flaps) if (kept.agentId === agentId) flaps.delete(key);
    },
  };
}
