import type { PingKind } from "../../src/events.ts";
import {
  applyDeadline,
  applyPing,
  createHeartbeat,
  edit,
  type Heartbeat,
  pause,
  resume,
  type Settings,
  type Times,
} from "../../src/monitoring/heartbeats/heartbeat.ts";
import { addGap, type Gap } from "../../src/monitoring/heartbeats/uptime.ts";
import { createTimetable, type EndedRun } from "../../src/monitoring/heartbeats/schedule.ts";

export const noon = new Date("2026-03-01T12:00:00Z");
export const HOUR = 3600;
export const RID = "6a6f6273-0000-4000-8000-000000000001";
export const OTHER = "6a6f6273-0000-4000-8000-000000000002";

/** Every hour, five minutes of grace. */
export const hourly: Settings = {
  name: "backup",
  tags: [],
  schedule: { kind: "interval", intervalSeconds: HOUR, timezone: "UTC" },
  graceSeconds: 300,
  maxRuntimeSeconds: null,
};

/** The rules alone: a heartbeat and what happens to it, at seconds after noon. */
export function playHeartbeat(settings: Partial<Settings> = {}) {
  const after = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000);
  const times: Times & { gaps: Gap[] } = { expect: createTimetable(), gaps: [] };
  let now = createHeartbeat({ ...hourly, ...settings }, { uuid: RID, now: noon });
  const ended: EndedRun[] = [];
  const take = (change: { next: Heartbeat; ended: EndedRun[] }): Heartbeat => {
    ended.push(...change.ended);
    return (now = change.next);
  };
  const story = {
    now: () => now,
    ended,
    /** `7` is an exit code. */
    ping(seconds: number, what: PingKind | number, rid: string | null = null) {
      const [kind, exitCode] = typeof what === "number" ? (["exit_code", what] as const) : ([what, null] as const);
      const change = applyPing(now, { at: after(seconds), kind, exitCode, rid }, times);
      take(change);
      return change.outcome;
    },
    /** What is judged then; undefined: nothing is due. */
    wait(seconds: number) {
      const change = applyDeadline(now, after(seconds), times);
      if (change !== undefined) take(change);
      return change?.what;
    },
    pause: (seconds: number) => take(pause(now, after(seconds), times)),
    resume: (seconds: number) => take(resume(now, after(seconds), times)),
    edit: (seconds: number, changed: Partial<Settings>) => take(edit(now, { ...hourly, ...settings, ...changed }, after(seconds), times)),
    /** Between two moments no ping can be taken. */
    away(fromSeconds: number, untilSeconds: number) {
      times.gaps = addGap(times.gaps, { fromMs: after(fromSeconds).getTime(), untilMs: after(untilSeconds).getTime() });
      // Nothing is kept of when it is due: it is computed again, as when it is read from the database.
      take(edit(now, now, after(untilSeconds), times));
    },
    /** Seconds after noon. */
    due: () => secondsOf(now.dueAt),
    deadline: () => secondsOf(now.deadlineAt),
    state: () => [now.status, now.reason],
  };
  return story;
}

export function secondsOf(at: Date | null): number | null {
  return at === null ? null : (at.getTime() - noon.getTime()) / 1000;
}
