import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Serial } from "../../platform/queues.ts";
import { ONE_BY_ONE } from "./changes.ts";
import { addGap, type Gap, turnBackGaps } from "./uptime.ts";
import { settle, type Times } from "./heartbeat.ts";
import type { Projection } from "./projection.ts";
import type { Timetable } from "./schedule.ts";
import { turnBack } from "./turn-back.ts";
import type { HeartbeatStore } from "./store.ts";
import type { GapStore } from "./gap-store.ts";

/** Longer between two readings of the clock, and this program or its machine stood still, or the clock was set. */
const STALL_MS = 2_000;
/** After a crash, a gap begins up to this much too early. */
const MARK_EVERY_MS = 10_000;

/** What all that changes heartbeats works with. */
export interface HeartbeatParts {
  store: HeartbeatStore;
  projection: Projection;
  serving: Serving;
  serial: Serial;
  bus: Bus<Event>;
  clock: Clock;
}

interface ServingDependencies extends Pick<HeartbeatParts, "store" | "projection" | "serial" | "clock"> {
  expect: Timetable;
  gapStore: GapStore;
}

/** When pings could be taken, and when not: before the start, while the database is gone, while the program stands still, and in time that the clock skips. */
export class Serving {
  readonly #dependencies: ServingDependencies;
  #gaps: Gap[] = [];
  #unsaved: Gap[] = [];
  /** Whether all that is kept is of a clock that was set back since. */
  #isOutdated = false;
  #setBacks = 0;
  /** Since when no ping can be taken. */
  #closedSinceMs: number | undefined;
  #last: { wallMs: number; monotonicMs: number; isAnyThere: boolean };
  #markedMs = Number.NEGATIVE_INFINITY;

  constructor(dependencies: ServingDependencies) {
    this.#dependencies = dependencies;
    this.#closedSinceMs = dependencies.clock.now().getTime();
    this.#last = this.#readClock();
  }

  /** For the rules, as of now. */
  times(): Times {
    return { expect: this.#dependencies.expect, gaps: this.#gaps };
  }

  /** Reads what is kept of it. */
  async load(): Promise<void> {
    const { gapStore, clock } = this.#dependencies;
    const kept = await gapStore.load();
    this.#gaps = kept.gaps;
    this.#closedSinceMs = kept.aliveAtMs ?? clock.now().getTime();
  }

  /** From now on pings can be taken. */
  async open(): Promise<void> {
    if (this.#closedSinceMs === undefined) return;
    this.#last = this.#readClock();
    if (this.#closedSinceMs > this.#last.wallMs) await this.#followBack(this.#closedSinceMs - this.#last.wallMs);
    this.#add({ fromMs: this.#closedSinceMs, untilMs: this.#last.wallMs });
    this.#closedSinceMs = undefined;
  }

  /** They cannot be taken any more. */
  close(): void {
    this.#closedSinceMs ??= this.#dependencies.clock.now().getTime();
    this.#markedMs = Number.NEGATIVE_INFINITY;
  }

  /** How often the clock was found to be set back. */
  setBacks(): number {
    return this.#setBacks;
  }

  /** False while none can be taken. */
  isOpen(): boolean {
    return this.#closedSinceMs === undefined;
  }

  /** Compares the clock with its last reading; call it at least every second while there are heartbeats. */
  async checkClock(): Promise<void> {
    const before = this.#last;
    const last = this.#readClock();
    this.#last = last;
    const backMs = before.wallMs - last.wallMs + (last.monotonicMs - before.monotonicMs);
    const wasSetBack = backMs > STALL_MS;
    const fromMs = wasSetBack ? before.wallMs - backMs : before.wallMs;
    const done = wasSetBack ? this.#followBack(backMs) : undefined;
    // Without heartbeats the clock is not read.
    if (this.isOpen() && before.isAnyThere && last.wallMs - fromMs > STALL_MS) this.#add({ fromMs, untilMs: last.wallMs });
    await done;
  }

  /** Keeps until when pings could be taken; without heartbeats once after the start. Throws `storage_unavailable`. */
  async keep(): Promise<void> {
    const { projection, serial, clock } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#markedMs < (projection.count() > 0 ? MARK_EVERY_MS : Infinity)) return;
    await (this.#isOutdated ? serial(ONE_BY_ONE, () => this.#keepAll()) : this.#keepNew());
    this.#markedMs = nowMs;
  }

  #readClock(): { wallMs: number; monotonicMs: number; isAnyThere: boolean } {
    const { projection, clock } = this.#dependencies;
    return { wallMs: clock.now().getTime(), monotonicMs: clock.monotonicMs(), isAnyThere: projection.count() > 0 };
  }

  #add(gap: Gap): void {
    const { projection } = this.#dependencies;
    const added = addGap(this.#gaps, gap);
    if (added.at(-1) === this.#gaps.at(-1)) return;
    this.#gaps = added;
    this.#unsaved.push(...added.slice(-1));
    this.#markedMs = Number.NEGATIVE_INFINITY;
    for (const heartbeat of [...projection.all()]) projection.put(settle(heartbeat, this.times()));
  }

  /** What waits has waited as long as before, on the clock of now. */
  async #followBack(byMs: number): Promise<void> {
    const { projection, serial, clock } = this.#dependencies;
    this.#gaps = turnBackGaps(this.#gaps, byMs);
    if (this.#closedSinceMs !== undefined) this.#closedSinceMs -= byMs;
    this.#isOutdated = true;
    this.#setBacks += 1;
    this.#markedMs = Number.NEGATIVE_INFINITY;
    await serial(ONE_BY_ONE, async () => {
      const by = { byMs, now: clock.now() };
      for (const heartbeat of [...projection.all()]) projection.put(turnBack(heartbeat, by, this.times()));
    });
  }

  async #keepAll(): Promise<void> {
    const { gapStore, store, projection } = this.#dependencies;
    const savings = [...projection.all()].map((next) => ({ next, steps: [], past: [] }));
    await store.save(savings, (tx) => gapStore.replace(tx, this.#gaps, this.#aliveAtMs()));
    this.#isOutdated = false;
    this.#unsaved = [];
  }

  async #keepNew(): Promise<void> {
    const saving = [...this.#unsaved];
    await this.#dependencies.gapStore.add(saving, this.#aliveAtMs());
    this.#unsaved = this.#unsaved.filter((gap) => !saving.includes(gap));
  }

  #aliveAtMs(): number {
    return this.#closedSinceMs ?? this.#dependencies.clock.now().getTime();
  }
}
