import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { Kysely, SqliteDialect } from "kysely";
import type { Clock } from "../platform/clock.ts";
import { messageOf, StartError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { SQLITE } from "./capabilities.ts";
import { createDatabase } from "./create-database.ts";
import type { Database } from "./database.ts";
import { inspect, type Inspection } from "./inspect.ts";
import { isDamage, isLoss, reasonOfLoss } from "./sqlite-errors.ts";
import {
  adapt,
  checkFile,
  closeToOthers,
  createCheckpoint,
  lockFile,
  openFile,
  openFileToRead,
  rewriteFile,
  watchFile,
} from "./sqlite-file.ts";

export interface SqliteOptions {
  /** Path of the database file; its folder is made when missing. */
  path: string;
  clock: Clock;
  log: Log;
}

/** The state of the file, read without changing it or the files next to it. Throws a StartError. */
export async function inspectSqlite(path: string): Promise<Inspection> {
  const capabilities = SQLITE;
  if (!existsSync(path)) return { engine: capabilities.engine, isNew: true, waiting: [], sealedWith: [] };
  const database = new Kysely<never>({ dialect: new SqliteDialect({ database: adapt(openFileToRead(path)) }) });
  try {
    return await inspect({ database, capabilities, where: `the database file ${path}` });
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(`The database file ${path} cannot be used: ${reasonOfLoss(path, error)}.`);
  } finally {
    await database.destroy();
  }
}

/** The pause between two checks, as a multiple of the time of a check: reading a large file takes long and holds up everything else. */
const CHECK_REST = 20;

/** Keeps a damaged file from being written to until all of it can be read. */
class DamageCheck {
  readonly #path: string;
  readonly #clock: Clock;
  /** The error by which damage was found; undefined once the file was found whole. */
  #damage: unknown;
  #nextCheckMs = -Infinity;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  note(error: unknown): void {
    if (isDamage(error)) this.#damage ??= error;
  }

  /** Throws while the file is damaged. Without noted damage does nothing. */
  requireWhole(file: DatabaseSync | undefined): void {
    if (this.#damage === undefined) return;
    const startedMs = this.#clock.monotonicMs();
    if (file === undefined || startedMs < this.#nextCheckMs) throw this.#damage;
    try {
      checkFile(this.#path, file);
      this.#damage = undefined;
    } finally {
      const endedMs = this.#clock.monotonicMs();
      this.#nextCheckMs = endedMs + (endedMs - startedMs) * CHECK_REST;
    }
  }
}

/** The default database: one file, WAL, synchronous=FULL, one program, one connection for writing and one for reading. */
export function openSqlite({ path, clock, log }: SqliteOptions): Database {
  const files: DatabaseSync[] = [];
  const damageCheck = new DamageCheck(path, clock);
  let opened: { reading: DatabaseSync; writing: DatabaseSync; verify(): void } | undefined;

  return createDatabase(
    {
      capabilities: SQLITE,
      where: `the database file ${path}`,
      isLoss(error) {
        damageCheck.note(error);
        return isLoss(error);
      },
      /** A file that another program holds stays locked: the lock is waited for, then the file counts as lost. */
      isBusy: () => false,
      reasonOfLoss: (error) => reasonOfLoss(path, error),
      async connect() {
        files.push(lockFile(path));
        try {
          closeToOthers(path);
        } catch (error) {
          log.warn({ reason: messageOf(error) }, "other users may read the database, and its permissions cannot be changed");
        }
        const writing = openFile(path);
        files.push(writing);
        const reading = openFile(path);
        files.push(reading);
        const verify = watchFile(path);
        opened = { reading, writing, verify };
        return {
          reading: new SqliteDialect({ database: adapt(reading) }),
          writing: new SqliteDialect({ database: adapt(writing) }),
          verify,
          checkpoint: createCheckpoint({ path, file: writing, log }),
        };
      },
      async disconnect() {
        // A dialect closes only what was used. The last connection to close cleans up, and the lock is released last.
        for (const file of files.splice(0).toReversed()) if (file.isOpen) file.close();
      },
      /** Tries a write, since a full disk can still be read. */
      async probe() {
        opened?.verify();
        damageCheck.requireWhole(opened?.reading);
        opened?.writing.exec("BEGIN IMMEDIATE; UPDATE schema_migrations SET name = name; COMMIT");
      },
      forgetOldRows: async () => rewriteFile(path),
    },
    { clock, log },
  );
}
