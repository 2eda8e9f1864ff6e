import type { Clock, Timer } from "./clock.ts";
import { isServiceError } from "./errors.ts";
import type { Log } from "./log.ts";

export interface Task {
  name: string;
  everyMs: number;
  /** The wait before the first run; a whole period by default. */
  firstAfterMs?: number;
  run(signal: AbortSignal): Promise<void> | void;
}

/** Work that knows when it is due next. */
export interface DueTask {
  name: string;
  /** The wait before the first run; none by default. */
  firstAfterMs?: number;
  /** Answers in how many milliseconds after its start it is due again; Infinity when it is not. */
  run(signal: AbortSignal): Promise<number>;
}

export interface DueTimer {
  /** Runs the task within so many milliseconds, or earlier if it is due. */
  within(ms: number): void;
  /** No further run starts; a running one is finished. */
  end(): void;
}

/**
 * Runs periodic work: one run of a task at a time; failures are logged and the task is tried again in the next period. A missing database is logged
 * elsewhere, once: here it only postpones the work.
 */
export interface Scheduler {
  /** Starts a task; the answer ends it: no further run starts, and a running one is finished. */
  every(task: Task): () => void;
  /**
   * Starts a task that runs now, or after `firstAfterMs`, and then whenever it is due: at least every half minute, in case something became due
   * unnoticed or the clock was set.
   */
  whenDue(task: DueTask): DueTimer;
  /** Ends all tasks and waits for running ones. */
  stop(): Promise<void>;
}

/** Tasks run on a common beat, so that an idle process wakes up once for all of them. */
const BEAT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const AFTER_FAILURE_MS = 1000;

export function createScheduler(clock: Clock, log: Log): Scheduler {
  const alarms = createAlarms(clock);
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  const timers = new Map<Task, Timer>();
  const dueTimers = new Set<DueTimer>();

  function arm(task: Task, delayMs: number): void {
    timers.set(
      task,
      alarms.at(beatAfter(clock.monotonicMs(), delayMs), () => {
        const startedMs = clock.monotonicMs();
        const run = attempt(task).then(() => {
          underWay.delete(run);
          const tookMs = clock.monotonicMs() - startedMs;
          if (timers.has(task)) arm(task, Math.max(task.everyMs - tookMs, 0));
        });
        underWay.add(run);
      }),
    );
  }

  function whenDue(task: DueTask): DueTimer {
    let timer: { firesAtMs: number; cancel(): void } | undefined;
    let isRunning = false;
    let isDueAgain = false;
    let hasEnded = stopping.signal.aborted;

    function within(ms: number): void {
      armDue(clock.monotonicMs(), ms);
    }

    function armDue(fromMs: number, ms: number): void {
      const nowMs = clock.monotonicMs();
      const dueMs = Math.min(fromMs + ms, nowMs + LONGEST_WAIT_MS);
      const firesAtMs = ms <= 0 ? nowMs : Math.max(Math.ceil(dueMs / BEAT_MS) * BEAT_MS, nowMs);
      if (hasEnded || (timer !== undefined && timer.firesAtMs <= firesAtMs)) return;
      timer?.cancel();
      timer = { firesAtMs, cancel: alarms.at(firesAtMs, () => fire(firesAtMs)).cancel };
    }

    function fire(dueMs: number): void {
      timer = undefined;
      isDueAgain = isRunning;
      if (isRunning) return;
      isRunning = true;
      const run = attempt(task).then((dueInMs) => {
        underWay.delete(run);
        isRunning = false;
        if (isDueAgain) within(0);
        else if (dueInMs === undefined) within(AFTER_FAILURE_MS);
        // Counted from the beat: otherwise a task that is due at each beat would miss every second one.
        else armDue(dueMs, dueInMs);
      });
      underWay.add(run);
    }

    const dueTimer = {
      within,
      end() {
        hasEnded = true;
        timer?.cancel();
        dueTimers.delete(dueTimer);
      },
    };
    dueTimers.add(dueTimer);
    within(task.firstAfterMs ?? 0);
    return dueTimer;
  }

  /** undefined when it failed. */
  async function attempt<Result>(task: { name: string; run(signal: AbortSignal): Promise<Result> | Result }): Promise<Result | undefined> {
    try {
      return await task.run(stopping.signal);
    } catch (error) {
      if (isServiceError(error, "storage_unavailable")) log.debug({ task: task.name }, "scheduled task put off: no database");
      else log.error({ task: task.name, err: error }, "scheduled task failed");
      return undefined;
    }
  }

  function end(task: Task): void {
    timers.get(task)?.cancel();
    timers.delete(task);
  }

  return {
    every(task) {
      const mine = { ...task };
      if (!stopping.signal.aborted) arm(mine, mine.firstAfterMs ?? mine.everyMs);
      return () => end(mine);
    },
    whenDue,
    async stop() {
      stopping.abort();
      for (const dueTimer of dueTimers) dueTimer.end();
      for (const task of timers.keys()) end(task);
      await Promise.all(underWay);
    },
  };
}

/** The beat nearest to the end of a delay; delays shorter than a beat stay unchanged. */
function beatAfter(nowMs: number, delayMs: number): number {
  if (delayMs < BEAT_MS / 2) return nowMs + delayMs;
  return Math.max(Math.round((nowMs + delayMs) / BEAT_MS) * BEAT_MS, nowMs);
}

/** Calls back at given times, with one timer of the clock for all: callbacks that are due together wake the process once. */
interface Alarms {
  /** Calls back once at `atMs`, by `monotonicMs`. */
  at(atMs: number, callback: () => void): Timer;
}

interface Alarm {
  atMs: number;
  callback: () => void;
}

/** A timer of Node may fire early by less than this. */
const EARLY_MS = 1;
/** How long callbacks that are due together may take before others get a turn. */
const SLICE_MS = 8;

export function createAlarms(clock: Clock): Alarms {
  const waiting = new Set<Alarm>();
  let timer: { atMs: number; handle: Timer } | undefined;

  function arm(atMs: number): void {
    if (timer !== undefined && timer.atMs <= atMs) return;
    timer?.handle.cancel();
    timer = { atMs, handle: clock.after(atMs - clock.monotonicMs(), ring) };
  }

  function ring(): void {
    timer = undefined;
    const nowMs = clock.monotonicMs();
    const untilMs = nowMs + EARLY_MS;
    const due = [...waiting].filter(({ atMs }) => atMs < untilMs).toSorted((one, other) => one.atMs - other.atMs);
    for (const alarm of due) {
      // A callback before it may have cancelled it.
      if (waiting.delete(alarm)) alarm.callback();
      if (clock.monotonicMs() - nowMs >= SLICE_MS) break;
    }
    if (waiting.size > 0) arm(Math.min(...[...waiting].map(({ atMs }) => atMs)));
  }

  return {
    at(atMs, callback) {
      const alarm = { atMs, callback };
      waiting.add(alarm);
      arm(atMs);
      return {
        cancel() {
          waiting.delete(alarm);
          if (waiting.size > 0) return;
          timer?.handle.cancel();
          timer = undefined;
        },
      };
    },
  };
}
