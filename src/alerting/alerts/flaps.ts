import { type Flap, isSteady } from "./flapping.ts";

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
