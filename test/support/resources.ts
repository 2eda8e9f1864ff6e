import { HOUR_MS } from "../../src/contract/time.ts";
import { requireCapability } from "../../src/editions/edition.ts";
import type { Edition } from "../../src/editions/edition.ts";
import type { Event, EventName } from "../../src/events.ts";
import { type Containers, createContainers } from "../../src/monitoring/containers/index.ts";
import { createResources, RESOURCE_FAMILY, type Resources } from "../../src/monitoring/resources/index.ts";
import type { ContainerSighting, Observation } from "../../src/observations.ts";
import { createBus } from "../../src/platform/bus.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import type { Database } from "../../src/storage/database.ts";
import { createSeriesStore, type SeriesStore } from "../../src/storage/series/index.ts";
import type { FakeClock } from "./fake-clock.ts";
import { watchKept } from "./kept-events.ts";
import { type Reading, sampled } from "./readings.ts";
import { sighting } from "./sightings.ts";

const RETENTION = { detailMs: 48 * HOUR_MS, minutesMs: 720 * HOUR_MS, hoursMs: 9600 * HOUR_MS };

/** Containers and their resources over a database, with a clock that the test turns: the part of the program between hosts and pages. */
export interface Watching {
  containers: Containers;
  resources: Resources;
  series: SeriesStore;
  /** What was published so far. */
  events: Event[];
  published<Name extends EventName>(name: Name): Event<Name>["data"][];
  /** Gives observations to both, as the intake does. */
  see(agentId: string | null, ...observations: Observation[]): Promise<void>;
  /** An inventory of the local host, now. */
  show(...containers: Partial<ContainerSighting>[]): Promise<void>;
  /** The local host's tick, now. */
  tick(byContainer: Record<string, Reading>): Promise<void>;
  /** The id of a container, by its external id. */
  id(externalId: string): number;
  stop(): Promise<void>;
}

/** As after a start of the program, on the database as it is. */
export async function startWatching({
  database,
  clock,
  edition = () => "community",
}: {
  database: Database;
  clock: FakeClock;
  edition?: () => Edition;
}): Promise<Watching> {
  const events: Event[] = [];
  const bus = createBus<Event>(silentLog);
  const assertKept = watchKept(bus);
  bus.subscribe("test", (event) => events.push(event));
  const scheduler = createScheduler(clock, silentLog);
  const logSource = { async *logs() {} };
  const containers = createContainers({ database, bus, clock, scheduler, log: silentLog, logSource });
  const series = createSeriesStore({ database, family: RESOURCE_FAMILY, clock, scheduler, log: silentLog, retention: RETENTION });
  const resources = createResources({
    database,
    series,
    containers,
    bus,
    clock,
    scheduler,
    requireCapability: (capability) => requireCapability(edition(), capability),
  });
  await containers.start();
  await series.start();
  await resources.start();

  async function see(agentId: string | null, ...observations: Observation[]): Promise<void> {
    await containers.observe(agentId, observations);
    await resources.observe(agentId, observations);
  }

  return {
    containers,
    resources,
    series,
    events,
    // The name says which data it is.
    published: <Name extends EventName>(name: Name) =>
      events.filter(({ type }) => type === name).map(({ data }) => data as Event<Name>["data"]),
    see,
    show: (...shown) => see(null, { kind: "container.inventory", observedAt: clock.now(), containers: shown.map(sighting) }),
    tick: (byContainer) => see(null, sampled(clock.now(), byContainer)),
    id: (externalId) => containers.present.find(null, externalId)?.id ?? 0,
    async stop() {
      await scheduler.stop();
      await resources.stop();
      await series.stop();
      assertKept();
    },
  };
}
