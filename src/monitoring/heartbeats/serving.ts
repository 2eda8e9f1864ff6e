import type { Clock } from "../../platform/clock.ts";
import type { Serial } from "../../platform/serial.ts";
import { ONE_BY_ONE } from "./changes.ts";
import { addGap, type Gap, turnBackGaps } from "./gaps/gap.ts";
import type { GapStore } from "./gaps/store.ts";
import { settle, type Times, turnBack } from "./heartbeat.ts";
import type { Projection } from "./projection.ts";
import type { Timetable } from "./schedule.ts";
import type { HeartbeatStore } from "./store.ts";

/** Longer between two looks at the clock, and this program or its machine stood still, or the clock was set. */
const STALL_MS = 2_000;
/** After a crash, a gap begins up to this much too early. */
const MARK_EVERY_MS = 10_000;

/** When pings could be taken, and when not: before the start, while the database is gone, while the program stands still, and in time that the clock skips. */
export interface Serving {
  /** For the rules, as of now. */
  times(): Times;
  /** Reads what is kept of it. */
  load(): Promise<void>;
  /** From now on pings can be taken. */
  open(): Promise<void>;
  /** They cannot be taken any more. */
  close(): void;
  /** False while none can be taken. */
  isOpen(): boolean;
  /** Compares the clock with the last look at it; call it at least every second while there are heartbeats. */
  look(): Promise<void>;
  /** Keeps until when pings could be taken; without heartbeats once after the start. Throws `storage_unavailable`. */
  keep(): Promise<void>;
}

export interface ServingDependencies {
  expect: Timetable;
  gapStore: GapStore;
  store: HeartbeatStore;
  projection: Projection;
  serial: Serial;
  clock: Clock;
}

export function createServing({ expect, gapStore, store, projection, serial, clock }: ServingDependencies): Serving {
  let gaps: Gap[] = [];
  let unsaved: Gap[] = [];
  /** Whether all that is kept is of a clock that was set back since. */
  let outdated = false;
  /** Since when no ping can be taken. */
  let closedSinceMs: number | undefined = clock.now().getTime();
  let last = readClock();
  let markedMs = Number.NEGATIVE_INFINITY;

  const times = (): Times => ({ expect, gaps });

  function readClock(): { wallMs: number; monotonicMs: number; isAnyThere: boolean } {
    return { wallMs: clock.now().getTime(), monotonicMs: clock.monotonicMs(), isAnyThere: projection.count() > 0 };
  }

  function add(gap: Gap): void {
    const added = addGap(gaps, gap);
    if (added.at(-1) === gaps.at(-1)) return;
    gaps = added;
    unsaved.push(...added.slice(-1));
    markedMs = Number.NEGATIVE_INFINITY;
    for (const heartbeat of [...projection.all()]) projection.put({ ...settle(heartbeat, times()), id: heartbeat.id });
  }

  /** What waits has waited as long as before, on the clock of now. */
  async function followBack(byMs: number): Promise<void> {
    gaps = turnBackGaps(gaps, byMs);
    if (closedSinceMs !== undefined) closedSinceMs -= byMs;
    outdated = true;
    markedMs = Number.NEGATIVE_INFINITY;
    await serial(ONE_BY_ONE, async () => {
      for (const heartbeat of [...projection.all()]) projection.put({ ...turnBack(heartbeat, byMs, times()), id: heartbeat.id });
    });
  }

  const aliveAtMs = (): number => closedSinceMs ?? clock.now().getTime();

  async function keepAll(): Promise<void> {
    const savings = [...projection.all()].map((next) => ({ next, steps: [], past: [] }));
    await store.save(savings, (tx) => gapStore.replace(tx, gaps, aliveAtMs()));
    outdated = false;
    unsaved = [];
  }

  async function keepNew(): Promise<void> {
    const saving = [...unsaved];
    await gapStore.add(saving, aliveAtMs());
    unsaved = unsaved.filter((gap) => !saving.includes(gap));
  }

  async function look(): Promise<void> {
    const before = last;
    last = readClock();
    const backMs = before.wallMs - last.wallMs + (last.monotonicMs - before.monotonicMs);
    const wasSetBack = backMs > STALL_MS;
    const fromMs = wasSetBack ? before.wallMs - backMs : before.wallMs;
    const done = wasSetBack ? followBack(backMs) : undefined;
    // Without heartbeats nobody looks.
    if (closedSinceMs === undefined && before.isAnyThere && last.wallMs - fromMs > STALL_MS) add({ fromMs, untilMs: last.wallMs });
    await done;
  }

  return {
    times,
    look,
    isOpen: () => closedSinceMs === undefined,
    async load() {
      const kept = await gapStore.load();
      gaps = kept.gaps;
      closedSinceMs = kept.aliveAtMs ?? clock.now().getTime();
    },
    async open() {
      if (closedSinceMs === undefined) return;
      last = readClock();
      if (closedSinceMs > last.wallMs) await followBack(closedSinceMs - last.wallMs);
      add({ fromMs: closedSinceMs, untilMs: last.wallMs });
      closedSinceMs = undefined;
    },
    close() {
      closedSinceMs ??= clock.now().getTime();
      markedMs = Number.NEGATIVE_INFINITY;
    },
    async keep() {
      const nowMs = clock.monotonicMs();
      if (nowMs - markedMs < (projection.count() > 0 ? MARK_EVERY_MS : Infinity)) return;
      await (outdated ? serial(ONE_BY_ONE, keepAll) : keepNew());
      markedMs = nowMs;
    },
  };
}
