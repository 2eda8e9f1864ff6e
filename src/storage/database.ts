import type { Kysely } from "kysely";
import type { Capabilities } from "./capabilities.ts";

/** A view of the database through the tables of one feature. */
export interface Tables<Schema> {
  /** For reading: what was last committed. */
  read: Kysely<Schema>;
  /**
   * Runs one unit of writing atomically. Units wait their turn and share a commit with their neighbours, so that durability
   * costs one flush for many; the promise settles after that commit. A unit does nothing but talk to the database.
   * Throws `storage_unavailable` when the database is gone or the queue of units is full: then nothing of the unit is kept,
   * save that a commit interrupted by a lost connection may have happened.
   */
  write<Result>(unit: (tx: Kysely<Schema>) => Promise<Result>): Promise<Result>;
}

export interface DatabaseStatus {
  connected: boolean;
  /** Why it is not connected. */
  error: string | null;
}

/** The one door to storage, the same before SQLite and PostgreSQL. */
export interface Database {
  readonly capabilities: Capabilities;
  /** Takes the database for this program alone, before it is started; false while another program has it. Throws a StartError when it cannot be reached. */
  acquire(): Promise<boolean>;
  /** Settles once another program has taken the database over: nothing more is read or written, and this program must end. */
  readonly takenOver: Promise<void>;
  /** Opens and migrates. Throws a StartError that says what is wrong and what to do. */
  start(): Promise<void>;
  /** Lets queued units finish, then closes. */
  stop(): Promise<void>;
  status(): DatabaseStatus;
  /** Calls back whenever the database is lost or found again. */
  onStatus(listener: (status: DatabaseStatus) => void): void;
  tables<Schema>(): Tables<Schema>;
  /**
   * Removes old versions of the rows of tables from the disk; false when that would take too long. Uses a separate connection, so that a failure
   * does not count as the loss of the database. Throws the error of the database as it is.
   */
  forgetOldRows(tables: readonly string[]): Promise<boolean>;
}
