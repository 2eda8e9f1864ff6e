import type { Clock, Timer } from "../../platform/clock.ts";
import { createDueHeap, type Due } from "./due-heap.ts";

/** Something that is run again and again. Due times are of {@link Schedule.nowMs}. */
export interface Turn extends Due {
  /** Only so many of one host run at once. */
  host: string;
}

export interface ScheduleOptions<Entry extends Turn> {
  clock: Clock;
  /** How many run at once, in all and of one host. */
  atOnce: number;
  perHost: number;
  /** Never throws. */
  run: (entry: Entry) => Promise<unknown>;
  /** Told at every start, by how much it was late. */
  onStart?: (lateMs: number) => void;
  /** Told when nothing could be started for so long, because the machine slept or was overloaded. */
  onHeldUp?: (heldUpMs: number) => void;
}

/**
 * Runs entries when they are due, by one timer. What cannot run at once waits its turn, the longest overdue first; a host whose limit is
 * reached does not hold up the others.
 */
export interface Schedule<Entry extends Turn> {
  /** Milliseconds that rise, but for the time in which the machine slept: whatever was due then keeps its distance to the others. */
  nowMs(): number;
  /** Runs it when its `dueMs` has come. It must not be planned, nor be running. */
  plan(entry: Entry): void;
  /** Takes it out, if it is planned or waiting; a run under way goes on. */
  withdraw(entry: Entry): void;
  /** Nothing begins any more. */
  stop(): void;
}

/** Entries due within so long are started together, so that their results come together: one commit stores many. */
const WAKE_EVERY_MS = 50;
/** No more at a time, so that whatever was held up does not hold up the rest of the program. */
const STARTS_A_WAKE = 128;
/** A timer that is later than this was not merely late. */
const HELD_UP_MS = 1_000;

export function createSchedule<Entry extends Turn>(options: ScheduleOptions<Entry>): Schedule<Entry> {
  const { clock, atOnce, perHost, run, onStart, onHeldUp } = options;
  const planned = createDueHeap<Entry>();
  /** Due, and waiting for one of `atOnce`. */
  const ready = createDueHeap<Entry>();
  /** Due, and waiting for one of their host's `perHost`. */
  const waiting = new Map<string, Entry[]>();
  const runningOf = new Map<string, number>();
  let running = 0;
  let sleptMs = 0;
  let timer: { handle: Timer; atMs: number } | undefined;
  let lastWakeMs = -WAKE_EVERY_MS;
  let isStopped = false;

  function nowMs(): number {
    return clock.monotonicMs() - sleptMs;
  }

  /** Sets the timer for when something can begin. */
  function arm(): void {
    const next = ready.size > 0 && running < atOnce ? ready.first() : planned.first();
    if (next === undefined || isStopped) return;
    const atMs = Math.max(next.dueMs, lastWakeMs + WAKE_EVERY_MS, nowMs());
    if (timer !== undefined && timer.atMs <= atMs) return;
    timer?.handle.cancel();
    timer = { handle: clock.after(atMs - nowMs(), wake), atMs };
  }

  function wake(): void {
    const heldUpMs = nowMs() - (timer?.atMs ?? nowMs());
    if (heldUpMs > HELD_UP_MS) {
      sleptMs += heldUpMs;
      onHeldUp?.(heldUpMs);
    }
    timer = undefined;
    lastWakeMs = nowMs();
    for (let next = planned.first(); next !== undefined && next.dueMs <= lastWakeMs; next = planned.first()) {
      planned.remove(next);
      queue(next);
    }
    startReady();
    arm();
  }

  function queue(entry: Entry): void {
    if ((runningOf.get(entry.host) ?? 0) < perHost) return ready.add(entry);
    const others = waiting.get(entry.host);
    if (others === undefined) waiting.set(entry.host, [entry]);
    else others.push(entry);
  }

  function startReady(): void {
    let started = 0;
    for (let next = ready.first(); next !== undefined && running < atOnce && started < STARTS_A_WAKE; next = ready.first()) {
      ready.remove(next);
      // Others of its host may have begun since it became ready.
      if ((runningOf.get(next.host) ?? 0) >= perHost) {
        queue(next);
        continue;
      }
      started += 1;
      start(next);
    }
  }

  function start(entry: Entry): void {
    const { host } = entry;
    running += 1;
    runningOf.set(host, (runningOf.get(host) ?? 0) + 1);
    onStart?.(nowMs() - entry.dueMs);
    void run(entry).finally(() => {
      running -= 1;
      const left = (runningOf.get(host) ?? 1) - 1;
      if (left === 0) runningOf.delete(host);
      else runningOf.set(host, left);
      readyNext(host);
      if (ready.size > 0) arm();
    });
  }

  /** When a place of its host is free, the one that has waited longest is ready. */
  function readyNext(host: string): void {
    const others = waiting.get(host);
    const next = others?.shift();
    if (others?.length === 0) waiting.delete(host);
    if (next !== undefined) ready.add(next);
  }

  return {
    nowMs,
    plan(entry) {
      planned.add(entry);
      arm();
    },
    withdraw(entry) {
      planned.remove(entry);
      ready.remove(entry);
      const others = waiting.get(entry.host);
      if (others?.includes(entry) === true) others.splice(others.indexOf(entry), 1);
      // It may have been the one whose end the others waited for.
      if ((runningOf.get(entry.host) ?? 0) < perHost) readyNext(entry.host);
      arm();
    },
    stop() {
      isStopped = true;
      timer?.handle.cancel();
      timer = undefined;
    },
  };
}
