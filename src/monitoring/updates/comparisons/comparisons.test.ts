import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { startUpdateComparisons, type WatchedComparisons } from "../../../../test/support/update-comparisons.ts";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import { failure, labelled } from "../../../../test/support/endpoints.ts";
import { createFakeClock, type FakeClock } from "../../../../test/support/fake-clock.ts";
import { defaultSettings } from "../../../../test/support/sightings.ts";
import { HOUR_MS, MINUTE_MS } from "../../../contract/time.ts";
import { DEFAULT_UPDATE_SETTINGS, type ContainerSighting } from "../../../observations.ts";
import type { Database } from "../../../storage/database.ts";
import { comparison as comparisonSchema } from "../answers.ts";
import { MOST_RUNS } from "./follow.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const MIB = 1024 ** 2;
const light = { memoryBytes: 180 * MIB, cpuPercent: 10, cpuCoresUsed: 0.2 };
const heavy = { memoryBytes: 310 * MIB, cpuPercent: 10, cpuCoresUsed: 0.2 };

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let watched: WatchedComparisons;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    watched = await startUpdateComparisons({ database, clock });
  });
  afterEach(() => watched.stop());

  /** A container with an image; it was made and started now. */
  const made = (externalId: string, image: string, facts: Partial<ContainerSighting> = {}): Partial<ContainerSighting> => ({
    externalId,
    image: `shop/web:${image}`,
    imageId: `sha256:${image}`,
    imageDigest: `sha256:digest-${image}`,
    createdAt: clock.now(),
    startedAt: clock.now(),
    endpoints: [labelled()],
    ...facts,
  });
  const ended = (facts: Partial<ContainerSighting>): Partial<ContainerSighting> => ({
    ...facts,
    state: "exited",
    exitCode: 0,
    finishedAt: clock.now(),
  });
  /** As Compose 1 does: the old one gets another name, the new one the old name. */
  async function recreate(
    old: Partial<ContainerSighting>,
    next: (now: Date) => Partial<ContainerSighting>,
  ): Promise<Partial<ContainerSighting>> {
    await watched.seen(ended(old));
    await watched.seen({ ...ended(old), name: "0123456789ab_web" });
    await watched.seen({ ...next(clock.now()), state: "created", startedAt: null });
    const running = next(clock.now());
    await watched.seen(running);
    await watched.gone(old.externalId ?? "");
    return running;
  }
  async function restart(options: { alerts?: boolean } = {}): Promise<void> {
    await watched.stop();
    watched = await startUpdateComparisons({ database, clock, ...options });
  }
  const latest = (externalId = "new") => watched.updateComparisons.latestOf(watched.idOf(externalId));
  const published = () =>
    watched.published("update.compared").map(({ id, verdict, alerting, message }) => [id, verdict, alerting, message]);

  const BAD: readonly [what: string, facts: Partial<ContainerSighting>, text: string][] = [
    ["exits at once", { state: "exited", exitCode: 1 }, "it is not running, exit code 1"],
    ["is unhealthy", { health: "unhealthy" }, "health check failing"],
    ["restarts", { restartCount: 1 }, "it restarted unexpectedly"],
  ];
  for (const [what, facts, text] of BAD) {
    it(`says at once that an image does worse that ${what}`, async () => {
      const old = made("old", "1");
      await watched.show(old);
      await watched.live(7, { old: light });
      const running = await recreate(old, () => made("new", "2"));
      await clock.advance(5000);
      if (what === "restarts") await watched.seen({ ...ended(running), exitCode: 1 });
      await watched.seen({
        ...running,
        ...facts,
        ...(what === "exits at once" ? { finishedAt: clock.now() } : { startedAt: clock.now() }),
      });
      const id = watched.idOf("new");
      assert.deepEqual(published().at(-1), [id, "worse", true, `web performs worse since its image changed: ${text}.`]);
      await watched.pass(16 * MINUTE_MS);
      assert.deepEqual([latest()?.verdict, latest()?.window_seconds, watched.updateComparisons.announce().length], ["worse", 900, 1]);
      await watched.seen({ ...running, startedAt: clock.now() });
      await watched.pass(46 * MINUTE_MS);
      assert.deepEqual([latest()?.verdict, watched.updateComparisons.announce().length], ["unchanged", 0]);
    });
  }

  it("says nothing of an image that somebody stopped", async () => {
    const old = made("old", "1");
    await watched.show(old);
    await watched.live(7, { old: light });
    const running = await recreate(old, () => made("new", "2"));
    await watched.seen({ ...ended(running), exitCode: 143, stopRequested: true });
    await watched.pass(16 * MINUTE_MS);
    assert.ok(published().every(([, verdict]) => verdict !== "worse"));
  });

  it("says that a container does worse, and ends that when it does not any more", async () => {
    const old = made("old", "1");
    await watched.show(old);
    await watched.live(20, { old: light }, { "old/service.endpoint.http": {} });
    assert.equal(watched.updateComparisons.latestOf(watched.idOf("old")), undefined, "the first sight of a container is no update");
    const oldId = watched.idOf("old");

    await recreate(old, () => made("new", "2"));
    const changedAt = clock.now();
    const pending = latest();
    assert.deepEqual([pending?.verdict, pending?.compared_at, pending?.before], ["pending", null, null]);
    assert.deepEqual([pending?.previous_image, pending?.image, pending?.previous_digest], ["shop/web:1", "shop/web:2", "sha256:digest-1"]);
    assert.equal(pending?.changed_at, changedAt.toISOString());
    assert.equal(pending?.container_id, oldId, "it is the same container, re-created");

    await watched.live(14, { new: heavy }, { "new/service.endpoint.http": { responseTimeMs: 15 } });
    assert.equal(latest()?.verdict, "pending", "there is no verdict before a quarter of an hour");
    await watched.live(2, { new: heavy }, { "new/service.endpoint.http": { responseTimeMs: 15 } });
    const record = latest();
    assert.deepEqual(comparisonSchema.parse(record), record);
    assert.deepEqual([record?.verdict, record?.window_seconds], ["worse", 900]);
    assert.deepEqual(record?.changes, [{ figure: "memory", worse: true, text: "memory 310 MiB, was 180 MiB" }]);
    assert.deepEqual(record?.before, {
      restarts_per_day: 0,
      failed_checks_percent: 0,
      response_time_ms: 12.3,
      cpu_cores_used: 0.2,
      memory_bytes: 180 * MIB,
    });
    assert.deepEqual([record?.after?.memory_bytes, record?.after?.response_time_ms], [310 * MIB, 15]);
    const id = watched.idOf("new");
    const message = "web performs worse since its image changed: memory 310 MiB, was 180 MiB.";
    assert.deepEqual(published(), [
      [id, "pending", false, null],
      [id, "worse", true, message],
    ]);
    assert.deepEqual(
      watched.updateComparisons.announce().map(({ data }) => data),
      [{ ...watched.published("update.compared").at(-1), timestamp: clock.now().toISOString() }],
    );

    await watched.live(46, { new: light }, { "new/service.endpoint.http": {} });
    assert.deepEqual([latest()?.verdict, latest()?.window_seconds], ["unchanged", 3600]);
    assert.deepEqual(published().slice(2), [[id, "unchanged", false, null]]);
    assert.deepEqual(watched.updateComparisons.announce(), []);
  });

  it("keeps a regression until the figure that was worse is seen again", async () => {
    const old = made("old", "1");
    await watched.show(old);
    await watched.live(20, { old: light });
    await recreate(old, () => made("new", "2"));
    await watched.live(16, { new: heavy });
    const { changes } = latest() ?? {};
    assert.deepEqual(published().at(-1)?.slice(1, 3), ["worse", true]);
    const count = published().length;
    await watched.passUnwatched(HOUR_MS);
    assert.deepEqual([latest()?.window_seconds, latest()?.verdict, latest()?.changes], [3600, "worse", changes]);
    assert.deepEqual([latest()?.after?.memory_bytes, latest()?.after?.restarts_per_day], [null, null]);
    assert.deepEqual([published().length, watched.updateComparisons.announce().length], [count, 1]);
    await watched.passUnwatched(HOUR_MS);
    await watched.live(8, { new: light });
    await watched.passUnwatched(4 * HOUR_MS);
    assert.deepEqual([latest()?.window_seconds, latest()?.verdict], [21_600, "unchanged"]);
    assert.deepEqual(published().slice(count), [[watched.idOf("new"), "unchanged", false, null]]);
  });

  it("keeps that an image does not run until it is seen to run, and not when it is stopped", async () => {
    const old = made("old", "1");
    await watched.show(old);
    await watched.live(20, { old: light });
    const running = await recreate(old, () => made("new", "2"));
    await watched.seen({ ...running, health: "unhealthy" });
    await watched.seen({ ...ended(running), exitCode: 143, stopRequested: true });
    await watched.pass(16 * MINUTE_MS);
    assert.deepEqual([latest()?.verdict, latest()?.changes[0]?.figure, latest()?.window_seconds], ["worse", "state", 900]);
    await watched.seen({ ...running, health: "healthy", startedAt: clock.now() });
    await watched.pass(45 * MINUTE_MS);
    assert.deepEqual([latest()?.verdict, watched.updateComparisons.announce()], ["unchanged", []]);
  });

  it("knows nothing of an image that nobody watched", async () => {
    const old = made("old", "1");
    await watched.show(old);
    await watched.live(20, { old: light });
    await recreate(old, () => made("new", "2"));
    await watched.passUnwatched(16 * MINUTE_MS);
    assert.deepEqual([latest()?.verdict, latest()?.before?.restarts_per_day, latest()?.after?.restarts_per_day], ["unknown", 0, null]);
  });

  it("sees failing checks, and a crash loop as restarts", async () => {
    const old = made("old", "1");
    await watched.show(old);
    await watched.live(20, { old: light }, { "old/service.endpoint.http": {} });
    const running = await recreate(old, () => made("new", "2"));
    for (const [minute] of Array.from({ length: 16 }).entries()) {
      if (minute % 5 === 2) {
        await watched.seen({ ...running, state: "exited", exitCode: 1, finishedAt: clock.now() });
        await watched.seen({ ...running, startedAt: clock.now() });
      }
      await watched.live(1, { new: light }, { "new/service.endpoint.http": minute % 2 === 0 ? failure : {} });
    }
    assert.deepEqual(
      latest()?.changes.map(({ figure, worse }) => [figure, worse]),
      [
        ["restarts", true],
        ["failed_checks", true],
      ],
    );
    assert.match(latest()?.changes[0]?.text ?? "", /^restarts 3 in 15 min, was 0$/);
    assert.ok((latest()?.after?.failed_checks_percent ?? 0) > 30);
  });

  it("does not count restarts that somebody asked for", async () => {
    const old = made("old", "1");
    await watched.show(old);
    await watched.live(20, { old: light });
    const running = await recreate(old, () => made("new", "2"));
    for (const [minute] of Array.from({ length: 16 }).entries()) {
      if (minute % 5 === 2) {
        await watched.seen({ ...ended(running), exitCode: 143, stopRequested: true });
        await watched.pass(1000);
        await watched.seen({ ...running, startedAt: clock.now() });
      }
      await watched.live(1, { new: light });
    }
    assert.deepEqual([latest()?.verdict, latest()?.changes, latest()?.after?.restarts_per_day], ["unchanged", [], 0]);
  });

  it("compares a rollback again, and ends the regression of the image before", async () => {
    const old = made("old", "1");
    await watched.show(old);
    await watched.live(20, { old: light });
    const bad = await recreate(old, () => made("new", "2"));
    await watched.live(16, { new: heavy });
    assert.equal(watched.updateComparisons.announce().length, 1);
    await recreate(bad, () => made("back", "1"));
    assert.deepEqual(published().slice(2), [[watched.idOf("back"), "pending", false, null]]);
    assert.deepEqual(watched.updateComparisons.announce(), []);
    await watched.live(16, { back: light });
    assert.deepEqual([latest("back")?.verdict, latest("back")?.previous_image], ["better", "shop/web:2"]);
    assert.equal(latest("back")?.changes[0]?.text, "memory 180 MiB, was 310 MiB");
  });

  it("survives restarts of the program between and during all of it", async () => {
    const old = made("old", "1");
    await watched.show(old);
    await watched.live(20, { old: light });
    // Replaced while the program does not run.
    await watched.stop();
    await clock.advance(MINUTE_MS);
    const next = made("new", "2");
    await clock.advance(MINUTE_MS);
    watched = await startUpdateComparisons({ database, clock });
    await watched.show(next);
    assert.deepEqual([latest()?.verdict, latest()?.changed_at], ["pending", next.startedAt?.toISOString()]);
    await restart();
    await watched.show(next);
    assert.equal(watched.published("update.compared").length, 0, "what was published is not published again");
    await watched.live(16, { new: heavy });
    assert.equal(latest()?.verdict, "worse");
    await restart();
    assert.equal(latest()?.verdict, "worse");
    assert.deepEqual(
      watched.updateComparisons.announce().map(({ data }) => data),
      watched.updateComparisons.announce().map(({ data }) => ({ ...data, alerting: true })),
    );
    assert.equal(watched.updateComparisons.announce().length, 1);
    await restart({ alerts: false });
    assert.deepEqual(watched.updateComparisons.announce(), []);
  });

  it("looks once at what is long overdue, and no more after the last look", async () => {
    const old = made("old", "1");
    await watched.show(old);
    await watched.live(20, { old: light });
    await recreate(old, () => made("new", "2"));
    await watched.live(30, { new: light });
    const before = watched.published("update.compared").length;
    await watched.stop();
    await clock.advance(30 * 3_600_000);
    watched = await startUpdateComparisons({ database, clock });
    await watched.pass(MINUTE_MS);
    assert.deepEqual([latest()?.window_seconds, latest()?.verdict, before], [86_400, "unknown", 2], "of most of the day nothing was seen");
    const at = latest()?.compared_at;
    await watched.pass(2 * 3_600_000);
    assert.equal(latest()?.compared_at, at);
  });

  it("takes a container that was re-created with the same image for the same", async () => {
    const old = made("old", "1");
    await watched.show(old);
    await watched.live(20, { old: light });
    const again = await recreate(old, () => made("again", "1"));
    assert.equal(watched.published("update.compared").length, 0);
    await watched.live(10, { again: light });
    const bad = await recreate(again, () => made("new", "2"));
    await watched.live(9, { new: heavy });
    await recreate(bad, () => made("new-again", "2"));
    assert.deepEqual([latest("new-again")?.verdict, latest("new-again")?.container_id], ["pending", watched.idOf("new-again")]);
    await watched.live(8, { "new-again": heavy });
    assert.deepEqual(latest("new-again")?.changes, [{ figure: "memory", worse: true, text: "memory 310 MiB, was 180 MiB" }]);
  });

  it("follows the order of newer Compose, and a workload whose row stays", async () => {
    const old = made("old", "1");
    await watched.show(old);
    await watched.live(20, { old: light });
    const next = made("new", "2", { name: "0123456789ab_web", state: "created", startedAt: null });
    await watched.seen(next);
    await watched.seen(ended(old));
    await watched.gone("old");
    await watched.seen({ ...next, name: "web" });
    assert.equal(watched.published("update.compared").length, 0, "it does not run yet");
    await watched.seen({ ...next, name: "web", state: "running", startedAt: clock.now() });
    assert.deepEqual([latest()?.previous_image, latest()?.verdict], ["shop/web:1", "pending"]);

    const workload = made("workload", "1", { name: "api", runtime: "kubernetes" });
    await watched.show({ ...next, name: "web", state: "running", startedAt: clock.now() }, workload);
    await watched.seen({ ...workload, image: "shop/web:2", imageId: null, imageDigest: "sha256:digest-2" });
    assert.deepEqual([latest("workload")?.previous_image, latest("workload")?.image], ["shop/web:1", "shop/web:2"]);
  });

  it("is silent where it is switched off, and ends with the container", async () => {
    const quiet = { ...defaultSettings, updates: { ...DEFAULT_UPDATE_SETTINGS, alertOn: "none" as const } };
    const old = made("old", "1");
    const other = made("other", "1", { name: "api" });
    await watched.show(old, other);
    await watched.live(20, { old: light, other: light });
    await recreate(old, () => made("new", "2", { settings: quiet }));
    await watched.seen(ended(other));
    await watched.gone("other");
    await watched.seen(made("other-new", "2", { name: "api" }));
    await watched.live(16, { new: heavy, "other-new": heavy });
    assert.equal(latest()?.verdict, "worse");
    assert.deepEqual(
      watched.published("update.compared").flatMap(({ verdict, name, alerting }) => (verdict === "worse" ? [[name, alerting]] : [])),
      [
        ["web", false],
        ["api", true],
      ],
    );
    const id = watched.idOf("other-new");
    await watched.giveUp("other-new");
    assert.deepEqual(
      watched
        .published("update.compared")
        .slice(-1)
        .map((data) => [data.id, data.verdict, data.alerting]),
      [[id, "worse", false]],
    );
    await restart();
    assert.deepEqual(watched.updateComparisons.announce(), []);
  });

  it("forgets what is old, and says that a regression nobody looks at any more is over", async () => {
    const old = made("old", "1");
    await watched.show(old);
    await watched.live(20, { old: light });
    const next = await recreate(old, () => made("new", "2"));
    await watched.live(16, { new: heavy });
    await watched.stop();
    clock.jump(new Date(clock.now().getTime() + 91 * 24 * 3_600_000));
    watched = await startUpdateComparisons({ database, clock });
    await watched.show(next);
    assert.equal(watched.updateComparisons.announce().length, 1);
    await watched.pass(150_000);
    assert.equal(latest(), undefined);
    assert.deepEqual(watched.published("update.compared").at(-1)?.alerting, false);
    await restart();
    assert.equal(latest(), undefined);
  });

  it("follows so many names and no more, until one is free", async () => {
    const shown = (count: number) =>
      Array.from({ length: count }, (_, place) => made(`c${place}`, "1", { name: `c${place}`, endpoints: [] }));
    const updated = async (name: string) => {
      await watched.seen(made(`${name}-1`, "1", { name }));
      await watched.pass(60_000);
      await recreate(made(`${name}-1`, "1", { name }), () => made(name, "2", { name }));
    };
    await watched.show(...shown(MOST_RUNS));
    await updated("late");
    assert.equal(latest("late"), undefined);

    await watched.giveUp("c7");
    await updated("later");
    assert.equal(latest("later")?.verdict, "pending");
  });
});
