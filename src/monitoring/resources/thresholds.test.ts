import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { sql } from "kysely";
import { DAY_MS } from "../../contract/time.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { type Reading, sampled } from "../../../test/support/readings.ts";
import { startWatching, type Watching } from "../../../test/support/resources.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { until } from "../../../test/support/until.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Database } from "../../storage/database.ts";
import type { History } from "./answers.ts";

const NOON = new Date("2026-03-01T12:00:00Z");

/** What happens to somebody who sets a threshold. */
onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let watching: Watching;
  let id: number;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    watching = await startWatching({ database, clock });
    await watching.show({ externalId: "a", name: "web", labels: { team: "blue" } });
    id = watching.id("a");
  });
  afterEach(() => watching.stop());

  const after = (seconds: number): string => new Date(NOON.getTime() + seconds * 1000).toISOString();
  const cpu = (percent: number): Reading => ({ cpuPercent: percent, memoryBytes: 100, memoryLimitBytes: 1000 });
  const memory = (percent: number, cpuPercent = 1): Reading => ({ cpuPercent, memoryBytes: percent * 10, memoryLimitBytes: 1000 });

  /** One reading every ten seconds, the first now; null is a tick without the container. */
  async function pass(...each: (Reading | null)[]): Promise<void> {
    for (const reading of each) {
      await watching.tick(reading === null ? {} : { a: reading });
      await clock.advance(10_000);
    }
  }
  /** Ten minutes, after which the host still has no container. */
  async function giveUp(): Promise<void> {
    await clock.advance(600_000);
    await watching.see(null, { kind: "container.inventory", observedAt: clock.now(), containers: [] });
  }
  const times = (count: number, reading: Reading): Reading[] => Array.from({ length: count }, () => reading);
  const set = (body: { cpu?: number | null; memory?: number | null; debounce?: number }) =>
    watching.resources.service.setThresholds(id, {
      cpu_threshold: body.cpu ?? null,
      memory_threshold: body.memory ?? null,
      debounce_seconds: body.debounce ?? 60,
    });
  const alerts = () => watching.published("resource.alert").map(({ metric, value, timestamp }) => [metric, value, timestamp]);
  const recoveries = () =>
    watching.published("resource.recovery").map(({ metric, value, reason, timestamp }) => [metric, value, reason, timestamp]);
  const breaches = async (): Promise<History["breaches"]> => (await watching.resources.service.history(id, "1h")).breaches;
  async function restart(): Promise<void> {
    await watching.stop();
    watching = await startWatching({ database, clock });
  }

  it("watches nothing until thresholds are set, and offers defaults", async () => {
    await pass(...times(10, cpu(100)));
    assert.deepEqual(alerts(), []);
    assert.deepEqual(await watching.resources.service.thresholds(id), {
      container_id: id,
      configured: false,
      source: null,
      inherits_from: null,
      cpu_threshold: 90,
      memory_threshold: 90,
      debounce_seconds: 60,
      cpu_breach: null,
      memory_breach: null,
    });
  });

  it("fires only after the debounce, and clears only after as long at or below it", async () => {
    await set({ cpu: 80 });
    await pass(...times(3, cpu(95)), cpu(80), ...times(6, cpu(81)));
    assert.deepEqual(alerts(), [], "never above for a whole minute");
    await pass(cpu(99));
    assert.deepEqual(alerts(), [["cpu", 99, after(100)]]);
    assert.partialDeepStrictEqual(watching.published("resource.alert")[0], {
      id,
      agent_id: null,
      name: "web",
      labels: { team: "blue" },
      threshold: 80,
      debounce_seconds: 60,
    });
    assert.deepEqual((await watching.resources.service.thresholds(id)).cpu_breach, { since: after(100), peak: 99 });
    assert.deepEqual(await breaches(), [{ metric: "cpu", threshold: 80, peak: 99, fired_at: after(100), resolved_at: null }]);
    await pass(...times(6, cpu(80)), cpu(81), ...times(6, cpu(10)));
    assert.deepEqual(recoveries(), []);
    await pass(cpu(9));
    assert.deepEqual(recoveries(), [["cpu", 9, "below_threshold", after(240)]]);
    assert.deepEqual(await breaches(), [{ metric: "cpu", threshold: 80, peak: 99, fired_at: after(100), resolved_at: after(240) }]);
    assert.equal(alerts().length, 1);
  });

  it("announces what is exceeded, also after a restart, and nothing else", async () => {
    await set({ cpu: 80, memory: 50, debounce: 0 });
    await pass(memory(40, 90));
    assert.equal(watching.published("resource.alert").length, 1);
    await restart();
    const [announced, ...others] = watching.resources.announce();
    assert.deepEqual(others, []);
    assert.partialDeepStrictEqual(announced, {
      type: "resource.alert",
      data: { id, metric: "cpu", value: 90, threshold: 80, name: "web", labels: { team: "blue" }, timestamp: after(10) },
    });
    await set({ cpu: null });
    assert.deepEqual(watching.resources.announce(), []);
  });

  it("watches CPU and memory independently", async () => {
    await set({ cpu: 80, memory: 50, debounce: 20 });
    await pass(memory(60, 1), memory(60, 90), memory(60, 90), memory(60, 90), memory(40, 90), memory(40, 90), memory(40, 90));
    assert.deepEqual(alerts(), [
      ["memory", 60, after(20)],
      ["cpu", 90, after(30)],
    ]);
    assert.deepEqual(recoveries(), [["memory", 40, "below_threshold", after(60)]]);
    const { cpu_breach, memory_breach } = await watching.resources.service.thresholds(id);
    assert.deepEqual([cpu_breach?.since, memory_breach], [after(30), null]);
  });

  it("does not take a gap for either side", async () => {
    await set({ cpu: 80, debounce: 30 });
    await pass(cpu(90), cpu(90), null, null, null, cpu(90), cpu(90), cpu(90));
    assert.deepEqual(alerts(), []);
    await pass(cpu(90));
    assert.equal(alerts().length, 1);
    await pass({}, {}, {}, {}, {});
    assert.deepEqual(recoveries(), [], "what has fired stays while nothing is known");
  });

  it("starts counting again when the host's clock was set back", async () => {
    await set({ cpu: 80, debounce: 20 });
    await clock.advance(600_000);
    await pass(cpu(90));
    clock.jump(NOON);
    await clock.advance(40_000);
    await pass(cpu(90), cpu(90));
    assert.deepEqual(alerts(), []);
    await pass(cpu(90));
    assert.deepEqual(alerts(), [["cpu", 90, after(60)]]);
  });

  it("continues after a restart of the program where it was", async () => {
    await set({ cpu: 80, debounce: 0 });
    await pass(cpu(99), cpu(90));
    await restart();
    assert.deepEqual((await watching.resources.service.thresholds(id)).cpu_breach, { since: after(0), peak: 99 });
    await pass(cpu(95));
    assert.deepEqual(alerts(), [], "it is not published again");
    await pass(cpu(70));
    assert.deepEqual(recoveries(), [["cpu", 70, "below_threshold", after(30)]]);
    assert.equal((await breaches())[0]?.peak, 99);
  });

  it("saves a peak once a minute, and at the stop", async () => {
    await set({ cpu: 80, debounce: 0 });
    await pass(cpu(81), cpu(85), cpu(83), cpu(82), cpu(82), cpu(82), cpu(82));
    await until(async () => (await savedPeak()) === 85);
    await pass(cpu(99));
    await watching.stop();
    assert.equal(await savedPeak(), 99);
    watching = await startWatching({ database, clock });
  });
  const savedPeak = async (): Promise<number | undefined> => {
    const { read } = database.tables<{ resource_breaches: { peak: number } }>();
    return (await read.selectFrom("resource_breaches").select("peak").executeTakeFirst())?.peak;
  };

  it("ends a breach when its threshold is turned off, or raised above what is used", async () => {
    await set({ cpu: 50, memory: 50, debounce: 0 });
    await pass(memory(60, 60));
    await set({ cpu: 59, memory: null, debounce: 0 });
    assert.deepEqual(recoveries(), [["memory", 60, "threshold_changed", after(10)]]);
    const changed = await set({ cpu: 60, memory: null, debounce: 0 });
    assert.deepEqual(recoveries().slice(1), [["cpu", 60, "threshold_changed", after(10)]]);
    assert.deepEqual([changed.configured, changed.cpu_breach, changed.memory_threshold], [true, null, null]);
    assert.ok((await breaches()).every(({ resolved_at }) => resolved_at === after(10)));
    await pass(memory(99, 60), memory(99, 60));
    assert.equal(alerts().length, 2);
  });

  it("forgets what was pending when thresholds are set", async () => {
    await set({ cpu: 50, debounce: 30 });
    await pass(cpu(60), cpu(60), cpu(60));
    await set({ cpu: 50, debounce: 30 });
    await pass(cpu(60), cpu(60), cpu(60));
    assert.deepEqual(alerts(), []);
    await pass(cpu(60));
    assert.equal(alerts().length, 1);
  });

  it("keeps a breach of a container whose usage is not known when the threshold is raised", async () => {
    await set({ cpu: 50, debounce: 0 });
    await pass(cpu(60), null);
    await set({ cpu: 90, debounce: 0 });
    assert.deepEqual(recoveries(), []);
    await pass(cpu(60));
    assert.deepEqual(recoveries(), [["cpu", 60, "below_threshold", after(20)]]);
  });

  it("keeps the breach of a container that no longer runs, which shows no health, until it runs below the threshold", async () => {
    await set({ cpu: 50, debounce: 0 });
    await pass(cpu(60), null);
    assert.deepEqual(recoveries(), [], "it runs, and nobody knows what it uses");
    await watching.see(null, {
      kind: "container.seen",
      observedAt: clock.now(),
      container: sighting({ externalId: "a", state: "exited", exitCode: 1 }),
    });
    await watching.see("0b9c54a0-0000-4000-8000-000000000000", sampled(clock.now(), {}));
    assert.deepEqual(recoveries(), [], "another host does not know");
    await pass(null);
    assert.deepEqual(recoveries(), []);
    await watching.see(null, { kind: "container.seen", observedAt: clock.now(), container: sighting({ externalId: "a" }) });
    await pass(cpu(40));
    assert.deepEqual(recoveries(), [["cpu", 40, "below_threshold", after(30)]]);
    assert.deepEqual(await breaches(), [{ metric: "cpu", threshold: 50, peak: 60, fired_at: after(0), resolved_at: after(30) }]);
  });

  it("ends the breach of a container that was removed while the program was down", async () => {
    await set({ cpu: 50, debounce: 0 });
    await pass(cpu(60));
    await watching.see(null, { kind: "container.gone", observedAt: clock.now(), externalId: "a" });
    await restart();
    await pass(null);
    assert.deepEqual(recoveries(), [], "it may be created again");
    await giveUp();
    await pass(null);
    assert.deepEqual(recoveries(), [["cpu", null, "not_watched", after(620)]]);
    assert.partialDeepStrictEqual(watching.published("resource.recovery")[0], { id, name: "web" });
  });

  it("publishes nothing that could not be saved, and publishes it when the same comes again", async () => {
    await set({ cpu: 50, debounce: 0 });
    await rename("resource_breaches", "elsewhere");
    const tick = (): Promise<void> => watching.tick({ a: cpu(60) });
    for (let time = 0; time < 2; time += 1) await assert.rejects(tick());
    assert.deepEqual([alerts(), watching.published("resource.snapshot")], [[], []]);
    await rename("elsewhere", "resource_breaches");
    await tick();
    await tick();
    assert.deepEqual([alerts().length, watching.published("resource.snapshot").length], [1, 1]);
    assert.equal((await breaches()).length, 1);
  });
  const rename = async (from: string, to: string): Promise<void> => {
    await database.tables().write((tx) => sql.raw(`ALTER TABLE ${from} RENAME TO ${to}`).execute(tx));
  };

  it("gates ranges by the edition, and looks every id up", async () => {
    const ranges = ["1h", "6h", "24h", "7d", "30d"] as const;
    const granted = { community: 2, personal: 2, pro: 5 } as const;
    for (const edition of ["community", "personal", "pro"] as const) {
      await watching.stop();
      watching = await startWatching({ database, clock, edition: () => edition });
      for (const [index, range] of ranges.entries()) {
        const asked = watching.resources.service.history(id, range);
        if (index < granted[edition]) assert.equal((await asked).range, range);
        else
          await assert.rejects(asked, (error) => {
            assert.ok(isServiceError(error, "EDITION_REQUIRED"));
            assert.deepEqual(error.details, { capability: `history_${range}`, required_edition: "pro" });
            return true;
          });
      }
    }
  });

  it("has in a range the breaches that lasted at some time in it, oldest first", async () => {
    await set({ cpu: 50, debounce: 0 });
    const lasted = async (range: "1h" | "6h") =>
      (await watching.resources.service.history(id, range)).breaches.map(({ fired_at, resolved_at }) => [fired_at, resolved_at]);
    const first = [after(0), after(10)];
    const second = [after(20), after(7200)];
    await pass(cpu(60), cpu(40), cpu(60));
    await clock.advance(7_170_000);
    await pass(cpu(40));
    assert.deepEqual(await lasted("1h"), [second]);
    assert.deepEqual(await lasted("6h"), [first, second]);
    await clock.advance(3_600_000);
    assert.deepEqual(await lasted("1h"), []);
    await pass(cpu(60));
    const third = [after(10_810), null];
    assert.deepEqual(await lasted("1h"), [third]);
    assert.deepEqual(await lasted("6h"), [first, second, third]);
  });

  it("deletes breaches 90 days after their end, and thresholds with their container", async () => {
    await set({ cpu: 50, debounce: 0 });
    await pass(cpu(60), cpu(40), cpu(60));
    const { read } = database.tables<{
      resource_breaches: { resolved_at: number | null };
      resource_thresholds: { container_id: number };
    }>();
    const left = async (): Promise<(number | null)[]> =>
      (await read.selectFrom("resource_breaches").select("resolved_at").execute()).map(({ resolved_at }) => resolved_at);
    assert.equal((await left()).length, 2);
    clock.jump(new Date(NOON.getTime() + 91 * DAY_MS));
    await clock.advance(80_000);
    await until(async () => (await left()).length === 1);
    assert.deepEqual(await left(), [null], "one that lasts is kept");
    await watching.see(null, { kind: "container.gone", observedAt: clock.now(), externalId: "a" });
    await giveUp();
    clock.jump(new Date(NOON.getTime() + 130 * DAY_MS));
    await restart();
    await clock.advance(80_000);
    await until(async () => (await read.selectFrom("resource_thresholds").selectAll().execute()).length === 0);
    assert.deepEqual(await left(), []);
  });
});
