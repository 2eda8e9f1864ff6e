import { MINUTE_MS } from "../../contract/time.ts";
import type { RunStatus } from "./answers.ts";
import type { Level, Plan } from "./policy.ts";

/** The execution of a policy for one alert. Source: specification, Escalation run. */
export interface Run {
  id: number;
  alertId: number;
  policyId: number;
  plan: Plan;
  status: RunStatus;
  /** How many levels were dispatched, which is the index of the next one. */
  levelIndex: number;
  startedAt: Date;
  /** null when it is not paused. */
  pausedAt: Date | null;
  /** When the cause of the pause ends, as far as that is known. */
  pausedUntil: Date | null;
  /** The length of the pauses that are over, reduced by how far the clock was set back. */
  pausedMs: number;
  /** When the next level is due, or the end after the last one. Unchanged while the run is paused; null when it is over. */
  nextAt: Date | null;
  endedAt: Date | null;
}

/** What a run depends on at one moment: the edition, maintenance and silences. */
export interface World {
  now: Date;
  /** Whether the edition grants escalation. */
  granted: boolean;
  alert: "open" | "acknowledged" | "resolved";
  /** Until when maintenance covers the entity at a moment that is not after now; undefined when it does not. */
  maintainedUntil(at: Date): Date | undefined;
  /** The same for a silence that matches the alert. */
  silencedUntil(at: Date): Date | undefined;
}

/** A change of a run. The steps `level` and `exhausted` notify the channels of that level. */
export type Step =
  | { what: "level" | "exhausted"; next: Run; levelIndex: number; channelIds: readonly number[] }
  | { what: "paused" | "resumed" | "stopped" | "put_off"; next: Run };

/** Why a run ends before its last level. */
export type Stop = Extract<RunStatus, `stopped_by_${string}`>;

/** The time to react to a policy of one level without a delay. */
const SHORTEST_LAST_WAIT_MS = MINUTE_MS;
/** Synchronised clocks are set back by less than this. */
const NOTICED_MS = 1000;
/** How many windows and silences may follow each other without a gap; for more of them the run is looked at again. */
const MOST_PAUSES = 100;

/** The cause of a pause. */
interface Pause {
  status: "paused_by_maintenance" | "paused_by_silence";
  until: Date;
}

export function begin({ alertId, policyId, plan }: Pick<Run, "alertId" | "policyId" | "plan">, now: Date): Omit<Run, "id"> {
  const run = {
    alertId,
    policyId,
    plan,
    status: "active" as const,
    levelIndex: 0,
    startedAt: now,
    pausedAt: null,
    pausedUntil: null,
    pausedMs: 0,
    endedAt: null,
  };
  return { ...run, nextAt: levelTime(run) };
}

export function isLive({ status }: Pick<Run, "status">): boolean {
  return status === "active" || isPaused(status);
}

function isPaused(status: RunStatus): status is Pause["status"] {
  return status === "paused_by_maintenance" || status === "paused_by_silence";
}

/** When a run must be looked at again without an event; null when never. */
export function dueAt(run: Omit<Run, "id">): Date | null {
  return isPaused(run.status) ? run.pausedUntil : run.nextAt;
}

/** The next step of a run at a moment, one at a time; undefined when there is none now. */
export function advance(run: Run, world: World): Step | undefined {
  if (!isLive(run)) return undefined;
  const stop = stopOf(world);
  if (stop !== undefined) return { what: "stopped", next: end(run, stop, world.now) };
  if (isPaused(run.status)) return resumeOrWait(run, world);
  const aheadMs = run.startedAt.getTime() + run.pausedMs - world.now.getTime();
  if (aheadMs > NOTICED_MS) return { what: "put_off", next: broughtForward(run, aheadMs) };
  const pause = pauseAt(world, world.now);
  if (pause !== undefined) return { what: "paused", next: { ...pausedBy(run, pause), pausedAt: world.now } };
  if (run.nextAt === null || run.nextAt > world.now) return undefined;
  const level = run.plan.levels[run.levelIndex];
  return level === undefined ? exhaust(run, world.now) : dispatch(run, level, world.now);
}

/** A run that began after now began before the clock was set back. Its next level is due as if it had just begun. */
function broughtForward(run: Run, aheadMs: number): Run {
  const nextAt = run.nextAt === null ? null : new Date(run.nextAt.getTime() - aheadMs);
  return { ...run, pausedMs: run.pausedMs - aheadMs, nextAt };
}

