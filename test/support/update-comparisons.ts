import { HOUR_MS } from "../../src/contract/time.ts";
import type { Event, EventName } from "../../src/events.ts";
import { type Containers, createContainers } from "../../src/monitoring/containers/index.ts";
import { createEndpoints } from "../../src/monitoring/endpoints/index.ts";
import { createResources, RESOURCE_FAMILY } from "../../src/monitoring/resources/index.ts";
import { type UpdateComparisons, createUpdateComparisons } from "../../src/monitoring/updates/comparisons/index.ts";
import type { CheckResult, ContainerSighting, Observation } from "../../src/observations.ts";
import { createBus } from "../../src/platform/bus.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import type { Database } from "../../src/storage/database.ts";
import { createSeriesStore } from "../../src/storage/series/index.ts";
import { checkedObservation } from "./endpoints.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createHeldScheduler } from "./held-scheduler.ts";
import { type Reading, sampled } from "./readings.ts";
import { sighting } from "./sightings.ts";
import { watchTasks } from "./watched-tasks.ts";
import { testSecrets } from "./secrets.ts";

/** What is watched of containers over a database, and what follows after their images change, with a clock that the test turns. */
export interface WatchedComparisons {
  updateComparisons: UpdateComparisons;
  containers: Containers;
  events: Event[];
  published<Name extends EventName>(name: Name): Event<Name>["data"][];
  see(agentId: string | null, ...observations: Observation[]): Promise<void>;
  /** An inventory of the local host, now. */
  show(...containers: Partial<ContainerSighting>[]): Promise<void>;
  /** One container of the local host, now. */
  seen(container: Partial<ContainerSighting>): Promise<void>;
  gone(externalId: string): Promise<void>;
  /** It is removed, and ten minutes later nothing has come in its place. */
  giveUp(externalId: string): Promise<void>;
  /** Lets so many minutes pass; in each the local containers use this, and their endpoints answer so. */
  live(minutes: number, uses: Record<string, Reading>, checks?: Record<string, Partial<CheckResult>>): Promise<void>;
  /** Lets time pass, and what is done in it come to its end. */
  pass(milliseconds: number): Promise<void>;
  /** The same while the local host is not watched. */
  passUnwatched(milliseconds: number): Promise<void>;
  idOf(externalId: string): number;
  stop(): Promise<void>;
}

const TICK_MS = 10_000;
/** So long a container that is gone may be re-created. */
const AWAITED_MS = 600_000;
const HALF_MINUTE_MS = 30_000;

/** As after a start of the program, on the database as it is. */
export async function startUpdateComparisons({
  database,
  clock,
  alerts = true,
}: {
  database: Database;
  clock: FakeClock;
  alerts?: boolean;
}): Promise<WatchedComparisons> {
  const events: Event[] = [];
  const bus = createBus<Event>(silentLog);
  bus.subscribe("test", (event) => void events.push(event));
  const { scheduler, idle } = watchTasks(createScheduler(clock, silentLog));
  // What the others do from time to time changes nothing here, and would take the test most of its time.
  const { scheduler: idleScheduler } = createHeldScheduler();
  const shared = { database, secrets: testSecrets, bus, clock, scheduler: idleScheduler, log: silentLog };
  const containers = createContainers({ ...shared, logSource: { async *logs() {} } });
  const retention = { detailMs: 48 * HOUR_MS, minutesMs: 720 * HOUR_MS, hoursMs: 9600 * HOUR_MS };
  const series = createSeriesStore({ ...shared, family: RESOURCE_FAMILY, retention });
  const resources = createResources({ ...shared, series, containers, requireCapability() {} });
  const probes = { set() {}, checkNow: () => Promise.reject(new Error("nothing is checked out of turn")) };
  const endpoints = createEndpoints({ ...shared, containers, probes });
  const updateComparisons = createUpdateComparisons({ ...shared, scheduler, containers, endpoints, series, alerts });
  await containers.start();
  await series.start();
  await resources.start();
  await endpoints.start();
  await updateComparisons.start();

  async function see(agentId: string | null, ...observations: Observation[]): Promise<void> {
    for (const each of [containers, resources, endpoints, updateComparisons]) await each.observe(agentId, observations);
  }

  let watchedSince = clock.now();

  /** A database takes its time, which this clock does not know. */
  async function pass(milliseconds: number, isWatched = true): Promise<void> {
    for (let leftMs = milliseconds; leftMs > 0; leftMs -= HALF_MINUTE_MS) {
      await clock.advance(Math.min(leftMs, HALF_MINUTE_MS));
      if (isWatched) await see(null, { kind: "host.watched", since: watchedSince, observedAt: clock.now() });
      await idle();
    }
    if (!isWatched) watchedSince = clock.now();
  }

  /** As they were seen last. */
  const there = new Map<string, ContainerSighting>();
  function note(shown: readonly Partial<ContainerSighting>[]): ContainerSighting[] {
    const seen = shown.map(sighting);
    for (const each of seen) there.set(each.externalId, each);
    return seen;
  }
  function list(): Promise<void> {
    return see(null, { kind: "container.inventory", observedAt: clock.now(), containers: [...there.values()] });
  }
  async function gone(externalId: string): Promise<void> {
    there.delete(externalId);
    await see(null, { kind: "container.gone", observedAt: clock.now(), externalId });
  }

  return {
    pass: (milliseconds) => pass(milliseconds),
    passUnwatched: (milliseconds) => pass(milliseconds, false),
    updateComparisons,
    containers,
    events,
    // The name says which data it is.
    published: <Name extends EventName>(name: Name) =>
      events.filter(({ type }) => type === name).map(({ data }) => data as Event<Name>["data"]),
    see,
    async show(...shown) {
      there.clear();
      note(shown);
      await list();
    },
    async seen(container) {
      const [seen = sighting()] = note([container]);
      await see(null, { kind: "container.seen", observedAt: clock.now(), container: seen });
    },
    gone,
    async giveUp(externalId) {
      await gone(externalId);
      await clock.advance(AWAITED_MS);
      await list();
    },
    async live(minutes, uses, checks = {}) {
      for (let minute = 0; minute < minutes; minute += 1) {
        const tick = new Date(Math.floor(clock.now().getTime() / TICK_MS) * TICK_MS);
        const checked = [0, 30_000].flatMap((afterMs) =>
          Object.entries(checks).map(([key, result]) => checkedObservation(key, new Date(clock.now().getTime() + afterMs), result)),
        );
        await see(null, sampled(tick, uses), ...checked);
        await pass(60_000);
      }
    },
    idOf(externalId) {
      const container = containers.present.find(null, externalId);
      if (container === undefined) throw new Error(`there is no container ${externalId}`);
      return container.id;
    },
    async stop() {
      await updateComparisons.stop();
      await scheduler.stop();
      await resources.stop();
      await series.stop();
    },
  };
}
