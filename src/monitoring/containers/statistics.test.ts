import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { MINUTE_MS } from "../../contract/time.ts";
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

const AGENT = "0b9c54a0-0000-4000-8000-000000000001";
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
    assert.deepEqual(await containers.service.dailyUptime(id, 2), {
      days: [
        { date: "2026-03-01", uptime_percent: 70, observed_seconds: 3000, incidents: 1 },
        { date: "2026-02-28", uptime_percent: null, observed_seconds: 0, incidents: 0 },
      ],
      unobserved: [{ from: after(-1800).toISOString(), to: after(-1200).toISOString() }],
    });
    await clock.advance(12_000);
    await until(async () => (await list()).groups[0]?.containers[0]?.uptime_24h === 70);
  });

  it("counts time once that was watched twice, since the clock was set back", async () => {
    await see(inventory(-3600, {}));
    const watched = (from: number, to: number): Promise<void> => see({ kind: "host.watched", since: after(from), observedAt: after(to) });
    await watched(-3600, -1800);
    await watched(-2400, -2300);
    await watched(-2200, -1200);
    const { id } = (await list()).groups[0]?.containers[0] ?? { id: 0 };
    const { days, unobserved } = await containers.service.dailyUptime(id, 1);
    assert.equal(days[0]?.observed_seconds, 2400);
    assert.deepEqual(unobserved, [{ from: after(-1200).toISOString(), to: null }]);
  });

  it("shows days on which a stopped one was not watched as not observed, and those on which it was as observed", async () => {
    const hours = (count: number): Date => after(count * 3600);
    const watched = (from: number, to: number): Promise<void> => see({ kind: "host.watched", since: hours(from), observedAt: hours(to) });
    await see(inventory(-72 * 3600, { state: "exited", exitCode: 143, stopRequested: true }));
    await watched(-72, -66);
    await watched(-36, -20);
    const id = containers.present.find(null, sighting({}).externalId)?.id ?? 0;
    const { days, unobserved } = await containers.service.dailyUptime(id, 5);
    assert.deepEqual(
      days.map(({ date, uptime_percent, observed_seconds }) => [date, uptime_percent, observed_seconds / 3600]),
      [
        ["2026-03-01", null, 0],
        ["2026-02-28", null, 16],
        ["2026-02-27", null, 0],
        ["2026-02-26", null, 6],
        ["2026-02-25", null, 0],
      ],
    );
    assert.deepEqual(unobserved, [
      { from: hours(-66).toISOString(), to: hours(-36).toISOString() },
      { from: hours(-20).toISOString(), to: null },
    ]);
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

  it("does not count it either once that stop is older than what is kept", async () => {
    const days = (count: number): number => count * 24 * 3600;
    await see(inventory(-days(120), {}));
    await see(news(-days(100), { state: "exited", exitCode: 143, stopRequested: true }));
    await see(news(-days(10), { startedAt: after(-days(10)) }));
    await see({ kind: "host.watched", since: after(-days(120)), observedAt: after(0) });
    const id = containers.present.find(null, sighting({}).externalId)?.id ?? 0;
    const all = { since: after(-days(200)).toISOString(), until: after(0).toISOString(), limit: 10, offset: 0 };
    const kept = async (): Promise<number> => (await containers.service.transitions(id, all)).total;
    assert.equal(await kept(), 3);
    await clock.advance(MINUTE_MS);
    await until(async () => (await kept()) === 2);
    assert.equal((await containers.service.detail(id)).uptime["30d"], 100);
    const [then] = await containers.moment.containers(after(-days(20)), undefined);
    assert.equal(then?.stopRequested, true);
  });

  it("does not count the time in which one that had failed was gone, until it was made again", async () => {
    const failed = { state: "exited" as const, exitCode: 1 };
    const gone = (seconds: number, externalId: string): Promise<void> =>
      see({ kind: "container.gone", observedAt: after(seconds), externalId });
    const made = (externalId: string, seconds: number) => ({ externalId, createdAt: after(seconds), startedAt: after(seconds) });
    const [first, second, third] = [made("a", -50 * 3600), made("b", -26 * 3600), made("c", -2 * 3600)];
    await see(inventory(-50 * 3600, first), news(-49 * 3600, { ...first, ...failed }));
    await gone(-48 * 3600, "a");
    // Between these two nothing else happened, and the time that is asked for begins.
    await see(news(-26 * 3600, second), news(-25 * 3600, { ...second, ...failed }));
    await gone(-25 * 3600 + 1, "b");
    await see(news(-2 * 3600, third), news(-3600, { ...third, ...failed }));
    await gone(-1800, "c");
    await see({ kind: "host.watched", since: after(-50 * 3600), observedAt: after(0) });
    const id = containers.present.find(null, "c")?.id ?? 0;
    const { uptime } = await containers.service.detail(id);
    // An hour up and half an hour down; before that two hours up, and an hour and a second down.
    assert.deepEqual(uptime, { "24h": 66.66, "7d": 66.66, "30d": 66.66, "90d": 66.66 });
    const { days } = await containers.service.dailyUptime(id, 3);
    assert.deepEqual(
      days.map(({ uptime_percent }) => uptime_percent),
      [66.66, 99.97, 50],
    );
  });

  it("learns from what an agent reports late when one that had failed was gone", async () => {
    const [first, second, third] = [0, 200, 400].map((seconds) => ({
      externalId: `made-${seconds}`,
      createdAt: after(seconds - 3600),
      startedAt: after(seconds - 3600),
    }));
    const [at, gone] = [(seconds: number): number => seconds - 3600, "container.gone" as const];
    for (let seconds = 30; seconds <= 600; seconds += 30)
      await containers.record(AGENT, [{ kind: "host.watched", since: after(at(0)), observedAt: after(at(seconds)) }]);
    await containers.observe(AGENT, [inventory(at(0), first ?? {})]);
    await containers.observe(AGENT, [inventory(at(600), third ?? {})]);
    await containers.record(AGENT, [
      news(at(100), { ...first, state: "exited", exitCode: 1, finishedAt: after(at(100)) }),
      { kind: gone, observedAt: after(at(110)), externalId: "made-0" },
      news(at(200), { ...second }),
      news(at(300), { ...second, state: "exited", exitCode: 143, stopRequested: true, finishedAt: after(at(300)) }),
      { kind: gone, observedAt: after(at(310)), externalId: "made-200" },
      news(at(400), { ...third }),
    ]);
    const id = containers.present.find(AGENT, "made-400")?.id ?? 0;
    // Of the seconds that count it ran 400, and 10 it had failed.
    assert.equal((await containers.service.detail(id)).uptime["24h"], 97.56);
    const window = { from: after(at(500)).getTime(), to: after(at(900)).getTime() };
    assert.deepEqual(await Promise.all([AGENT, null].map((host) => containers.service.watchedMs(host, window))), [100_000, 0]);
  });
});
