import { type Dialect, Kysely } from "kysely";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { createAvailability } from "./availability.ts";
import type { Capabilities } from "./capabilities.ts";
import type { Database, Tables } from "./database.ts";
import { guardDialect } from "./guarded-dialect.ts";
import { migrate } from "./migrate.ts";
import { createWriter } from "./writer.ts";

/** What one kind of database brings; everything else is the same for all. */
export interface Engine {
  capabilities: Capabilities;
  /** How a sentence names it, without credentials. */
  where: string;
  /** Opens what reads and what writes. Throws a StartError. */
  connect(lost: (error: unknown) => void): Promise<{ reading: Dialect; writing: Dialect }>;
  /** Closes what a dialect does not. */
  disconnect(): Promise<void>;
  isLoss(error: unknown): boolean;
  /** Why it was lost, in words. */
  reasonOfLoss(error: unknown): string;
  /** Throws when what is committed now would not last. Asked before every commit, so it must cost little. */
  verify(): void;
  /** Succeeds when the database can be used again. */
  probe(): Promise<void>;
}

export function createDatabase(engine: Engine, { clock, log }: { clock: Clock; log: Log }): Database {
  const { capabilities } = engine;
  const availability = createAvailability({ clock, log, isLoss: engine.isLoss, reasonOfLoss: engine.reasonOfLoss, probe: engine.probe });
  let opened: { reader: Kysely<never>; writer: ReturnType<typeof createWriter>; close(): Promise<void> } | undefined;

  async function open(): Promise<NonNullable<typeof opened>> {
    const { reading, writing } = await engine.connect((error) => void availability.judge(error));
    const guard = (dialect: Dialect): Kysely<never> =>
      new Kysely({ dialect: guardDialect(dialect, availability, { failFast: !capabilities.readsOutliveWrites }) });
    const reader = guard(reading);
    const writingDatabase = guard(writing);
    return {
      reader,
      writer: createWriter({ database: writingDatabase, capabilities, availability, verify: engine.verify, clock }),
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
      // The schema is the caller's view: which tables there are is decided by the migrations.
      const view: Tables<never> = {
        get read() {
          return required().reader;
        },
        write: async (unit) => required().writer.write(unit),
      };
      return view as unknown as Tables<Schema>;
    },
    async start() {
      try {
        opened = await open();
        const { where, reasonOfLoss: reasonOf } = engine;
        await migrate({ database: opened.writer.database, capabilities, where, reasonOf, clock });
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
  };
}
