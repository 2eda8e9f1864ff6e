import { HOUR_MS } from "../../src/contract/time.ts";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { fakeContainer } from "../../test/support/fake-runtime.ts";
import { sighting } from "../../test/support/sightings.ts";
import { watchTasks } from "../../test/support/watched-tasks.ts";
import type { Event } from "../../src/events.ts";
import type { Route } from "../../src/http/route.ts";
import { createContainers } from "../../src/monitoring/containers/index.ts";
import { createIntake } from "../../src/monitoring/intake.ts";
import { createResources, RESOURCE_FAMILY } from "../../src/monitoring/resources/index.ts";
import { TICK_MS } from "../../src/observations.ts";
import { createBus } from "../../src/platform/bus.ts";
import { type Clock, systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import { createLive } from "../../src/publishing/live/index.ts";
import { createSeriesStore } from "../../src/storage/series/index.ts";
import { openSqlite } from "../../src/storage/sqlite.ts";
import type { MadeReadings } from "./readings.ts";

/** The defaults of the options. */
const RETENTION = { detailMs: 48 * HOUR_MS, minutesMs: 720 * HOUR_MS, hoursMs: 9600 * HOUR_MS };

/** The path of readings through the program, from the intake to the file, on a clock that jumps from tick to tick. */
export interface ResourcePath {
  clock: Clock;
  routes: readonly Route[];
  /** The readings of the clock's tick, taken in and saved; then the time until the next tick, with all work that falls into it. */
  tick(): Promise<void>;
  /** Passes time in which nothing is read. */
  rest(milliseconds: number): Promise<void>;
  stop(): Promise<void>;
}

export async function openResourcePath({
  file,
  startMs,
  readings,
}: {
  file: string;
  startMs: number;
  readings: MadeReadings;
}): Promise<ResourcePath> {
  const log = silentLog;
  const clock = createFakeClock(new Date(startMs));
  const scheduler = createScheduler(clock, log);
  const storing = watchTasks(scheduler);
  const database = openSqlite({ path: file, clock: systemClock, log });
  const bus = createBus<Event>(log);
  // Other benches measure what containers do now and then: their clock stands still.
  const containers = createContainers({
    database,
    bus,
    clock,
    scheduler: createScheduler(createFakeClock(), log),
    log: silentLog,
    logSource: { async *logs() {} },
  });
  const series = createSeriesStore({ database, family: RESOURCE_FAMILY, clock, scheduler: storing.scheduler, log, retention: RETENTION });
  const resources = createResources({ database, series, containers, bus, clock, scheduler, requireCapability: () => undefined });
  let saved = Promise.withResolvers<void>();
  const intake = createIntake({ clock, log });
  intake.start({
    observers: [containers, resources, { observe: async (_agentId, batch) => void (isTick(batch) && saved.resolve()) }],
  });
  const live = createLive({ bus, clock, log, version: "0.0.0" });

  await database.start();
  await containers.start();
  await series.start();
  await resources.start();
  live.start();
  const inventory = readings.externalIds.map((externalId, number) => {
    const { name, image, project, labels } = fakeContainer(number + 1);
    return sighting({ externalId, name, image, project, labels });
  });
  await containers.observe(null, [{ kind: "container.inventory", observedAt: new Date(startMs), containers: inventory }]);

  async function rest(milliseconds: number): Promise<void> {
    await clock.advance(milliseconds);
    // Work that takes long on the jumping clock takes a moment in truth.
    await storing.idle();
  }

  return {
    clock,
    routes: resources.routes,
    rest,
    async tick() {
      const observedAt = clock.now();
      saved = Promise.withResolvers<void>();
      intake.observe(null, { kind: "host.sampled", observedAt, host: readings.host(observedAt.getTime()) });
      intake.observe(null, { kind: "resources.sampled", observedAt, readings: readings.at(observedAt.getTime()) });
      await saved.promise;
      await rest(TICK_MS);
    },
    async stop() {
      live.stop();
      await scheduler.stop();
      await intake.stop();
      await resources.stop();
      await series.stop();
      await database.stop();
    },
  };
}

function isTick(batch: readonly { kind: string }[]): boolean {
  return batch.some(({ kind }) => kind === "resources.sampled");
}
