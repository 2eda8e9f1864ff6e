import { type DatabaseConnection, type Dialect, type Driver, Kysely } from "kysely";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { Capabilities } from "./capabilities.ts";
import type { Database, Tables } from "./database.ts";
import { type Leadership, TakenOver } from "./leadership.ts";
import { migrate } from "./migrate.ts";
import { createWriter, type Availability, createAvailability, type WriterOptions } from "./writer.ts";

/** The open connections of an engine. */
export interface Connections extends Pick<WriterOptions, "verify" | "checkpoint"> {
  reading: Dialect;
  writing: Dialect;
  /** If it is a different one. */
  migrating?: Dialect;
}

/** The parts that differ between databases; everything else is shared. */
export interface Engine {
  capabilities: Capabilities;
  /** Its name in a sentence, without credentials. */
  where: string;
  /** Throws a StartError. */
  connect(lost: (error: unknown) => void): Promise<Connections>;
  /** Decides which program may write, if several can reach the database. */
  leadership?: Leadership;
  /** Closes what the dialect does not close. */
  disconnect(): Promise<void>;
  isLoss(error: unknown): boolean;
  /** Whether the database works but had no time for a statement or a connection. */
  isBusy(error: unknown): boolean;
  /** Why it was lost, in words. */
  reasonOfLoss(error: unknown): string;
  /** Succeeds when the database can be used again. */
  probe(): Promise<void>;
  /** See Database. */
  forgetOldRows(tables: readonly string[]): Promise<boolean>;
}

export function createDatabase(engine: Engine, { clock, log }: { clock: Clock; log: Log }): Database {
  const { capabilities, leadership, isLoss, isBusy, reasonOfLoss } = engine;
  const availability = createAvailability({ clock, log, isLoss, isBusy, reasonOfLoss, probe: () => watched(engine.probe) });
  const takenOver = Promise.withResolvers<void>();

  /** Reports when another program has taken over the database. */
  async function watched<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof TakenOver) takenOver.resolve();
      throw error;
    }
  }

  let opened: { reader: Kysely<never>; writer: ReturnType<typeof createWriter>; close(): Promise<void> } | undefined;

  /** Opens and migrates. */
  async function open(): Promise<NonNullable<typeof opened>> {
    const { reading, writing, migrating, ...atCommit } = await engine.connect((error) => void availability.judge(error));
    const guard = (dialect: Dialect): Kysely<never> =>
      new Kysely({ dialect: guardDialect(dialect, availability, { failFast: !capabilities.readsOutliveWrites }) });
    const reader = guard(reading);
    const writingDatabase = guard(writing);
    const migrator = migrating === undefined ? undefined : guard(migrating);
    try {
      const target = migrator ?? writingDatabase;
      await migrate({ database: target, capabilities, where: engine.where, reasonOf: reasonOfLoss, clock, log });
      await leadership?.claim(target);
    } finally {
      await migrator?.destroy();
    }
    const fence = (transaction: Kysely<never>): Promise<void> => watched(async () => leadership?.fence(transaction));
    return {
      reader,
      writer: createWriter({
        database: writingDatabase,
        capabilities,
        availability,
        ...atCommit,
        clock,
        fence,
      }),
      async close() {
        await reader.destroy();
        await writingDatabase.destroy();
      },
    };
  }

  function required(): NonNullable<typeof opened> {
    if (opened === undefined) throw new ServiceError("storage_unavailable", "The database is closed; nothing was changed.");
    return opened;
  }

  async function stop(): Promise<void> {
    availability.stop();
    await opened?.writer.stop();
    await opened?.close();
    await engine.disconnect();
    opened = undefined;
  }

  return {
    capabilities,
    status: availability.status,
    onStatus: availability.onStatus,
    tables<Schema>() {
      // Which tables exist is decided by the migrations; the schema here is only the caller's view.
      const view: Tables<never> = {
        get read() {
          return required().reader;
        },
        write: async (unit) => required().writer.write(unit),
      };
      return view as unknown as Tables<Schema>;
    },
    forgetOldRows: engine.forgetOldRows,
    acquire: async () => leadership === undefined || leadership.acquire((error) => void availability.judge(error)),
    takenOver: takenOver.promise,
    async start() {
      try {
        opened = await open();
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
  };
}

/** The same dialect with its failures classified: the loss of the database becomes `storage_unavailable`. */
function guardDialect(dialect: Dialect, availability: Availability, { failFast }: { failFast: boolean }): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (database) => dialect.createIntrospector(database),
    createDriver: () => guardDriver(dialect.createDriver(), availability, failFast),
  };
}

function guardDriver(driver: Driver, availability: Availability, failFast: boolean): Driver {
  const guarded = new WeakMap<DatabaseConnection, DatabaseConnection>();
  const originals = new WeakMap<DatabaseConnection, DatabaseConnection>();
  const original = (connection: DatabaseConnection): DatabaseConnection => originals.get(connection) ?? connection;

  return {
    init: () => driver.init(),
    destroy: () => driver.destroy(),
    beginTransaction: (connection, settings) => driver.beginTransaction(original(connection), settings),
    commitTransaction: (connection) => driver.commitTransaction(original(connection)),
    rollbackTransaction: (connection) => driver.rollbackTransaction(original(connection)),
    releaseConnection: (connection) => driver.releaseConnection(original(connection)),
    async acquireConnection() {
      if (failFast) availability.require();
      try {
        const connection = await driver.acquireConnection();
        const known = guarded.get(connection) ?? guardConnection(connection, availability);
        guarded.set(connection, known);
        originals.set(known, connection);
        return known;
      } catch (error) {
        throw availability.judge(error);
      }
    },
  };
}

function guardConnection(connection: DatabaseConnection, availability: Availability): DatabaseConnection {
  return {
    async executeQuery(query) {
      try {
        return await connection.executeQuery(query);
      } catch (error) {
        throw availability.judge(error);
      }
    },
    async *streamQuery(query, chunkSize) {
      try {
        yield* connection.streamQuery(query, chunkSize);
      } catch (error) {
        throw availability.judge(error);
      }
    },
  };
}
