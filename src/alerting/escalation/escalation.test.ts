import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createContext, levelsOf, openEscalation, type OpenedEscalation, type Context } from "../../../test/support/escalation.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { until as waitUntil } from "../../../test/support/until.ts";
import { watchTasks } from "../../../test/support/watched-tasks.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";

const noon = new Date("2026-03-01T12:00:00Z");
const at = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000);

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let around: Context;
  let chain: OpenedEscalation;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(noon);
    around = createContext();
    await restart();
  });

  async function restart(): Promise<void> {
    chain = await openEscalation(database, clock, around);
  }

  it("advances in time by itself, from the first policy on; without one nothing is looked at", async () => {
    let runs = 0;
    const tasks = watchTasks(createScheduler(clock, silentLog), (what) => void (runs += what === "begin" ? 1 : 0));
    chain = await openEscalation(await databases.create(), clock, around, { scheduler: tasks.scheduler });
    async function until(seconds: number): Promise<void> {
      while (clock.now() < at(seconds)) {
        await clock.advance(500);
        await tasks.idle();
      }
    }
    await until(50);
    assert.ok(runs <= 5, `${runs} runs`);
    await chain.makePolicy(levelsOf([0, 1], [5, 2]));
    await until(51);
    await chain.fire();
    await waitUntil(() => chain.received().length > 0);
    await until(58);
    assert.deepEqual(chain.received(), [
      [1, "alert.fired", "level", 0, 51],
      [2, "alert.fired", "level", 1, 56],
    ]);
  });

  describe("a run (each row of the specification's table)", () => {
    it("begins when an alert fires that an active policy matches, and notifies each level after its delay", async () => {
      const policyId = await chain.makePolicy(levelsOf([0, 1], [60, 2, 3], [120, 4]));
      await chain.makePolicy(levelsOf([0, 1]), { active: false });
      await chain.makePolicy(levelsOf([0, 1]), { filters: { severities: ["warning"] } });
      await chain.makePolicy(levelsOf([0, 1]), { filters: { tags: ["db"] } });
      await chain.fire({ tags: ["web"] });
      assert.partialDeepStrictEqual(await chain.theRun(), {
        policy_id: policyId,
        alert_id: 1,
        status: "active",
        level_index: 1,
        started_at: at(0).toISOString(),
        next_level_at: at(60).toISOString(),
        exhausts_at: null,
        policy: { name: "Nights", levels: [{ delay_seconds: 0, channel_ids: [1] }, {}, {}] },
      });
      await chain.pass(125);
      assert.deepEqual(chain.received(), [
        [1, "alert.fired", "level", 0, 0],
        [2, "alert.fired", "level", 1, 60],
        [3, "alert.fired", "level", 1, 60],
        [4, "alert.fired", "level", 2, 120],
      ]);
      assert.partialDeepStrictEqual(await chain.theRun(), {
        status: "active",
        level_index: 3,
        next_level_at: null,
        exhausts_at: at(180).toISOString(),
      });
      assert.deepEqual(
        chain.events.filter(({ type }) => type.startsWith("escalation.")).map(({ type }) => type),
        ["escalation.started", "escalation.level", "escalation.level", "escalation.level"],
      );
    });

    it("is stopped_by_ack when the alert is acknowledged, and notifies the channels that it had notified", async () => {
      await chain.makePolicy(levelsOf([0, 1, 2], [60, 3]));
      const alert = await chain.fire();
      await chain.settle(1, "failed", "refused");
      await chain.pass(30);
      await chain.end(alert, "acknowledged");
      await chain.pass(60);
      assert.deepEqual(chain.received().slice(2), [[2, "alert.acknowledged", "closure", 0, 30]]);
      assert.partialDeepStrictEqual(await chain.theRun(), {
        status: "stopped_by_ack",
        level_index: 1,
        ended_at: at(30).toISOString(),
        next_level_at: null,
      });
      assert.partialDeepStrictEqual(chain.published("escalation.stopped"), [
        { data: { status: "stopped_by_ack", alert_id: 1, name: "Nights" } },
      ]);
    });

    it("is stopped_by_resolution when the alert resolves, and notifies the channels that nobody else notifies", async () => {
      around.notified = [1];
      await chain.makePolicy(levelsOf([0, 1, 2], [60, 3]));
      await chain.makePolicy(levelsOf([0, 2, 4]), { name: "Second" });
      const alert = await chain.fire();
      await chain.end(alert, "resolved");
      await chain.end(alert, "resolved");
      assert.deepEqual(chain.received().slice(4), [
        [2, "alert.resolved", "closure", 0, 0],
        [4, "alert.resolved", "closure", 0, 0],
      ]);
      for (const run of await chain.runs())
        assert.partialDeepStrictEqual(run, { status: "stopped_by_resolution", ended_at: at(0).toISOString() });
    });

    it("sends the end of the alert also where it was stopped by an acknowledgment, or exhausted, before", async () => {
      await chain.makePolicy(levelsOf([0, 1]));
      const first = await chain.fire();
      await chain.end(first, "acknowledged");
      await chain.end(first, "resolved");
      const second = await chain.fire({ id: 2 });
      await chain.pass(61);
      await chain.end(second, "resolved");
      assert.deepEqual(chain.received(), [
        [1, "alert.fired", "level", 0, 0],
        [1, "alert.acknowledged", "closure", 0, 0],
        [1, "alert.resolved", "closure", 0, 0],
        [1, "alert.fired", "level", 0, 0],
        [1, "alert.fired", "exhausted", 0, 60],
        [1, "alert.resolved", "closure", 0, 61],
      ]);
      assert.deepEqual([(await chain.theRun()).status, (await chain.theRun(2)).status], ["stopped_by_ack", "exhausted"]);
    });

    it("notifies the channels of all its levels that somebody acknowledged the alert", async () => {
      await chain.makePolicy(levelsOf([0, 1], [30, 2]));
      const alert = await chain.fire();
      await chain.pass(90);
      assert.equal((await chain.theRun()).status, "exhausted");
      const before = chain.received().length;
      await chain.end(alert, "acknowledged");
      assert.deepEqual(
        chain
          .received()
          .slice(before)
          .map((each) => (each as unknown[]).slice(0, 3)),
        [
          [1, "alert.acknowledged", "closure"],
          [2, "alert.acknowledged", "closure"],
        ],
      );
    });

    it("is paused_by_maintenance while a window covers the entity, over a restart, and then continues later by the pause", async () => {
      await chain.makePolicy(levelsOf([0, 1], [60, 2], [90, 3]));
      await chain.fire();
      await chain.pass(40);
      around.windows.push({ from: at(40), to: at(100) });
      await chain.suppressionChanged();
      assert.partialDeepStrictEqual(await chain.theRun(), {
        status: "paused_by_maintenance",
        paused_at: at(40).toISOString(),
        next_level_at: null,
        ended_at: null,
      });
      await chain.pass(30);
      await restart();
      await chain.pass(130);
      assert.deepEqual(chain.received(), [
        [1, "alert.fired", "level", 0, 0],
        [2, "alert.fired", "level", 1, 120],
        [3, "alert.fired", "level", 2, 150],
        [3, "alert.fired", "exhausted", 2, 180],
      ]);
      assert.partialDeepStrictEqual(await chain.theRun(), { status: "exhausted", paused_seconds: 60 });
      assert.equal(chain.published("escalation.resumed").length, 1);
    });

    it("is paused_by_silence while a silence matches the alert, over a restart, and then continues later by the pause", async () => {
      await chain.makePolicy(levelsOf([0, 1], [60, 2]));
      await chain.fire();
      await chain.pass(40);
      around.silences.push({ from: at(40), to: at(100) });
      await chain.suppressionChanged();
      assert.partialDeepStrictEqual(await chain.theRun(), { status: "paused_by_silence", next_level_at: null, ended_at: null });
      await chain.pass(30);
      await restart();
      await chain.pass(49);
      assert.deepEqual(chain.received(), [[1, "alert.fired", "level", 0, 0]]);
      await chain.pass(1);
      assert.deepEqual(chain.received()[1], [2, "alert.fired", "level", 1, 120]);
    });

    it("continues within a minute when its silence does not match the alert any more, though no event says so", async () => {
      await chain.makePolicy(levelsOf([60, 1]));
      around.silences.push({ from: at(0), to: at(10_000) });
      await chain.fire();
      await chain.suppressionChanged();
      assert.equal((await chain.theRun()).status, "paused_by_silence");
      await chain.pass(20);
      around.silences.length = 0;
      await chain.keepBooks();
      assert.equal((await chain.theRun()).status, "active");
      await chain.pass(60);
      assert.equal(chain.received().length, 1);
    });

    it("continues when its window is postponed or cancelled", async () => {
      await chain.makePolicy(levelsOf([60, 1]));
      around.windows.push({ from: at(10), to: at(1000) });
      await chain.fire();
      await chain.pass(10);
      await chain.suppressionChanged();
      await chain.pass(10);
      around.windows[0] = { from: at(10), to: at(2000) };
      await chain.suppressionChanged();
      await chain.pass(10);
      around.windows.length = 0;
      await chain.suppressionChanged();
      assert.partialDeepStrictEqual(await chain.theRun(), { status: "active", next_level_at: at(80).toISOString() });
      await chain.pass(50);
      assert.deepEqual(chain.received(), [[1, "alert.fired", "level", 0, 80]]);
    });

    it("is exhausted when all levels were notified and nobody reacted, and notifies the channels of the last level", async () => {
      await chain.makePolicy(levelsOf([0, 1], [10, 2, 3]));
      await chain.fire();
      await chain.pass(19);
      assert.equal((await chain.theRun()).status, "active");
      await chain.pass(100);
      assert.deepEqual(chain.received().slice(3), [
        [2, "alert.fired", "exhausted", 1, 20],
        [3, "alert.fired", "exhausted", 1, 20],
      ]);
      assert.partialDeepStrictEqual(await chain.theRun(), {
        status: "exhausted",
        level_index: 2,
        ended_at: at(20).toISOString(),
        exhausts_at: null,
      });
      assert.equal(chain.published("escalation.exhausted").length, 1);
    });

    it("is stopped_by_edition_downgrade, its policy is off until the upgrade, and then as it was", async () => {
      const on = await chain.makePolicy(levelsOf([0, 1], [60, 2]));
      const off = await chain.makePolicy(levelsOf([0, 1]), { active: false });
      await chain.fire();
      around.granted = false;
      await chain.pass(1);
      assert.partialDeepStrictEqual(await chain.theRun(), { status: "stopped_by_edition_downgrade", ended_at: at(1).toISOString() });
      const activity = async (): Promise<unknown[]> =>
        Promise.all([on, off].map(async (id) => (await chain.asked.check("GET", "/api/v1/escalation-policies/{id}", { id }))["active"]));
      assert.deepEqual(await activity(), [false, false]);
      await chain.fire({ id: 2 });
      await restart();
      await chain.pass(100);
      assert.deepEqual(await chain.runs(2), []);
      assert.equal(around.posted.length, 1);
      around.granted = true;
      await restart();
      assert.deepEqual(await activity(), [true, false]);
      await chain.fire({ id: 3 });
      assert.equal((await chain.theRun(3)).level_index, 1);
    });

    it("continues with the next level when a delivery failed, which is noted with its error", async () => {
      await chain.makePolicy(levelsOf([0, 1, 2, 3, 4], [60, 2]));
      around.channels.delete(3);
      around.channels.set(4, { name: "off", enabled: false });
      await chain.fire();
      await chain.settle(1, "failed", "The receiver answered 500.");
      await chain.settle(2, "sent");
      await chain.pass(60);
      const { deliveries, level_index: levelIndex } = await chain.theRun();
      assert.equal(levelIndex, 2);
      assert.deepEqual(
        deliveries.map(({ channel_id: id, channel_name: name, level_index: level, kind, status, error }) => [
          id,
          name,
          level,
          kind,
          status,
          error,
        ]),
        [
          [1, "channel 1", 0, "level", "failed", "The receiver answered 500."],
          [2, "channel 2", 0, "level", "sent", null],
          [3, null, 0, "level", "failed", "The channel was deleted."],
          [4, "off", 0, "level", "failed", "The channel is disabled."],
          [2, "channel 2", 1, "level", "pending", null],
        ],
      );
      assert.deepEqual(
        deliveries.map(({ settled_at: when }) => when !== null),
        [true, true, true, true, false],
      );
    });

    it("is stopped_by_policy_deletion, notifies nobody, and can still be read", async () => {
      const id = await chain.makePolicy(levelsOf([0, 1], [60, 2]));
      await chain.fire();
      await chain.asked.check("DELETE", "/api/v1/escalation-policies/{id}", { id });
      await chain.pass(100);
      assert.equal(around.posted.length, 1);
      assert.partialDeepStrictEqual(await chain.theRun(), { status: "stopped_by_policy_deletion", policy: { name: "Nights" } });
      assert.deepEqual(chain.published("escalation.stopped").length, 1);
      assert.deepEqual((await chain.asked.ask("GET", `/api/v1/escalation-policies/${id}/runs`)).status, 404);
    });
  });
});
