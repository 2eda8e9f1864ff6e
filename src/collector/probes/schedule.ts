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
  /** Called at every start with how late it is. */
  onStart?: (lateMs: number) => void;
  /** Called when nothing could be started for so long, because the machine slept or was overloaded. */
  onHeldUp?: (heldUpMs: number) => void;
}

/** Entries due within so long are started together, so that their results come together: one commit stores many. */
const WAKE_EVERY_MS = 50;
/** No more at a time, so that whatever was held up does not hold up the rest of the program. */
const STARTS_A_WAKE = 128;
/** A timer that is later than this was not merely late. */
const HELD_UP_MS = 1_000;

/**
 * Runs entries when they are due, by one timer. What cannot run at once waits its turn, the longest overdue first; a host whose limit is
 * reached does not hold up the others.
 */
export class Schedule<Entry extends Turn> {
  readonly #options: ScheduleOptions<Entry>;
  readonly #planned = createDueHeap<Entry>();
  /** Due, and waiting for one of `atOnce`. */
  readonly #ready = createDueHeap<Entry>();
  /** Due, and waiting for one of their host's `perHost`. */
  readonly #waiting = new Map<string, Entry[]>();
  readonly #runningOf = new Map<string, number>();
  #running = 0;
  #sleptMs = 0;
  #timer: { handle: Timer; atMs: number } | undefined;
  #lastWakeMs = -WAKE_EVERY_MS;
  #isStopped = false;

  constructor(options: ScheduleOptions<Entry>) {
    this.#options = options;
  }

  /** Milliseconds that rise, but for the time in which the machine slept: whatever was due then keeps its distance to the others. */
  nowMs(): number {
    return this.#options.clock.monotonicMs() - this.#sleptMs;
  }

  /** Runs it when its `dueMs` has come. It must not be planned, nor be running. */
  plan(entry: Entry): void {
    this.#planned.add(entry);
    this.#arm();
  }

  /** Takes it out, if it is planned or waiting; a run under way continues. */
  withdraw(entry: Entry): void {
    this.#planned.remove(entry);
    this.#ready.remove(entry);
    const others = this.#waiting.get(entry.host);
    if (others?.includes(entry) === true) others.splice(others.indexOf(entry), 1);
    // It may have been the one whose end the others waited for.
    if (this.#hasRoom(entry.host)) this.#readyNext(entry.host);
    this.#arm();
  }

  /** Nothing begins any more. */
  stop(): void {
    this.#isStopped = true;
    this.#timer?.handle.cancel();
    this.#timer = undefined;
  }

  /** Sets the timer for when something can begin. */
  #arm(): void {
    const { clock, atOnce } = this.#options;
    const next = this.#ready.size > 0 && this.#running < atOnce ? this.#ready.first() : this.#planned.first();
    if (next === undefined || this.#isStopped) return;
    const atMs = Math.max(next.dueMs, this.#lastWakeMs + WAKE_EVERY_MS, this.nowMs());
    if (this.#timer !== undefined && this.#timer.atMs <= atMs) return;
    this.#timer?.handle.cancel();
    this.#timer = { handle: clock.after(atMs - this.nowMs(), () => this.#wake()), atMs };
  }

  #wake(): void {
    const heldUpMs = this.nowMs() - (this.#timer?.atMs ?? this.nowMs());
    if (heldUpMs > HELD_UP_MS) {
      this.#sleptMs += heldUpMs;
      this.#options.onHeldUp?.(heldUpMs);
    }
    this.#timer = undefined;
    this.#lastWakeMs = this.nowMs();
    for (let next = this.#planned.first(); next !== undefined && next.dueMs <= this.#lastWakeMs; next = this.#planned.first()) {
      this.#planned.remove(next);
      this.#queue(next);
    }
    this.#startReady();
    this.#arm();
  }

  #queue(entry: Entry): void {
    if (this.#hasRoom(entry.host)) return this.#ready.add(entry);
    const others = this.#waiting.get(entry.host);
    if (others === undefined) this.#waiting.set(entry.host, [entry]);
    else others.push(entry);
  }

  #startReady(): void {
    const { atOnce } = this.#options;
    let started = 0;
    for (
      let next = this.#ready.first();
      next !== undefined && this.#running < atOnce && started < STARTS_A_WAKE;
      next = this.#ready.first()
    ) {
      this.#ready.remove(next);
      // Others of its host may have begun since it became ready.
      if (!this.#hasRoom(next.host)) {
        this.#queue(next);
        continue;
      }
      started += 1;
      this.#start(next);
    }
  }

  #start(entry: Entry): void {
    const { run, onStart } = this.#options;
    const { host } = entry;
    this.#running += 1;
    this.#runningOf.set(host, (this.#runningOf.get(host) ?? 0) + 1);
    onStart?.(this.nowMs() - entry.dueMs);
    void run(entry).finally(() => this.#end(host));
  }

  #end(host: string): void {
    this.#running -= 1;
    const left = (this.#runningOf.get(host) ?? 1) - 1;
    if (left === 0) this.#runningOf.delete(host);
    else this.#runningOf.set(host, left);
    this.#readyNext(host);
    if (this.#ready.size > 0) this.#arm();
  }

  #hasRoom(host: string): boolean {
    return (this.#runningOf.get(host) ?? 0) < this.#options.perHost;
  }

  /** When a place of its host is free, the one that has waited longest is ready. */
  #readyNext(host: string): void {
    const others = this.#waiting.get(host);
    const next = others?.shift();
    if (others?.length === 0) this.#waiting.delete(host);
    if (next !== undefined) this.#ready.add(next);
  }
}

export function createSchedule<Entry extends Turn>(options: ScheduleOptions<Entry>): Schedule<Entry> {
  return new Schedule(options);
}
