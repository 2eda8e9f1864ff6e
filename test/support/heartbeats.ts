import { createBus } from "../../src/platform/bus.ts";
import type { Event, EventName } from "../../src/events.ts";
import type { CreateBody } from "../../src/monitoring/heartbeats/api.ts";
import type { ExecutionRecord, HeartbeatList, HeartbeatRecord, PingRecord } from "../../src/monitoring/heartbeats/answers.ts";
import { createHeartbeats, type Heartbeats } from "../../src/monitoring/heartbeats/index.ts";
import type { Signal } from "../../src/monitoring/heartbeats/pings.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { Scheduler } from "../../src/platform/scheduler.ts";
import type { Database, DatabaseStatus } from "../../src/storage/database.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createHeldScheduler } from "./held-scheduler.ts";
import { watchKept } from "./kept-events.ts";

export const ORIGIN = { sourceIp: "192.0.2.1", method: "GET", userAgent: null, body: null };

/** No longer than what counts as a pause between two checks of the clock. */
const STEP_SECONDS = 2;

/** The feature as after a start of the program; without a scheduler its periodic work is done when the test says so. */
export async function openHeartbeats(database: Database, clock: FakeClock, ownScheduler?: Scheduler) {
  const events: Event[] = [];
  const bus = createBus<Event>(silentLog);
  const assertKept = watchKept(bus);
  bus.subscribe("test", (event) => void events.push(event));
  const { scheduler: held, run } = createHeldScheduler();
  const scheduler = ownScheduler ?? held;
  const heartbeats: Heartbeats = createHeartbeats({ database, bus, clock, scheduler, baseUrl: "https://watch.example" });
  await heartbeats.start();
  await heartbeats.pings.start();
  const { service } = heartbeats;
  // As half a second after a start, before anything can happen.
  if (ownScheduler === undefined) await run("heartbeat gaps");
  const page = { limit: 1000, offset: 0 };
  return {
    events,
    service,
    announce: heartbeats.announce,
    routes: heartbeats.routes,
    tools: heartbeats.tools,
    judge: () => run("heartbeat deadlines"),
    prune: () => run("heartbeat retention"),
    checkClock: () => run("heartbeat gaps"),
    /** As at the end of the program. */
    stop: heartbeats.pings.stop,
    /** Lets time pass, looking for what is due every ten seconds and at the end. */
    async pass(seconds: number): Promise<void> {
      for (let passed = 0; passed < seconds;) {
        const step = Math.min(STEP_SECONDS, seconds - passed);
        passed += step;
        await clock.advance(step * 1000);
        await run("heartbeat gaps");
        if (passed % 10 === 0 || passed === seconds) await run("heartbeat deadlines");
      }
      assertKept();
    },
    make: (body: Partial<CreateBody> = {}): Promise<HeartbeatRecord> =>
      service.create({ name: "backup", interval_seconds: 3600, grace_seconds: 300, ...body }),
    ping: (of: HeartbeatRecord, what: Signal["kind"] | number = "success", rid: string | null = null): Promise<void> => {
      const signal = typeof what === "number" ? { kind: "exit_code" as const, exitCode: what } : { kind: what, exitCode: null };
      return service.receive(of.uuid, { ...signal, rid }, ORIGIN);
    },
    now: ({ id }: HeartbeatRecord): HeartbeatRecord => service.detail(id).heartbeat,
    list: (filter = {}): HeartbeatList => JSON.parse(String(service.list(filter))) as HeartbeatList,
    pings: async ({ id }: HeartbeatRecord): Promise<PingRecord[]> => (await service.pings(id, page)).pings.toReversed(),
    executions: async ({ id }: HeartbeatRecord): Promise<ExecutionRecord[]> => (await service.executions(id, page)).executions.toReversed(),
    published(type: EventName) {
      assertKept();
      return events.filter((event) => event.type === type);
    },
  };
}

export type OpenedHeartbeats = Awaited<ReturnType<typeof openHeartbeats>>;

/** The same database, of which the test can say that it was away, hold back a unit, and count what is written. */
export function watchedDatabase(database: Database) {
  const listeners: ((status: DatabaseStatus) => void)[] = [];
  let writes = 0;
  let held: { arrived(): void; released: Promise<void> } | undefined;
  const seen: Database = {
    ...database,
    onStatus: (listener) => void listeners.push(listener),
    tables<Schema>() {
      const tables = database.tables<Schema>();
      const counted: typeof tables = {
        get read() {
          return tables.read;
        },
        async write(unit) {
          writes += 1;
          const mine = held;
          held = undefined;
          mine?.arrived();
          await mine?.released;
          return tables.write(unit);
        },
      };
      return counted;
    },
  };
  /** Holds back the next unit until released. */
  function holdNext(): { arrived: Promise<void>; release(): void } {
    const arrival = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    held = { arrived: arrival.resolve, released: release.promise };
    return { arrived: arrival.promise, release: release.resolve };
  }

  return {
    seen,
    holdNext,
    writes: () => writes,
    reportStatus: (status: DatabaseStatus) => listeners.forEach((listener) => listener(status)),
  };
}
