import { randomUUID } from "node:crypto";
import { HOUR_MS } from "../../contract/time.ts";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import { type Clock, pause, type Timer } from "../../platform/clock.ts";
import { isServiceError, messageOf, ServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { scanEvent } from "./changes.ts";
import { atLatest, newScan, nextScanAt, type Scan, withImage } from "./known-image.ts";
import type { UpdateStore } from "./store.ts";

/** The steps of a scan, reported as they happen. */
export interface ScanSteps {
  begun(total: number): void;
  done(image: { image: string; found: boolean; error: string | null }): void;
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

/** Scans for newer images: one at a time, when it is due or when somebody begins one. */
export class Scans {
  readonly #parts: ScansParts;
  #current: Scan | undefined;
  #running: { ended: Promise<void>; abort: AbortController } | undefined;
  #isBeginning = false;
  #last: Scan | undefined;
  #due: Date | undefined;
  #timer: Timer | undefined;
  #startedAt: Date;
  #isStopped = true;

  constructor(parts: ScansParts) {
    this.#parts = parts;
    this.#startedAt = parts.clock.now();
  }

  /** Loads what is known of scans, ends those that a crash left, and waits for the next. */
  async start(): Promise<void> {
    const { store, clock } = this.#parts;
    this.#isStopped = false;
    this.#startedAt = clock.now();
    const staleBefore = store.isShared ? new Date(this.#startedAt.getTime() - STALE_AFTER_MS) : "all";
    await store.endAbandoned(this.#startedAt, { staleBefore, failure: LOST });
    const latest = await store.latestScan();
    this.#last = latest?.status === "running" ? undefined : latest;
    this.#schedule();
  }

  /** Throws `scan_in_progress`. */
  async begin(trigger: Scan["trigger"]): Promise<Scan> {
    const { store, bus, clock } = this.#parts;
    if (this.#current !== undefined || this.#isBeginning) throw inProgress();
    this.#isBeginning = true;
    try {
      const scan = newScan(randomUUID(), trigger, clock.now());
      const staleBefore = new Date(clock.now().getTime() - STALE_AFTER_MS);
      await store.endAbandoned(clock.now(), { staleBefore, failure: LOST });
      if (!(await store.beginScan(scan, staleBefore))) throw inProgress();
      this.#timer?.cancel();
      this.#current = scan;
      const abort = new AbortController();
      if (this.#isStopped) abort.abort();
      bus.publish(scanEvent("scan_started", scan, clock.now()));
      this.#running = { abort, ended: this.#run(scan, abort) };
      return scan;
    } finally {
      this.#isBeginning = false;
    }
  }

  /** Throws `not_found`. */
  async find(scanId: string): Promise<Scan> {
    const scan = this.#current?.scanId === scanId ? this.#current : await this.#parts.store.scan(scanId);
    if (scan === undefined) throw new ServiceError("not_found", `There is no scan ${scanId}.`);
    return scan;
  }

  current(): Scan | undefined {
    return this.#current;
  }

  /** The last one that is over. */
  last(): Scan | undefined {
    return this.#last;
  }

  nextAt(): Date | undefined {
    return this.#due;
  }

  /** Ends the one that runs, within a second. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    if (this.#running === undefined) return;
    this.#running.abort.abort(new Error(STOPPED));
    await Promise.race([this.#running.ended, pause(this.#parts.clock, STOP_WITHIN_MS)]);
  }

  #schedule(): void {
    const { intervalMs, chance } = this.#parts;
    const last = this.#last;
    this.#due = intervalMs === null ? undefined : nextScanAt({ intervalMs, startedAt: this.#startedAt, last, chance: chance() });
    this.#arm();
  }

  /** In steps, since the wall clock may be set meanwhile. */
  #arm(): void {
    const { intervalMs, clock, log } = this.#parts;
    this.#timer?.cancel();
    if (this.#isStopped || this.#due === undefined) return;
    if (intervalMs !== null) this.#due = atLatest(this.#due, { intervalMs, now: clock.now() });
    const leftMs = this.#due.getTime() - clock.now().getTime();
    this.#timer = clock.after(Math.min(Math.max(leftMs, 0), LONGEST_WAIT_MS), () => {
      if (this.#due !== undefined && this.#due > clock.now()) return this.#arm();
      this.#beginDue().catch((error: unknown) => {
        if (!isServiceError(error, "storage_unavailable")) log.error({ err: error }, "scheduled scan failed to begin");
        this.#putOff();
      });
    });
  }

  async #beginDue(): Promise<void> {
    const { store, clock, onElsewhere } = this.#parts;
    const latest = store.isShared ? await store.latestScan() : undefined;
    if (latest !== undefined && latest.scanId !== this.#last?.scanId && latest.status === "completed") {
      this.#last = latest;
      await onElsewhere();
      this.#schedule();
      if (this.#due !== undefined && this.#due > clock.now()) return;
    }
    try {
      await this.begin("schedule");
    } catch (error) {
      if (!isServiceError(error, "scan_in_progress")) throw error;
      this.#putOff();
    }
  }

  /** Until one that runs elsewhere is over, or the database is back. */
  #putOff(): void {
    this.#due = new Date(this.#parts.clock.now().getTime() + STALE_AFTER_MS);
    this.#arm();
  }

  async #run(begun: Scan, abort: AbortController): Promise<void> {
    const { store, bus, clock, log, work, onCompleted } = this.#parts;
    let scan = begun;
    const progress = this.#createProgress();
    const beat = this.#keepAlive(() => scan, abort);
    let failure: string | null = null;
    let over = false;
    const steps: ScanSteps = {
      begun: (total) => {
        scan = { ...scan, total };
        this.#current = scan;
      },
      done: (image) => {
        if (over) return;
        scan = withImage(scan, image);
        this.#current = scan;
        progress.report(scan);
      },
    };
    try {
      // What does not heed the signal is not waited for.
      await Promise.race([work(begun, steps, abort.signal), whenAborted(abort.signal)]);
      if (abort.signal.aborted) failure = this.#isStopped ? STOPPED : LOST;
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
    this.#current = undefined;
    this.#running = undefined;
    this.#last = scan;
    bus.publish(scanEvent("scan_completed", scan, clock.now()));
    if (failure === null) onCompleted();
    this.#schedule();
  }

  /** Says a few times a second how far it is. */
  #createProgress(): { report(scan: Scan): void; stop(): void } {
    const { bus, clock } = this.#parts;
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
  #keepAlive(scan: () => Scan, abort: AbortController): Timer {
    const { store, clock } = this.#parts;
    const wait = (): Timer =>
      clock.after(ALIVE_EVERY_MS, () => {
        next = wait();
        store.saveScan(scan(), clock.now()).then(
          (mine) => {
            if (!mine && this.#current?.scanId === scan().scanId) abort.abort();
          },
          () => undefined,
        );
      });
    let next = wait();
    return { cancel: () => next.cancel() };
  }
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
