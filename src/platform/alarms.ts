import type { Clock, Timer } from "./clock.ts";

/** Calls back at moments of a clock, with one timer of it for all of them: what is due together wakes the process once. */
export interface Alarms {
  /** Calls back once at `atMs`, as `monotonicMs` counts. */
  at(atMs: number, callback: () => void): Timer;
}

interface Alarm {
  atMs: number;
  callback: () => void;
}

/** A timer of Node may fire earlier by less than this. */
const EARLY_MS = 1;
/** What is due together may take as long; the rest follows once others were served. */
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
      // One that rang before it may have cancelled it.
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
