import { setImmediate as nextTurn } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { Clock } from "../platform/clock.ts";
import { isServiceError, ServiceError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { Capabilities } from "./capabilities.ts";
import type { DatabaseStatus } from "./database.ts";

const MAX_QUEUED_UNITS = 20_000;
/** A group is committed at this age, so that no unit waits long and the event loop gets its turn. */
const MAX_GROUP_MS = 10;

type Settle = () => void;

interface QueuedUnit {
  run(tx: Kysely<never>): Promise<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The only writer: takes units in order and commits them in groups. */
export interface Writer {
  write<Result>(run: (tx: Kysely<never>) => Promise<Result>): Promise<Result>;
  /** Refuses new units and waits for those queued. */
  stop(): Promise<void>;
}

export interface WriterOptions {
  database: Kysely<never>;
  capabilities: Capabilities;
  availability: Availability;
  /** Throws when a commit would not last. Called before every commit, so it must be cheap; without it every commit lasts. */
  verify?(): void;
  /** Called first in every transaction; throws when another program has taken over. */
  fence?(transaction: Kysely<never>): Promise<void>;
  /** Moves the write-ahead log into the database file when it has grown. Awaited between two groups; never throws. */
  checkpoint?(): Promise<void>;
  clock: Clock;
}

export function createWriter({ database, capabilities, availability, verify, fence, checkpoint, clock }: WriterOptions): Writer {
  const queue: QueuedUnit[] = [];
  let working: Promise<void> | undefined;
  let stopped = false;

  async function work(): Promise<void> {
    // Units that arrive in the same turn of the event loop belong into the first group.
    await nextTurn();
    while (queue.length > 0) {
      try {
        availability.require();
        for (const settle of await commitGroup()) settle();
        await checkpoint?.();
      } catch (error) {
        for (const unit of queue.splice(0)) unit.reject(availability.judge(error));
      }
      await nextTurn();
    }
    working = undefined;
  }

  /** Commits as many queued units as fit into one group; answers functions that settle their promises. A failed commit fails all of them. */
  async function commitGroup(): Promise<Settle[]> {
    const taken: QueuedUnit[] = [];
    try {
      return await database.connection().execute(async (connection) => {
        await statement(capabilities.beginWrite, connection);
        const settles: Settle[] = [];
        try {
          await fence?.(connection);
          const startedMs = clock.monotonicMs();
          do {
            const unit = queue.shift();
            if (unit === undefined) break;
            taken.push(unit);
            settles.push(await runUnit(unit, connection));
          } while (clock.monotonicMs() - startedMs < MAX_GROUP_MS);
          verify?.();
          await statement("COMMIT", connection);
        } catch (error) {
          // A rollback on a dead connection fails too; the first error has the reason.
          await statement("ROLLBACK", connection).catch(() => undefined);
          throw error;
        }
        return settles;
      });
    } catch (error) {
      // Without a connection no unit has begun: the caller fails the whole queue.
      if (taken.length === 0) throw error;
      const judged = availability.judge(error);
      return taken.map((unit) => () => unit.reject(judged));
    }
  }

  /** Runs a unit inside the open transaction; a unit that fails is undone separately. Throws when the database is lost. */
  async function runUnit(unit: QueuedUnit, connection: Kysely<never>): Promise<Settle> {
    await statement("SAVEPOINT unit", connection);
    try {
      const result = await unit.run(connection);
      await statement("RELEASE SAVEPOINT unit", connection);
      return () => unit.resolve(result);
    } catch (error) {
      const judged = availability.judge(error);
      if (isServiceError(judged, "storage_unavailable") && !availability.status().connected) throw judged;
      try {
        await statement("ROLLBACK TO SAVEPOINT unit", connection);
        await statement("RELEASE SAVEPOINT unit", connection);
      } catch (failure) {
        // SQLite ends the transaction itself when the disk is full; the unit may have hidden that error.
        availability.require();
        throw failure;
      }
      return () => unit.reject(judged);
    }
  }

  return {
    write<Result>(run: (tx: Kysely<never>) => Promise<Result>) {
      if (stopped) return Promise.reject(new ServiceError("storage_unavailable", "The service is stopping; nothing was changed."));
      if (queue.length >= MAX_QUEUED_UNITS) {
        return Promise.reject(
          new ServiceError("storage_unavailable", "Too many writes are waiting for the database; nothing was changed."),
        );
      }
      return new Promise<Result>((resolve, reject) => {
        // The result that comes back is the one that this unit returned.
        queue.push({ run, resolve: resolve as (result: unknown) => void, reject });
        working ??= work();
      });
    },
    async stop() {
      stopped = true;
      await working;
    },
  };
}

async function statement(text: string, connection: Kysely<never>): Promise<void> {
  await sql.raw(text).execute(connection);
}

const PROBE_EVERY_MS = 1000;
const AWAY = "cannot be reached";

/** Tracks whether the database is available, from the failures of its callers, and tests it each second until it is back. */
export interface Availability {
  status(): DatabaseStatus;
  onStatus(listener: (status: DatabaseStatus) => void): void;
  /** Throws `storage_unavailable` while the database is away, so that nobody waits for a connection in vain. */
  require(): void;
  /** The error to throw for a failed statement: `storage_unavailable` when the database is away or too busy, else the error itself. */
  judge(error: unknown): unknown;
  stop(): void;
}

interface AvailabilityOptions {
  clock: Clock;
  log: Log;
  isLoss(error: unknown): boolean;
  /** The database works but had no time for this statement; others may succeed. */
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
  const notify = (): void => listeners.forEach((listener) => listener(status()));
  const unavailable = (why: string, cause?: unknown): ServiceError =>
    new ServiceError("storage_unavailable", `The database ${why}. Nothing was changed; try again shortly.`, undefined, { cause });

  function lose(error: unknown): void {
    if (lost !== undefined || stopped) return;
    lost = reasonOfLoss(error);
    log.error({ reason: lost }, "database lost");
    notify();
    probeLater();
  }

  function probeLater(): void {
    clock.after(PROBE_EVERY_MS, () => {
      if (stopped) return;
      probe().then(
        () => {
          lost = undefined;
          log.info({}, "database found again");
          notify();
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
      if (lost !== undefined) throw unavailable(AWAY);
    },
    judge(error) {
      if (error instanceof ServiceError) return error;
      if (isBusy(error)) return unavailable("is too busy to answer in time", error);
      if (!isLoss(error)) return error;
      lose(error);
      return unavailable(AWAY, error);
    },
    stop() {
      stopped = true;
    },
  };
}
