import { randomUUID } from "node:crypto";
import { HOUR_MS } from "../../contract/time.ts";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import { type Clock, pause, type Timer } from "../../platform/clock.ts";
import { isServiceError, messageOf, ServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { scanEvent } from "./changes.ts";
import { atLatest, newScan, nextScanAt, type Scan, withImage } from "./scan.ts";
import type { UpdateStore } from "./store.ts";

/** What a scan does, told as it goes. */
export interface ScanSteps {
  begun(total: number): void;
  done(image: { image: string; found: boolean; error: string | null }): void;
}

export interface Scans {
  /** Loads what is known of scans, ends those that a crash left, and waits for the next. */
  start(): Promise<void>;
  /** Throws `scan_in_progress`. */
  begin(trigger: Scan["trigger"]): Promise<Scan>;
  /** Throws `not_found`. */
  find(scanId: string): Promise<Scan>;
  current(): Scan | undefined;
  /** The last one that is over. */
  last(): Scan | undefined;
  nextAt(): Date | undefined;
  /** Ends the one that runs, within a second. */
  stop(): Promise<void>;
}

export interface ScansParts {
  store: UpdateStore;
  bus: Bus<Event>;
  clock: Clock;
  log: Log;
  /** null: only when somebody begins one. */
  intervalMs: number | null;
  /** From 0 to 1. */
  chance(): number;
  /** Asks about all images. */
  work(scan: Scan, steps: ScanSteps, signal: AbortSignal): Promise<void>;
  /** A scan of ours was completed. */
  onCompleted(): void;
  /** Another program that shares the database scanned in our place. */
  onElsewhere(): Promise<void>;
}

const ALIVE_EVERY_MS = 5_000;
const STALE_AFTER_MS = 30_000;
const REPORT_EVERY_MS = 250;
const LONGEST_WAIT_MS = HOUR_MS;
const STOP_WITHIN_MS = 900;
const LOST = "The program that ran it was ended.";
const STOPPED = "It was stopped with the program.";

export function createScans(parts: ScansParts): Scans {
  const { store, bus, clock, log, intervalMs, chance, work, onCompleted, onElsewhere } = parts;
  let current: Scan | undefined;
  let running: { ended: Promise<void>; abort: AbortController } | undefined;
  let beginning = false;
  let last: Scan | undefined;
  let due: Date | undefined;
  let timer: Timer | undefined;
  let startedAt = clock.now();
  let stopped = true;

  function schedule(): void {
    due = intervalMs === null ? undefined : nextScanAt({ intervalMs, startedAt, last, chance: chance() });
    arm();
  }

  /** In steps, since the wall clock may be set meanwhile. */
  function arm(): void {
    timer?.cancel();
    if (stopped || due === undefined) return;
    if (intervalMs !== null) due = atLatest(due, { intervalMs, now: clock.now() });
    const leftMs = due.getTime() - clock.now().getTime();
    timer = clock.after(Math.min(Math.max(leftMs, 0), LONGEST_WAIT_MS), () => {
      if (due !== undefined && due > clock.now()) return arm();
      scheduled().catch((error: unknown) => {
        if (!isServiceError(error, "storage_unavailable")) log.error({ err: error }, "scheduled scan failed to begin");
        due = new Date(clock.now().getTime() + STALE_AFTER_MS);
        arm();
      });
    });
  }

  async function scheduled(): Promise<void> {
    const latest = store.isShared ? await store.latestScan() : undefined;
    if (latest !== undefined && latest.scanId !== last?.scanId && latest.status === "completed") {
      last = latest;
      await onElsewhere();
      schedule();
      if (due !== undefined && due > clock.now()) return;
    }
    try {
      await begin("schedule");
    } catch (error) {
      if (!isServiceError(error, "scan_in_progress")) throw error;
      due = new Date(clock.now().getTime() + STALE_AFTER_MS);
      arm();
    }
  }

  async function begin(trigger: Scan["trigger"]): Promise<Scan> {
    if (current !== undefined || beginning) throw inProgress();
    beginning = true;
    try {
      const scan = newScan(randomUUID(), trigger, clock.now());
      const staleBefore = new Date(clock.now().getTime() - STALE_AFTER_MS);
      await store.endAbandoned(clock.now(), { staleBefore, failure: LOST });
      if (!(await store.beginScan(scan, staleBefore))) throw inProgress();
      timer?.cancel();
      current = scan;
      const abort = new AbortController();
      if (stopped) abort.abort();
      bus.publish(scanEvent("scan_started", scan, clock.now()));
      running = { abort, ended: run(scan, abort) };
      return scan;
    } finally {
      beginning = false;
    }
  }

  async function run(begun: Scan, abort: AbortController): Promise<void> {
    let scan = begun;
    const progress = createProgress();
    const beat = keepAlive(() => scan, abort);
    let failure: string | null = null;
    let over = false;
    const steps: ScanSteps = {
      begun(total) {
        scan = { ...scan, total };
        current = scan;
      },
      done(image) {
        if (over) return;
        scan = withImage(scan, image);
        current = scan;
        progress.report(scan);
      },
    };
    try {
      // What does not heed the signal is not waited for.
      await Promise.race([work(begun, steps, abort.signal), whenAborted(abort.signal)]);
      if (abort.signal.aborted) failure = stopped ? STOPPED : LOST;
    } catch (error) {
      failure = abort.signal.aborted ? STOPPED : `It could not be done: ${messageOf(error)}`;
      if (!abort.signal.aborted) log.error({ err: error, scan_id: begun.scanId }, "scan failed");
    }
    over = true;
    beat.cancel();
    progress.stop();
    scan = { ...scan, status: failure === null ? "completed" : "failed", failure, completedAt: clock.now() };
    try {
      await store.saveScan(scan, clock.now());
    } catch (error) {
      log.warn({ reason: messageOf(error), scan_id: scan.scanId }, "the end of a scan could not be saved");
    }
    current = undefined;
    running = undefined;
    last = scan;
    bus.publish(scanEvent("scan_completed", scan, clock.now()));
    if (failure === null) onCompleted();
    schedule();
  }

  /** Says a few times a second how far it is. */
  function createProgress(): { report(scan: Scan): void; stop(): void } {
    let waiting: Timer | undefined;
    let latest: Scan | undefined;
    return {
      report(scan) {
        latest = scan;
        waiting ??= clock.after(REPORT_EVERY_MS, () => {
          waiting = undefined;
          if (latest !== undefined) bus.publish(scanEvent("scan_progress", latest, clock.now()));
        });
      },
      stop: () => waiting?.cancel(),
    };
  }

  /** Shows other programs that this one is at it; gives up when one of them took over. */
  function keepAlive(scan: () => Scan, abort: AbortController): Timer {
    let next = wait();
    return { cancel: () => next.cancel() };
    function wait(): Timer {
      return clock.after(ALIVE_EVERY_MS, () => {
        next = wait();
        store.saveScan(scan(), clock.now()).then(
          (mine) => {
            if (!mine && current?.scanId === scan().scanId) abort.abort();
          },
          () => undefined,
        );
      });
    }
  }

  return {
    async start() {
      stopped = false;
      startedAt = clock.now();
      const staleBefore = store.isShared ? new Date(startedAt.getTime() - STALE_AFTER_MS) : "all";
      await store.endAbandoned(startedAt, { staleBefore, failure: LOST });
      const latest = await store.latestScan();
      last = latest?.status === "running" ? undefined : latest;
      schedule();
    },
    begin,
    async find(scanId) {
      const scan = current?.scanId === scanId ? current : await store.scan(scanId);
      if (scan === undefined) throw new ServiceError("not_found", `There is no scan ${scanId}.`);
      return scan;
    },
    current: () => current,
    last: () => last,
    nextAt: () => due,
    async stop() {
      stopped = true;
      timer?.cancel();
      if (running === undefined) return;
      running.abort.abort(new Error(STOPPED));
      await Promise.race([running.ended, pause(clock, STOP_WITHIN_MS)]);
    },
  };
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function inProgress(): ServiceError {
  return new ServiceError("scan_in_progress", "A scan for newer images runs already; wait until it is over.");
}
