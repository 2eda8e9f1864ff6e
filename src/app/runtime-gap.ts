import type { SavedContainer } from "../monitoring/containers/index.ts";

/** What is needed of a container here. */
export type SeenContainer = Pick<
  SavedContainer,
  "id" | "agentId" | "name" | "state" | "stopRequested" | "startedAt" | "lastStateChangeAt" | "lastObservedAt"
> & { settings: { ignored: boolean } };

/** An engine that stops ends its containers first, each within its own stop timeout. */
const ENDS_BEFORE_MS = 15_000;

/** A time in which the engine of a host was not seen, by the clock of the host. */
export interface RuntimeGap {
  lostAt: Date;
  /** What ended from here on may have ended with the engine. */
  from: Date;
  /** null while it lasts. */
  backAt: Date | null;
  /** The containers that a gap must have stopped or restarted before it counts: more where only a missing connection suggests it. */
  least: number;
}

/** The engine did not answer. */
export function gapOfLoss(lostAt: Date): RuntimeGap {
  return { lostAt, from: new Date(lostAt.getTime() - ENDS_BEFORE_MS), backAt: null, least: 1 };
}

/** Nothing was seen of the host, for whatever reason: it may have been restarted. */
export function gapOfSilence(lastSeen: Date, backAt: Date): RuntimeGap {
  return { lostAt: lastSeen, from: lastSeen, backAt, least: 3 };
}

/**
 * The containers that ended with the engine and have not run since; none when one of the host ran through it. An engine that comes back stops what
 * outlived it, which looks as if somebody had asked for it; nobody can ask while it is away.
 */
export function stoppedIn(gap: RuntimeGap, ofHost: readonly SeenContainer[]): SeenContainer[] {
  const ranThrough = ofHost.some(({ state, startedAt }) => isAlive(state) && startedAt !== null && startedAt <= gap.lostAt);
  if (ranThrough) return [];
  const isWithin = (at: Date): boolean => at > gap.from && (gap.backAt === null || at <= gap.backAt);
  const isAsked = ({ stopRequested, lastStateChangeAt }: SeenContainer): boolean => stopRequested && lastStateChangeAt <= gap.lostAt;
  const stopped = ofHost.filter((container) => {
    const { state, settings, lastStateChangeAt } = container;
    return (state === "exited" || state === "dead") && !isAsked(container) && !settings.ignored && isWithin(lastStateChangeAt);
  });
  const restarted = ofHost.filter(({ state }) => isAlive(state));
  return stopped.length + restarted.length >= gap.least ? stopped : [];
}

function isAlive(state: SeenContainer["state"]): boolean {
  return state === "running" || state === "paused";
}
