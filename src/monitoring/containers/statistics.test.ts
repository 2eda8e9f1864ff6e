import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { until } from "../../../test/support/until.ts";
import type { Event } from "../../events.ts";
import type { ContainerSighting, Observation } from "../../observations.ts";
import { createBus } from "../../platform/bus.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import type { ContainerList } from "./answers.ts";
import { type Containers, createContainers } from "./index.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);

/** Uptime from what was saved. */
onBothDatabases(({ create }) => {
  let clock: FakeClock;
  let containers: Containers;

  beforeEach(async () => {
    clock = createFakeClock(NOON);
    const scheduler = createScheduler(clock, silentLog);
    const bus = createBus<Event>(silentLog);
    containers = createContainers({ database: await create(), bus, clock, scheduler, log: silentLog, logSource: { async *logs() {} } });
    await containers.start();
  });

  const inventory = (seconds: number, seen: Partial<ContainerSighting>): Observation => ({
    kind: "container.inventory",
    observedAt: after(seconds),
    containers: [sighting(seen)],
  });
  const news = (seconds: number, facts: Partial<ContainerSighting>): Observation => ({
    kind: "container.seen",
    observedAt: after(seconds),
    container: sighting(facts),
  });
  const see = (...observations: Observation[]): Promise<void> => containers.observe(null, observations);
  const list = async (): Promise<ContainerList> =>
    JSON.parse(String(await containers.service.list({ archived: false, ignored: false }))) as ContainerList;

  it("counts as uptime only what was watched", async () => {
    await see(inventory(-3600, {}));
    const watched = (from: number, to: number): Promise<void> => see({ kind: "host.watched", since: after(from), observedAt: after(to) });
    await watched(-3600, -3000);
    await watched(-3600, -1800);
    await see(news(-900, { state: "exited", exitCode: 1 }));
    await watched(-1200, 0);
    const { id } = (await list()).groups[0]?.containers[0] ?? { id: 0 };
    const detail = await containers.service.detail(id);
    assert.deepEqual(detail.uptime, { "24h": 70, "7d": 70, "30d": 70, "90d": 70 });
    const { days } = await containers.service.dailyUptime(id, 2);
    assert.deepEqual(days, [
      { date: "2026-03-01", uptime_percent: 70, incidents: 1 },
      { date: "2026-02-28", uptime_percent: null, incidents: 0 },
    ]);
    await clock.advance(12_000);
    await until(async () => (await list()).groups[0]?.containers[0]?.uptime_24h === 70);
  });

  it("does not count the time in which somebody had stopped it, also where the stop was before the time that is asked for", async () => {
    const stopped = { state: "exited" as const, exitCode: 143, stopRequested: true };
    await see(inventory(-30 * 3600, {}));
    await see(news(-26 * 3600, stopped));
    await see(news(-3600, { startedAt: after(-3600) }));
    await see({ kind: "host.watched", since: after(-30 * 3600), observedAt: after(0) });
    const { id } = (await list()).groups[0]?.containers[0] ?? { id: 0 };
    assert.deepEqual((await containers.service.detail(id)).uptime, { "24h": 100, "7d": 100, "30d": 100, "90d": 100 });
    await see(news(-600, { state: "exited", exitCode: 1 }));
    assert.equal((await containers.service.detail(id)).uptime["24h"], 83.33);
  });
});
