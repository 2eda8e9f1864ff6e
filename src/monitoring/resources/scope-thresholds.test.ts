import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { THRESHOLD_BOUNDS } from "../../contract/thresholds.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { type Reading, sampled } from "../../../test/support/readings.ts";
import { startWatching, type Watching } from "../../../test/support/resources.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Database } from "../../storage/database.ts";
import { createResourceStore } from "./store.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const AGENT = "0b9c54a0-0000-4000-8000-000000000000";
const SHOP = { entity_type: "group", entity_id: "shop" } as const;
const LOCAL = { entity_type: "agent", entity_id: "local" } as const;

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let watching: Watching;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    watching = await startWatching({ database, clock });
    await show({ web: "shop", db: "shop", smtp: "mail" });
  });
  afterEach(() => watching.stop());

  /** The containers of the local host, by name, and the group of each. */
  const show = (groups: Record<string, string>): Promise<void> =>
    watching.show(...Object.entries(groups).map(([name, group]) => ({ externalId: name, name, settings: { ...defaultSettings, group } })));
  const cpu = (cpuPercent: number): Reading => ({ cpuPercent, memoryBytes: 100, memoryLimitBytes: 1000 });
  /** Two ticks, so that a debounce of ten seconds is over. */
  async function use(percents: Record<string, number>): Promise<void> {
    for (let ticks = 0; ticks < 2; ticks += 1) {
      await watching.tick(Object.fromEntries(Object.entries(percents).map(([name, percent]) => [name, cpu(percent)])));
      await clock.advance(10_000);
    }
  }
  const limit = (cpu_threshold: number | null) => ({ cpu_threshold, memory_threshold: null, debounce_seconds: 10 });
  const service = () => watching.resources.service;
  const id = (name: string): number => watching.id(name);
  /** `container 80`: for what the threshold of the CPU that applies was set. */
  const applied = async (name: string): Promise<string> => {
    const { source, cpu_threshold } = await service().thresholds(id(name));
    return source === null ? "none" : `${source.entity_type === "container" ? "container" : source.entity_id} ${cpu_threshold}`;
  };
  const fired = () => watching.published("resource.alert").map(({ name, threshold }) => `${name} ${threshold}`);
  const over = () => watching.published("resource.recovery").map(({ name, reason }) => `${name} ${reason}`);

  it("those of the container apply before those of its group, and these before those of its host", async () => {
    assert.equal(await applied("web"), "none");
    await service().setScopeThresholds(LOCAL, limit(70));
    assert.deepEqual([await applied("web"), await applied("smtp")], ["local 70", "local 70"]);
    await service().setScopeThresholds(SHOP, limit(80));
    assert.deepEqual([await applied("web"), await applied("smtp")], ["shop 80", "local 70"]);
    await service().setThresholds(id("web"), limit(90));
    assert.deepEqual([await applied("web"), await applied("db")], ["container 90", "shop 80"]);
    assert.partialDeepStrictEqual(await service().thresholds(id("web")), { configured: true, inherits_from: SHOP });
    assert.deepEqual(service().thresholdList(undefined).scopes, [
      { ...SHOP, ...limit(80), containers: 1, exceeded: 0 },
      { ...LOCAL, ...limit(70), containers: 1, exceeded: 0 },
    ]);
    await use({ web: 85, db: 85, smtp: 75 });
    assert.deepEqual(fired().toSorted(), ["db 80", "smtp 70"]);
    const { thresholds, scopes, total } = service().thresholdList(undefined);
    assert.deepEqual(thresholds.map(({ container_id }) => container_id).toSorted(), [id("web"), id("db"), id("smtp")].toSorted());
    assert.deepEqual([total, scopes.map(({ exceeded }) => exceeded)], [3, [1, 1]]);
    const cleared = await service().clearThresholds(id("web"));
    assert.partialDeepStrictEqual(cleared, { source: SHOP, cpu_threshold: 80 });
    await use({ web: 85, db: 85, smtp: 75 });
    assert.deepEqual(fired().toSorted(), ["db 80", "smtp 70", "web 80"]);
    await service().clearScopeThresholds(SHOP);
    assert.deepEqual([await applied("web"), await applied("db")], ["local 70", "local 70"]);
    assert.deepEqual(over(), [], "the host's are exceeded as well");
    await service().clearScopeThresholds(LOCAL);
    assert.deepEqual(over().toSorted(), ["db threshold_changed", "smtp threshold_changed", "web threshold_changed"]);
    assert.equal(await applied("web"), "none");
    assert.deepEqual(service().thresholdList(undefined), { thresholds: [], scopes: [], total: 0 });
  });

  it("a figure that is off for the container is not watched by its group", async () => {
    await service().setScopeThresholds(SHOP, limit(80));
    await service().setThresholds(id("web"), limit(null));
    await use({ web: 95, db: 20 });
    assert.deepEqual(fired(), []);
    assert.equal(await applied("web"), "container null");
  });

  it("whoever comes into the group later is watched, and what leaves is not", async () => {
    await service().setScopeThresholds(SHOP, limit(80));
    await show({ web: "shop", db: "shop", smtp: "mail", cache: "shop" });
    await use({ web: 10, cache: 95, smtp: 95 });
    assert.deepEqual(fired(), ["cache 80"]);
    await clock.advance(10_000);
    await show({ web: "shop", db: "shop", smtp: "mail", cache: "mail" });
    assert.equal(await applied("cache"), "none");
    await use({ web: 10, cache: 95, smtp: 95 });
    assert.deepEqual(over(), ["cache threshold_changed"]);
    assert.equal((await service().history(id("cache"), "1h")).breaches.length, 1, "it is kept");
  });

  it("are kept over a restart, with what they exceed", async () => {
    await service().setScopeThresholds({ ...SHOP, entity_id: "a/b: 100 %" }, limit(50));
    await service().setScopeThresholds(SHOP, { cpu_threshold: 80, memory_threshold: 12.5, debounce_seconds: 10 });
    await use({ web: 95, db: 10 });
    await watching.stop();
    watching = await startWatching({ database, clock });
    assert.partialDeepStrictEqual(service().thresholdList(undefined).scopes, [
      { entity_id: "a/b: 100 %", cpu_threshold: 50, containers: 0 },
      { ...SHOP, cpu_threshold: 80, memory_threshold: 12.5, debounce_seconds: 10, containers: 2, exceeded: 1 },
    ]);
    assert.partialDeepStrictEqual(watching.resources.announce(), [
      { type: "resource.alert", data: { name: "web", threshold: 80, debounce_seconds: 10 } },
    ]);
    await use({ web: 10, db: 10 });
    assert.deepEqual(over(), ["web below_threshold"]);
    await service().setScopeThresholds(SHOP, limit(60));
    assert.partialDeepStrictEqual(service().scopeThresholds(SHOP), { cpu_threshold: 60, memory_threshold: null });
  });

  it("are of one host only, and go with it", async () => {
    const refused = (promise: Promise<unknown>) => assert.rejects(promise, (error) => isServiceError(error, "unusable_values"));
    await refused(service().setScopeThresholds({ entity_type: "agent", entity_id: AGENT }, limit(80)));
    await service().setScopeThresholds(LOCAL, limit(80));
    const containers = [sighting({ externalId: "far", name: "far" })];
    await watching.see(AGENT, { kind: "container.inventory", observedAt: clock.now(), containers });
    await watching.see(AGENT, sampled(clock.now(), { far: cpu(99) }));
    await use({ web: 10 });
    assert.deepEqual(fired(), []);
    assert.deepEqual(service().thresholdList(AGENT).scopes, []);
    assert.equal(service().thresholdList(null).scopes.length, 1);
    const store = createResourceStore(database);
    await store.saveLimit({ kind: "scope", scope: { type: "agent", id: AGENT }, thresholds: { cpu: 1, memory: null, debounceSeconds: 0 } }, [], async () => {}); // prettier-ignore
    await database.tables<object>().write((unit) => watching.resources.purgeHost(unit, AGENT));
    watching.resources.forgetHost(AGENT);
    assert.deepEqual(await store.scopeThresholds(), [{ scope: { type: "agent", id: "local" }, thresholds: { cpu: 80, memory: null, debounceSeconds: 10 } }]); // prettier-ignore
  });

  it("are no more than there may be; one that is set can still be changed", async () => {
    const group = (place: number) => ({ entity_type: "group", entity_id: `group ${place}` }) as const;
    for (let place = 0; place < THRESHOLD_BOUNDS.scopes; place += 1) await service().setScopeThresholds(group(place), limit(90));
    await assert.rejects(service().setScopeThresholds(SHOP, limit(80)), (error) => isServiceError(error, "conflict"));
    await service().setScopeThresholds(group(7), limit(50));
    await service().clearScopeThresholds(group(8));
    await service().setScopeThresholds(SHOP, limit(80));
    await assert.rejects(service().clearScopeThresholds(group(8)), (error) => isServiceError(error, "not_found"));
  });
});
