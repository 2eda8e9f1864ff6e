import type { Clock } from "../../src/platform/clock.ts";
import { writesSettled } from "./pending-writes.ts";

/** A clock whose hands the test turns. */
export interface FakeClock extends Clock {
  /** Moves time on, firing what is due in order, and lets promises and what they write settle between. */
  advance(milliseconds: number): Promise<void>;
  /** Time passes and nothing happens, as while the program is stopped: what is due is fired after it. */
  stall(milliseconds: number): void;
  /** Sets the wall clock without firing timers: a jump. */
  jump(to: Date): void;
}

export function createFakeClock(start = new Date("2026-03-01T12:00:00.000Z")): FakeClock {
  /** Added to the monotonic time: parts of milliseconds do not pile up. */
  let wallOffsetMs = start.getTime();
  let monotonic = 0;
  let nextId = 0;
  const timers = new Map<number, { dueMs: number; callback: () => void }>();

  async function settle(): Promise<void> {
    do {
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    } while (await writesSettled());
  }

  return {
    now: () => new Date(wallOffsetMs + monotonic),
    monotonicMs: () => monotonic,
    after(delayMs, callback) {
      const id = nextId++;
      timers.set(id, { dueMs: monotonic + Math.max(delayMs, 0), callback });
      return { cancel: () => timers.delete(id) };
    },
    async advance(milliseconds) {
      const untilMs = monotonic + milliseconds;
      await settle();
      for (;;) {
        const [next] = [...timers].filter(([, timer]) => timer.dueMs <= untilMs).sort(([, a], [, b]) => a.dueMs - b.dueMs);
        if (next === undefined) break;
        const [id, timer] = next;
        timers.delete(id);
        monotonic = Math.max(monotonic, timer.dueMs);
        timer.callback();
        await settle();
      }
      monotonic = untilMs;
    },
    stall(milliseconds) {
      monotonic += milliseconds;
    },
    jump(to) {
      wallOffsetMs = to.getTime() - monotonic;
    },
  };
}
