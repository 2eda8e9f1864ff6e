import { MINUTE_MS } from "../../contract/time.ts";
import type { Severity } from "../../observations.ts";

/** Restarts further back do not count; as long without a restart ends a loop. Source: contract, section 1. */
export const RESTART_WINDOW_MS = 10 * MINUTE_MS;
/** A loop this many times over the threshold is critical. */
const CRITICAL_FACTOR = 3;
/** The restarts kept of a container, to be counted; more where its threshold needs more to become critical. */
const KEPT = 300;

export interface RestartLoop {
  severity: Severity;
  since: Date;
}

export interface RestartHistory {
  /** Unexpected restarts within the window, oldest first. */
  restarts: readonly Date[];
  loop: RestartLoop | null;
}

export const NO_RESTARTS: RestartHistory = { restarts: [], loop: null };

/** Of two containers of which one takes the place of the other. */
export function joinRestarts(one: RestartHistory, other: RestartHistory): RestartHistory {
  const loops = [one.loop, other.loop].filter((loop) => loop !== null);
  const isCritical = loops.some(({ severity }) => severity === "critical");
  const since = loops.map((loop) => loop.since).sort((a, b) => a.getTime() - b.getTime())[0];
  return {
    restarts: [...one.restarts, ...other.restarts].sort((a, b) => a.getTime() - b.getTime()).slice(-KEPT),
    loop: since === undefined ? null : { severity: isCritical ? "critical" : "warning", since },
  };
}

/**
 * The history after one more unexpected restart. It becomes a loop at `threshold` restarts within 10 minutes, critical at three times
 * as many; a loop never gets milder by another restart.
 */
export function countRestart({ restarts, loop }: RestartHistory, at: Date, threshold: number): RestartHistory {
  const counted = [...within(restarts, at), at].slice(-Math.max(KEPT, threshold * CRITICAL_FACTOR));
  return { restarts: counted, loop: judge(counted, loop, at, threshold) };
}

/**
 * The history as it stands at `now`: old restarts are forgotten, and ten quiet minutes end a loop. Of a container that was re-created they begin
 * anew: while it was not there nothing was seen to be quiet.
 */
export function forgetRestarts({ restarts, loop }: RestartHistory, now: Date, recreatedAt: Date | null): RestartHistory {
  const recent = within(restarts, now);
  const isQuiet = recent.length === 0 && (recreatedAt === null || now.getTime() - recreatedAt.getTime() >= RESTART_WINDOW_MS);
  return { restarts: recent, loop: isQuiet ? null : loop };
}

function within(restarts: readonly Date[], now: Date): Date[] {
  return restarts.filter((restart) => now.getTime() - restart.getTime() < RESTART_WINDOW_MS);
}

function judge(restarts: readonly Date[], loop: RestartLoop | null, at: Date, threshold: number): RestartLoop | null {
  if (restarts.length >= threshold * CRITICAL_FACTOR) return { severity: "critical", since: loop?.since ?? at };
  if (restarts.length >= threshold) return loop ?? { severity: "warning", since: at };
  return loop;
}
