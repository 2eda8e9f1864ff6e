import type { Clock } from "../../platform/clock.ts";
import type { Times } from "./heartbeat.ts";
import type { Timetable } from "./schedule.ts";

/** Longer between two looks at the clock, and this program or its machine was asleep. */
const ASLEEP_MS = 15_000;

/** Since when pings could arrive. */
export interface Serving {
  /** For the rules, as of now. */
  times(): Times;
  /** Pings could not arrive until now: begins anew. */
  begin(): void;
  /** To be called every second or so; true when it was not, or when the clock was set forward: then pings could not arrive, or it seems so. */
  wasAway(): boolean;
}

export function createServing(clock: Clock, expect: Timetable): Serving {
  let times: Times = { expect, servingSince: clock.now() };
  let looked = lookAt(clock);
  return {
    times: () => times,
    begin() {
      looked = lookAt(clock);
      times = { expect, servingSince: clock.now() };
    },
    wasAway() {
      const before = looked;
      looked = lookAt(clock);
      return Math.max(looked.wallMs - before.wallMs, looked.monotonicMs - before.monotonicMs) > ASLEEP_MS;
    },
  };
}

function lookAt(clock: Clock): { wallMs: number; monotonicMs: number } {
  return { wallMs: clock.now().getTime(), monotonicMs: clock.monotonicMs() };
}