/** Ends a run; one that is over stays as it is. */
export function end(run: Run, status: Stop, now: Date): Run {
  return isLive(run) ? over(run, status, now) : run;
}

function over(run: Run, status: RunStatus, now: Date): Run {
  return { ...run, status, pausedAt: null, pausedUntil: null, nextAt: null, endedAt: now };
}

function stopOf({ granted, alert }: World): Stop | undefined {
  if (alert === "resolved") return "stopped_by_resolution";
  if (alert === "acknowledged") return "stopped_by_ack";
  return granted ? undefined : "stopped_by_edition_downgrade";
}

/** The pause counts up to the end of its cause, even if that is noticed later because the program was stopped. */
function resumeOrWait(run: Run, world: World): Step | undefined {
  const { now } = world;
  const until = run.pausedUntil ?? now;
  if (until > now) {
    const pause = pauseAt(world, now);
    if (pause === undefined) return { what: "resumed", next: resume(run, now) };
    const isSame = pause.status === run.status && pause.until.getTime() === until.getTime();
    return isSame ? undefined : { what: "put_off", next: pausedBy(run, pause) };
  }
  // Another window or silence may have followed without a gap.
  let next: Run = { ...run, pausedUntil: until };
  for (let pauses = 0; pauses < MOST_PAUSES; pauses += 1) {
    const endsAt = next.pausedUntil ?? now;
    if (endsAt > now) break;
    const pause = pauseAt(world, endsAt);
    if (pause === undefined) return { what: "resumed", next: resume(run, endsAt) };
    next = pausedBy(next, pause);
  }
  return { what: "put_off", next };
}

/** The one of both that lasts longer; the maintenance window when they are equal. */
function pauseAt({ maintainedUntil, silencedUntil }: World, at: Date): Pause | undefined {
  const maintained = maintainedUntil(at) ?? at;
  const silenced = silencedUntil(at) ?? at;
  if (maintained <= at && silenced <= at) return undefined;
  return silenced > maintained ? { status: "paused_by_silence", until: silenced } : { status: "paused_by_maintenance", until: maintained };
}

function pausedBy(run: Run, { status, until }: Pause): Run {
  return { ...run, status, pausedUntil: until };
}

function resume(run: Run, at: Date): Run {
  const pauseMs = Math.max(at.getTime() - (run.pausedAt ?? at).getTime(), 0);
  const nextAt = run.nextAt === null ? null : new Date(run.nextAt.getTime() + pauseMs);
  return { ...run, status: "active", pausedAt: null, pausedUntil: null, pausedMs: run.pausedMs + pauseMs, nextAt };
}

function dispatch(run: Run, { channelIds }: Level, now: Date): Step {
  const next = { ...run, levelIndex: run.levelIndex + 1 };
  const nextAt = levelTime(next) ?? new Date(now.getTime() + lastWaitMs(run.plan));
  return { what: "level", next: { ...next, nextAt }, levelIndex: run.levelIndex, channelIds };
}

function exhaust(run: Run, now: Date): Step {
  const levelIndex = run.plan.levels.length - 1;
  const channelIds = run.plan.levels[levelIndex]?.channelIds ?? [];
  return { what: "exhausted", next: over(run, "exhausted", now), levelIndex, channelIds };
}

/** When the next level is due; null after the last one. */
function levelTime({ plan, levelIndex, startedAt, pausedMs }: Pick<Run, "plan" | "levelIndex" | "startedAt" | "pausedMs">): Date | null {
  const level = plan.levels[levelIndex];
  return level === undefined ? null : new Date(startedAt.getTime() + level.delaySeconds * 1000 + pausedMs);
}

/**
 * How long the last level has to react: as long as the one before it had. Counted from its notification, so that a start after a long time does not
 * give up at the moment of notifying.
 */
export function lastWaitMs({ levels }: Pick<Plan, "levels">): number {
  const last = levels.at(-1)?.delaySeconds ?? 0;
  const stepMs = (last - (levels.at(-2)?.delaySeconds ?? 0)) * 1000;
  return stepMs > 0 ? stepMs : SHORTEST_LAST_WAIT_MS;
}
