import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../../test/support/fake-clock.ts";
import {
  COMPONENTS,
  createFakeWorld,
  type FakeWorld,
  openComponents,
  type OpenedComponents,
} from "../../../../test/support/status-components.ts";
import { until } from "../../../../test/support/until.ts";
import type { Database } from "../../../storage/database.ts";
import type { Component, Day } from "../vocabulary.ts";
import { pageStatus } from "./projection.ts";

const noon = new Date("2026-03-01T12:00:00Z");

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let world: FakeWorld;
  let opened: OpenedComponents;

  beforeEach(async () => {
    database = await databases.create();
    begin(noon);
    opened = await openComponents(database, clock, world);
  });

  function begin(at: Date): void {
    clock = createFakeClock(at);
    world = createFakeWorld();
    for (const id of [1, 2, 3]) world.set(id, "operational");
  }

  const shown = (id: number): Component => {
    const component = opened.find(id);
    assert.ok(component !== undefined);
    return component;
  };
  const bar = (id: number, back = 0): Day | undefined => shown(id).days.at(-1 - back);
  const pass = (seconds: number): Promise<void> => opened.pass(seconds);
  const becomes = (id: number, status: string): Promise<unknown> => until(() => opened.find(id)?.status === status, { everyMs: 1 });
  const restart = async ({ crash = false, away = 0 } = {}): Promise<void> => {
    await (crash ? opened.kill() : opened.quit());
    clock.jump(new Date(clock.now().getTime() + away * 1000));
    opened = await openComponents(database, clock, world);
  };

  describe("a component", () => {
    it("follows its monitor, and the page follows it, at once", async () => {
      const { id } = await opened.create();
      await opened.create({ monitor_id: 2, name: "Search" });
      opened.events.length = 0;
      world.set(1, "major_outage");
      opened.hint(1);
      // Without waiting for the look of every second: the clock stands still.
      await until(() => opened.published().includes("status.changed"), { everyMs: 1 });
      const about = { agent_id: null, timestamp: noon.toISOString() };
      assert.deepEqual(opened.events.slice(1), [
        {
          type: "component.changed",
          data: { id, name: "Shop", group_id: null, status: "major_outage", observed: true, previous_status: "operational", ...about },
        },
        { type: "status.changed", data: { status: "partial_outage", previous_status: "operational", ...about } },
      ]);
      assert.equal(shown(id).status, "major_outage");
      assert.equal(bar(id)?.worst, "major_outage", "its bar at once");
      assert.equal(pageStatus(opened.board()), "partial_outage");
    });

    it("follows what no event reports within a second", async () => {
      const { id } = await opened.create();
      await pass(3);
      world.set(1, "degraded");
      await pass(1);
      assert.equal(shown(id).status, "degraded");
      assert.deepEqual(shown(id).since, new Date(noon.getTime() + 4000));
    });

    it("is followed within a second when it is the first in a long time", async () => {
      const fresh = await openComponents(await databases.create(), clock, world);
      await fresh.pass(75);
      world.set(1, "operational");
      await fresh.create();
      world.set(1, "major_outage");
      await fresh.pass(1);
      assert.deepEqual(
        (await fresh.list()).map(({ status }) => status),
        ["major_outage"],
      );
      await fresh.quit();
    });

    it("loses no change while another is being saved", async () => {
      const { id } = await opened.create();
      world.set(1, "major_outage");
      opened.hint(1);
      world.set(1, "operational");
      opened.hint(1);
      world.set(1, "degraded");
      opened.hint(1);
      await until(() => opened.find(id)?.status === "degraded", { everyMs: 1 });
    });

    it("has its override until that is removed", async () => {
      const { id } = await opened.create();
      const updated = await opened.update(id, { status_override: "partial_outage" });
      assert.partialDeepStrictEqual(updated, {
        status: "partial_outage",
        status_override: "partial_outage",
        monitor_status: "operational",
      });
      world.set(1, "major_outage");
      opened.hint(1);
      await until(async () => (await opened.list())[0]?.monitor_status === "major_outage", { everyMs: 1 });
      assert.equal(shown(id).status, "partial_outage");
      await restart();
      assert.equal(shown(id).status, "partial_outage");
      assert.equal((await opened.update(id, { status_override: null })).status, "major_outage");
      assert.ok(opened.published().includes("component.changed"));
    });

    it("keeps its last status when its monitor is gone, and asks for attention", async () => {
      const { id } = await opened.create();
      world.set(1, "degraded");
      opened.hint(1);
      await becomes(id, "degraded");
      opened.events.length = 0;
      world.remove(1);
      opened.hint(1, "container.removed");
      await until(async () => (await opened.list())[0]?.needs_attention, { everyMs: 1 });
      assert.deepEqual(opened.published(), ["container.removed", "component.updated", "status.changed"]);
      assert.equal(shown(id).status, "degraded");
      await restart();
      const [record] = await opened.list();
      assert.partialDeepStrictEqual(record, { status: "degraded", needs_attention: true, monitor_id: 1, monitor_name: "web-1" });
      assert.partialDeepStrictEqual(
        await opened.update(id, { monitor_id: 1, name: "Shop 2" }),
        { needs_attention: true },
        "sent back as it was",
      );
      assert.partialDeepStrictEqual(await opened.update(id, { monitor_id: 2 }), {
        needs_attention: false,
        monitor_name: "web-2",
        status: "operational",
      });
    });

    it("takes over the container that is re-created under the same name on the same host", async () => {
      const { id } = await opened.create();
      world.set(8, "operational", { name: "web-1", agentId: "0190c7a4-0000-7000-8000-000000000001" });
      world.remove(1);
      opened.hint(1, "container.removed");
      await until(async () => (await opened.list())[0]?.needs_attention, { everyMs: 1 });
      world.set(9, "major_outage", { name: "web-1" });
      opened.bus.publish({
        type: "container.discovered",
        data: {
          id: 9,
          agent_id: null,
          name: "web-1",
          timestamp: "",
          runtime: "docker",
          image: "",
          group: "",
          labels: {},
          alert_severity: "warning",
          alert_channels: [],
          alert_tags: [],
          state: "created",
          health: null,
        },
      });
      await until(async () => (await opened.list())[0]?.monitor_id === 9, { everyMs: 1 });
      assert.partialDeepStrictEqual(await opened.list(), [{ id, needs_attention: false, status: "major_outage" }]);
      assert.deepEqual(opened.coverOf([id, 77]), [{ type: "container", id: "9" }]);
    });

    it("takes it on too when that happened while the program was away", async () => {
      const { id } = await opened.create();
      await opened.quit();
      world.remove(1);
      world.set(9, "degraded", { name: "web-1" });
      opened = await openComponents(database, clock, world);
      await until(async () => (await opened.list())[0]?.monitor_id === 9, { everyMs: 1 });
      assert.equal(shown(id).status, "degraded");
      assert.ok(!(await opened.list())[0]?.needs_attention);
    });

    it("shows alerting and incidents what it stands for", async () => {
      const { id } = await opened.create({ auto_incident: true });
      await opened.create({ name: "Other" });
      await opened.create({ name: "Hidden", auto_incident: true, visible: false });
      world.set(1, "operational", { type: "heartbeat" });
      await opened.create({ name: "Job", monitor_type: "heartbeat", monitor_id: 1 });
      const ids = (type: "container" | "heartbeat", of: number): number[] => opened.automaticFor({ type, id: of }).map((each) => each.id);
      assert.deepEqual(ids("container", 1), [id]);
      assert.deepEqual(ids("heartbeat", 1), []);
      assert.deepEqual(ids("container", 2), []);
    });
  });

  describe("maintenance", () => {
    const at = (seconds: number): string => new Date(noon.getTime() + seconds * 1000).toISOString();

    it("begins and ends by itself; overlapping windows end with the last, and an override stands above it", async () => {
      const { id } = await opened.create();
      const { id: other } = await opened.create({ monitor_id: 2, name: "Search" });
      world.plan({ starts_at: at(10), ends_at: at(30), components: [id] });
      world.plan({ starts_at: at(20), ends_at: at(40), entities: [{ entity_type: "container", entity_id: "1" }] });
      const seen: string[] = [];
      for (let second = 0; second < 45; second += 1) {
        await pass(1);
        if (seen.at(-1)?.split(" ")[1] !== shown(id).status) seen.push(`${second + 1} ${shown(id).status}`);
      }
      assert.deepEqual(seen, ["1 operational", "10 maintenance", "40 operational"]);
      assert.equal(shown(other).status, "operational");
      world.plan({ starts_at: at(50), ends_at: at(60), entities: [{ entity_type: "agent", entity_id: "local" }] });
      await opened.update(other, { status_override: "operational" });
      world.set(1, "major_outage");
      await pass(7);
      assert.deepEqual([shown(id).status, shown(other).status], ["maintenance", "operational"]);
      await pass(10);
      assert.equal(shown(id).status, "major_outage", "what it is once the work is over");
    });

    it("continues across a restart, and is over when it ended meanwhile", async () => {
      const { id } = await opened.create();
      world.plan({ starts_at: at(10), ends_at: at(100), components: [id] });
      await pass(20);
      await restart({ away: 30 });
      assert.equal(shown(id).status, "maintenance");
      assert.deepEqual(shown(id).since, new Date(noon.getTime() + 10_000));
      await restart({ away: 60 });
      assert.equal(shown(id).status, "operational");
      assert.ok(opened.published().includes("component.changed"));
      assert.deepEqual(bar(id)?.uptime, 1, "maintenance is no outage");
      assert.equal(bar(id)?.worst, "maintenance");
    });
  });

  describe("the bars", () => {
    it("count each day by itself, and roll on at midnight UTC", async () => {
      await opened.quit();
      begin(new Date("2026-03-01T23:59:30Z"));
      opened = await openComponents(database, clock, world);
      const { id } = await opened.create();
      await pass(10);
      world.set(1, "major_outage");
      opened.hint(1);
      await becomes(id, "major_outage");
      const before = opened.changes();
      await pass(18);
      assert.equal(opened.changes(), before, "nothing that shows");
      await pass(6);
      assert.ok(opened.changes() > before, "another day");
      assert.deepEqual([bar(id)?.date, bar(id, 1)?.date], ["2026-03-02", "2026-03-01"]);
      world.set(1, "operational");
      opened.hint(1);
      await becomes(id, "operational");
      await pass(60);
      const [yesterday, today] = [bar(id, 1), bar(id)];
      assert.equal(yesterday?.worst, "major_outage");
      assert.ok(Math.abs((yesterday?.outageSeconds ?? 0) - 20) <= 2, String(yesterday?.outageSeconds));
      assert.ok(Math.abs((yesterday?.uptime ?? 0) - 1 / 3) < 0.08, String(yesterday?.uptime));
      assert.ok((today?.outageSeconds ?? 0) >= 3 && (today?.outageSeconds ?? 0) <= 6, String(today?.outageSeconds));
      await restart();
      assert.deepEqual(bar(id, 1), yesterday, "the same after a restart");
      assert.equal(bar(id)?.outageSeconds, today?.outageSeconds);
    });

    it("know nothing of the time in which the program did not run; a crash costs a minute at most", async () => {
      const { id } = await opened.create();
      await pass(100);
      world.set(1, "major_outage");
      opened.hint(1);
      await becomes(id, "major_outage");
      await pass(100);
      await opened.quit();
      clock.jump(new Date(clock.now().getTime() + 3_600_000));
      opened = await openComponents(database, clock, world);
      assert.equal(shown(id).status, "major_outage");
      const { outageSeconds, uptime } = bar(id) ?? { outageSeconds: NaN, uptime: NaN };
      assert.ok(outageSeconds >= 99 && outageSeconds <= 102, String(outageSeconds));
      assert.ok(uptime !== null && Math.abs(uptime - 0.5) < 0.02, String(uptime));
      await pass(100);
      await restart({ crash: true });
      const lost = outageSeconds + 100 - (bar(id)?.outageSeconds ?? 0);
      assert.ok(lost >= 0 && lost <= 61, String(lost));
    });

    it("know nothing of the time in which the machine slept, or that a clock set forward made up", async () => {
      const { id } = await opened.create();
      world.set(1, "major_outage");
      opened.hint(1);
      await becomes(id, "major_outage");
      await pass(59);
      clock.jump(new Date(clock.now().getTime() + 7_200_000));
      await pass(61);
      const { outageSeconds } = bar(id) ?? { outageSeconds: NaN };
      assert.ok(outageSeconds >= 100 && outageSeconds <= 125, String(outageSeconds));
    });

    it("update the page each minute when they changed, and only then", async () => {
      const { id } = await opened.create();
      await pass(65);
      const calm = opened.changes();
      const board = opened.board();
      await pass(180);
      assert.equal(opened.changes(), calm);
      assert.equal(opened.board(), board, "the same object");
      await opened.update(id, { status_override: "major_outage" });
      const out = opened.changes();
      await pass(180);
      assert.equal(opened.changes() - out, 3);
      assert.notEqual(opened.board(), board);
    });

    it("are kept for 90 days", async () => {
      const { id } = await opened.create();
      await opened.update(id, { status_override: "major_outage" });
      await pass(5);
      const rows = async (): Promise<number> => {
        const { count } = await database
          .tables<{ status_days: { day: number } }>()
          .read.selectFrom("status_days")
          .select((select) => select.fn.countAll().as("count"))
          .executeTakeFirstOrThrow();
        return Number(count);
      };
      await restart({ away: 89 * 86_400 });
      assert.equal(shown(id).days[0]?.worst, "major_outage");
      assert.equal(await rows(), 1);
      await restart({ away: 86_400 });
      assert.equal(shown(id).days[0]?.worst, null);
      await pass(101);
      assert.equal(await rows(), 1, "only what was counted since");
      await opened.routes.check("DELETE", `${COMPONENTS}/{id}`, { id });
      assert.equal(await rows(), 0, "gone with their component");
    });
  });

  describe("the database", () => {
    it("may be gone for a while: nothing is published that was not saved, and nothing is forgotten", async () => {
      const { id } = await opened.create();
      const clean = opened.published().length;
      await database.stop();
      world.set(1, "major_outage");
      opened.hint(1);
      await pass(3);
      assert.equal(shown(id).status, "operational");
      assert.deepEqual(opened.published().slice(clean), ["container.updated"]);
      await opened.quit();
    });
  });
});
