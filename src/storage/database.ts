import type { Kysely } from "kysely";
import type { Capabilities } from "./capabilities.ts";

/** The database with the types of one feature's tables. */
export interface Tables<Schema> {
  /** For reading: the last committed state. */
  read: Kysely<Schema>;
  /**
   * Runs one unit of writing atomically. Units wait for their turn and share a commit with their neighbours, so that many units cost one flush; the
   * promise settles after that commit. A unit may only use the database. Throws `storage_unavailable` when the database is away or the queue is full.
   * Then nothing of the unit is saved, except that a commit interrupted by a lost connection may have happened.
   */
  write<Result>(unit: (tx: Kysely<Schema>) => Promise<Result>): Promise<Result>;
}

export interface DatabaseStatus {
  connected: boolean;
  /** Why it is not connected. */
  error: string | null;
}

/** The interface of the database, the same for SQLite and PostgreSQL. */
export interface Database {
  readonly capabilities: Capabilities;
  /**
   * Reserves the database for this program before it is started; false while another program has it. Throws a StartError when it cannot be reached.
   */
  acquire(): Promise<boolean>;
  /** Settles when another program has taken over the database: nothing more is read or written, and this program must end. */
  readonly takenOver: Promise<void>;
  /** Opens and migrates. Throws a StartError that says what is wrong and what to do. */
  start(): Promise<void>;
  /** Lets queued units finish, then closes. */
  stop(): Promise<void>;
  status(): DatabaseStatus;
  /** Called when the database was lost or is back. */
  onStatus(listener: (status: DatabaseStatus) => void): void;
  tables<Schema>(): Tables<Schema>;
  /**
   * Removes old versions of the rows of tables from disk; false when that would take too long. Uses a separate connection, so that a failure does not
   * count as the loss of the database. Throws the database's own error.
   */
  forgetOldRows(tables: readonly string[]): Promise<boolean>;
}
