import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Alert } from "../vocabulary.ts";
import { stepEvent } from "./records.ts";
import type { Notices } from "./notices.ts";
import type { SavedRun } from "./rows.ts";
import { advance, type Step, type World } from "./run.ts";
import type { RunStore, Tx } from "./store.ts";
import type { Alerts, Outbox, Suppression } from "./seams.ts";

/** How many runs are advanced together. */
const BATCH = 100;
/** How many steps one run may take at one moment: a pause, its end, and every level. */
const MOST_STEPS = 24;

/** Runs are read at least this often, even without a reported change. */
const READ_EVERY_MS = 30_000;

/** Advances runs: takes all steps that are due, however late. */
export interface RunWatch {
  /** Reads runs only when one is or may be due. Throws `storage_unavailable`; what was not done is found again by the next call. */
  lookAtDue(signal: AbortSignal): Promise<void>;
  /** To be called when runs began or ended: it is no longer known when the next one is due. */
  changed(): void;
  /** To be called after a change of the edition, of maintenance or of silences. */
  lookAtAll(signal: AbortSignal): Promise<void>;
}

export interface RunWatchDependencies {
  store: RunStore;
  notices: Notices;
  alerts: Alerts;
  suppression: Suppression;
  outbox: Outbox;
  isGranted: () => boolean;
  bus: Bus<Event>;
  clock: Clock;
  log: Log;
}

export function createRunWatch({
  store,
  notices,
  alerts,
  suppression,
  outbox,
  isGranted,
  bus,
  clock,
  log,
}: RunWatchDependencies): RunWatch {
  /** When runs must be read again, by the wall clock. */
  let readAtMs = -Infinity;

  function worldAt(now: Date, alert: Alert | undefined): World {
    return {
      now,
      granted: isGranted(),
      alert: alert === undefined || alert.status === "resolved" ? "resolved" : alert.acknowledgedAt === null ? "open" : "acknowledged",
      maintainedUntil: (at) => (alert === undefined ? undefined : suppression.maintaining(alert, at)?.until),
      silencedUntil: (at) => (alert === undefined ? undefined : suppression.silencing(alert, at)?.until),
    };
  }

  /** Saves a step with its notifications; false when another program has changed the run meanwhile. */
  function take(before: SavedRun, step: Step, alert: Alert | undefined, now: Date): Promise<boolean> {
    return store.write(async (tx: Tx) => {
      if (!(await store.save(tx, step.next, before))) return false;
      if (alert === undefined) return true;
      if (step.what === "level" || step.what === "exhausted") {
        const { next: run, levelIndex, channelIds } = step;
        await notices.send(tx, { run, alert, event: "alert.fired", kind: step.what, levelIndex, channelIds, now });
      } else if (step.next.status === "stopped_by_ack" || step.next.status === "stopped_by_resolution") {
        const how = step.next.status === "stopped_by_ack" ? "acknowledged" : "resolved";
        await notices.close(tx, [step.next], alert, { how, now });
      }
      return true;
    });
  }

  /** Answers whether the run took a step. */
  async function moveOn(found: SavedRun, now: Date): Promise<boolean> {
    const alert = await alerts.get(found.alertId);
    const world = worldAt(now, alert);
    let run = found;
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      const step = advance(run, world);
      if (step === undefined || !(await take(run, step, alert, now))) break;
      run = { ...step.next, version: run.version + 1 };
      const event = stepEvent(step, { agentId: alert?.agentId ?? null, at: now });
      if (event !== undefined) bus.publish(event);
      outbox.wake();
    }
    return run !== found;
  }

  /** A run that fails does not hold up the others. */
  async function moveAll(runs: readonly SavedRun[], now: Date): Promise<boolean> {
    const outcomes = await Promise.allSettled(runs.map((run) => moveOn(run, now)));
    let anyMoved = false;
    outcomes.forEach((outcome, index) => {
      if (outcome.status === "fulfilled") anyMoved ||= outcome.value;
      else if (isServiceError(outcome.reason, "storage_unavailable")) throw outcome.reason;
      else log.error({ run: runs[index]?.id, err: outcome.reason }, "an escalation could not be moved on");
    });
    return anyMoved;
  }

  function changed(): void {
    readAtMs = -Infinity;
  }

  return {
    async lookAtDue(signal) {
      const now = clock.now();
      const nowMs = now.getTime();
      // It is further away only when the clock was set back.
      if (nowMs < readAtMs && readAtMs - nowMs <= READ_EVERY_MS) return;
      // Set before reading, so that a change made meanwhile is read again.
      readAtMs = nowMs + READ_EVERY_MS;
      try {
        while (!signal.aborted) {
          const soonest = await store.soonest(BATCH);
          const [first] = soonest;
          if (first !== undefined) readAtMs = Math.min(readAtMs, first.dueAt.getTime());
          const due = soonest.filter((run) => run.dueAt <= now);
          if (due.length === 0 || !(await moveAll(due, now))) return;
        }
      } catch (error) {
        changed();
        throw error;
      }
    },
    changed,
    async lookAtAll(signal) {
      changed();
      const now = clock.now();
      for (let last = 0; !signal.aborted;) {
        const runs = await store.live(last, BATCH);
        await moveAll(runs, now);
        last = runs.at(-1)?.id ?? last;
        if (runs.length < BATCH) return;
      }
    },
  };
}
