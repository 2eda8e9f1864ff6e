import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { DatabaseStatus } from "./database.ts";

const PROBE_EVERY_MS = 1000;

/** Whether the database is there. Knows it from the failures of those who use it, and asks again each second until it is back. */
export interface Availability {
  status(): DatabaseStatus;
  onStatus(listener: (status: DatabaseStatus) => void): void;
  /** Throws `storage_unavailable` while the database is gone, so that nobody waits for a connection that will not come. */
  require(): void;
  /** What to throw for a failed statement: `storage_unavailable` when the failure says that the database is gone or too busy, else the error itself. */
  judge(error: unknown): unknown;
  stop(): void;
}

export interface AvailabilityOptions {
  clock: Clock;
  log: Log;
  isLoss(error: unknown): boolean;
  /** The database is there and had no time for this statement; others may do better. */
  isBusy(error: unknown): boolean;
  reasonOfLoss(error: unknown): string;
  /** Succeeds when the database can be used again. */
  probe(): Promise<void>;
}

export function createAvailability({ clock, log, isLoss, isBusy, reasonOfLoss, probe }: AvailabilityOptions): Availability {
  const listeners: ((status: DatabaseStatus) => void)[] = [];
  let lost: string | undefined;
  let stopped = false;

  const status = (): DatabaseStatus => ({ connected: lost === undefined, error: lost ?? null });
  const tell = (): void => listeners.forEach((listener) => listener(status()));
  const unavailable = (cause?: unknown): ServiceError =>
    new ServiceError("storage_unavailable", "The database cannot be reached. Nothing was changed; try again shortly.", undefined, {
      cause,
    });
  const busy = (cause: unknown): ServiceError =>
    new ServiceError(
      "storage_unavailable",
      "The database is too busy to answer in time. Nothing was changed; try again shortly.",
      undefined,
      {
        cause,
      },
    );

  function lose(error: unknown): void {
    if (lost !== undefined || stopped) return;
    lost = reasonOfLoss(error);
    log.error({ reason: lost }, "database lost");
    tell();
    probeLater();
  }

  function probeLater(): void {
    clock.after(PROBE_EVERY_MS, () => {
      if (stopped) return;
      probe().then(
        () => {
          lost = undefined;
          log.info({}, "database found again");
          tell();
        },
        (error: unknown) => {
          lost = reasonOfLoss(error);
          probeLater();
        },
      );
    });
  }

  return {
    status,
    onStatus: (listener) => void listeners.push(listener),
    require() {
      if (lost !== undefined) throw unavailable();
    },
    judge(error) {
      if (error instanceof ServiceError) return error;
      if (isBusy(error)) return busy(error);
      if (!isLoss(error)) return error;
      lose(error);
      return unavailable(error);
    },
    stop() {
      stopped = true;
    },
  };
}
