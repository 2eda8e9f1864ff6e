/**
 * A program that keeps known series, on a clock that runs some thousand times as fast, until it is killed. Its parent gives its orders; it prints on
 * standard output, line by line, what it is about to do and what is done: `sent TICK`, `kept TICK`, `begin WORK`, `end WORK`, and `time TIME`.
 */
import { flushCompileCache } from "node:module";
import type { Kysely } from "kysely";
import { HOUR_MS, MINUTE_MS } from "../../src/contract/time.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import type { Database } from "../../src/storage/database.ts";
import { openPostgres } from "../../src/storage/postgres.ts";
import { openSqlite } from "../../src/storage/sqlite.ts";
import { createChance } from "./chance.ts";
import { createFakeClock } from "./fake-clock.ts";
import { openKnownSeries, tickAt } from "./known-series.ts";
import { createLogCapture } from "./log-capture.ts";
import { watchTasks } from "./watched-tasks.ts";
import { say } from "./say.ts";

/** A task may last for so many ticks until the clock waits for it: storing must keep up. */
const PATIENCE_TICKS = 20;

/** A file's path, or a server's URL. */
export type Place = { path: string } | { url: string };

export interface WriterOrders {
  place: Place;
  /** Where its clock begins. */
  nowMs: number;
  /** Ticks to send once more before new ones: a collector that got no answer does so. */
  again: number[];
  /** Of the chance that it draws from. */
  seed: number;
}

/** What may be under way when the process is killed. */
export type Work = "append" | "seal" | "forget" | "drop" | "task";

const TICK_MS = 10_000;

if (process.send !== undefined) {
  process.once("message", (orders: WriterOrders) => void live(orders));
  process.once("disconnect", () => process.exit());
  // A killed process writes no compile cache, and all of these are killed.
  flushCompileCache();
  process.send("ready");
}

export function openPlace(place: Place): Database {
  const parts = { clock: systemClock, log: silentLog };
  return "path" in place ? openSqlite({ ...parts, path: place.path }) : openPostgres({ ...parts, url: place.url, redactedUrl: place.url });
}

async function live({ place, nowMs, again, seed }: WriterOrders): Promise<void> {
  const chance = createChance(seed);
  const database = openPlace(place);
  await database.start();
  const clock = createFakeClock(new Date(nowMs));
  const capture = createLogCapture();
  const tasks = watchTasks(createScheduler(clock, capture.log), (what) => say(`${what} task`));
  const series = openKnownSeries({ database: reportingWrites(database), clock, scheduler: tasks.scheduler, log: capture.log });
  await series.start();

  const send = async (atMs: number): Promise<void> => {
    say(`sent ${atMs}`);
    await series.append(tickAt(atMs));
    say(`kept ${atMs}`);
  };

  await Promise.all(again.map(send));
  for (let count = 1; ; count += 1) {
    const atMs = Math.floor(clock.now().getTime() / TICK_MS) * TICK_MS;
    const late = chance.below(8) === 0 ? [atMs - TICK_MS * (1 + chance.below(999))] : [];
    await Promise.all([atMs, ...late].map(send));
    if (capture.text() !== "") throw new Error(`it complained:\n${capture.text()}`);
    // A handful of ticks, then none for a while; now and then the machine sleeps for long.
    const sleepMs = chance.below(300) === 0 ? (2 + chance.below(18)) * HOUR_MS : 0;
    const waitMs = count % 10 === 0 ? (2 + chance.below(38)) * MINUTE_MS : TICK_MS;
    if (count % PATIENCE_TICKS === 0) await tasks.idle();
    say(`time ${atMs + sleepMs + waitMs}`);
    clock.jump(new Date(atMs + sleepMs));
    await clock.advance(waitMs);
  }
}

/** Says when a unit that writes to the series begins, and when it is committed. */
function reportingWrites(database: Database): Database {
  return {
    ...database,
    tables<Schema>() {
      const tables = database.tables<Schema>();
      return {
        get read() {
          return tables.read;
        },
        async write<Result>(unit: (tx: Kysely<Schema>) => Promise<Result>) {
          let work: Work | undefined;
          const begin = (begun: Work): void => {
            if (work === undefined) say(`begin ${begun}`);
            work = begun;
          };
          const result = await tables.write((tx) => unit(overheard(tx, begin)));
          if (work !== undefined) say(`end ${work}`);
          return result;
        },
      };
    },
  };
}

/** The same, but each statement says which work it belongs to. */
function overheard<Schema>(tx: Kysely<Schema>, begin: (work: Work) => void): Kysely<Schema> {
  return new Proxy(tx, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]): unknown => {
        const [first] = args;
        const text = typeof first === "object" && first !== null && "sql" in first ? String(first.sql) : String(first);
        const isJournal = text.includes("series_journal");
        if (name === "deleteFrom") begin(isJournal ? "forget" : "drop");
        if (name === "insertInto" || name === "executeQuery") begin(isJournal ? "append" : "seal");
        return Reflect.apply(member, target, args);
      };
    },
  });
}
