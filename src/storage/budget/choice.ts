import { DAY_MS } from "../../contract/time.ts";

/** Something of which the oldest may go, and how old that is. */
export interface Candidate {
  worthMs: number;
  oldestMs: number | null;
}

/** Nothing that is younger goes, however small the limit. */
export const YOUNGEST_MS = DAY_MS;

/** Of which the oldest is missed least: it is the most times as old as its worth. Undefined when all is younger than a day. */
export function leastMissed<Each extends Candidate>(candidates: readonly Each[], nowMs: number): Each | undefined {
  let least: { candidate: Each; timesWorth: number } | undefined;
  for (const candidate of candidates) {
    if (candidate.oldestMs === null || candidate.oldestMs >= nowMs - YOUNGEST_MS) continue;
    const timesWorth = (nowMs - candidate.oldestMs) / candidate.worthMs;
    if (least === undefined || timesWorth > least.timesWorth) least = { candidate, timesWorth };
  }
  return least?.candidate;
}
