import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { sql } from "kysely";
import { countReads } from "../../../test/support/counted-reads.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import {
  createAlert,
  createContext,
  levelsOf,
  openEscalation,
  type OpenedEscalation,
  type Context,
} from "../../../test/support/escalation.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import type { Database } from "../../storage/database.ts";

const noon = new Date("2026-03-01T12:00:00Z");

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

  describe("runs", () => {
    it("are not read while none is due, and are when the clock was set back", async () => {
      const counted = countReads(database);
      chain = await openEscalation(counted.database, clock, around);
      await chain.makePolicy(levelsOf([0, 1], [600, 1]));
      await chain.fire();
      await chain.pass(2);
      const before = counted.reads();
      for (let looks = 0; looks < 20; looks += 1) await chain.pass(1);
      assert.equal(counted.reads(), before);
      clock.jump(new Date(noon.getTime() - 3_600_000));
      await chain.look();
      assert.ok(counted.reads() > before);
      const afterwards = counted.reads();
      await chain.pass(31);
      assert.ok(counted.reads() > afterwards, "once in half a minute, should a change have been missed");
      assert.ok(counted.reads() < afterwards + 10);
    });

    it("begin once for a policy and an alert, and not for one that somebody has taken on", async () => {
      await chain.makePolicy(levelsOf([0, 1]));
      const alert = await chain.fire();
      await chain.fire();
      await chain.end(alert, "acknowledged");
      await chain.fire();
      await chain.fire({ id: 2, acknowledgedAt: noon });
      assert.equal((await chain.runs()).length, 1);
      assert.deepEqual(await chain.runs(2), []);
      assert.equal(chain.published("escalation.started").length, 1);
    });

    it("leave nothing behind when the unit in which they began fails", async () => {
      await chain.makePolicy(levelsOf([0, 1]));
      const alert = createAlert();
      around.alerts.set(1, alert);
      const unit = database.tables<object>().write(async (tx) => {
        await chain.escalation.begin(tx, alert, noon);
        throw new Error("not today");
      });
      await assert.rejects(unit, /not today/);
      chain.escalation.wake();
      await chain.pass(70);
      assert.deepEqual(await chain.runs(), []);
      assert.deepEqual([around.posted, chain.published("escalation.started")], [[], []]);
      await chain.fire();
      assert.equal(chain.published("escalation.started").length, 1);
    });

    it("keep the plan with which they began", async () => {
      const id = await chain.makePolicy(levelsOf([0, 1], [60, 2]));
      await chain.fire();
      await chain.asked.check("PUT", "/api/v1/escalation-policies/{id}", { id }, { name: "Days", levels: levelsOf([5, 4]) });
      await chain.pass(61);
      assert.partialDeepStrictEqual(chain.received()[1], [2, "alert.fired", "level", 1, 60]);
      assert.equal((await chain.theRun()).policy.name, "Nights");
    });

    it("notify no level twice when two processes look at once", async () => {
      await chain.makePolicy(levelsOf([0, 1], [60, 2]));
      await chain.fire();
      const other = await openEscalation(database, clock, around);
      for (let second = 0; second < 130; second += 1) {
        clock.jump(new Date(clock.now().getTime() + 1000));
        await Promise.all([chain.look(), other.look()]);
      }
      assert.deepEqual(
        around.posted.map(({ level, kind }) => [level, kind]),
        [
          [0, "level"],
          [1, "level"],
          [1, "exhausted"],
        ],
      );
    });

    it("send nothing after a start until it is known which alerts are over; then all are looked at", async () => {
      await chain.makePolicy(levelsOf([0, 1], [60, 2]), { filters: { tags: ["soon"] } });
      await chain.makePolicy(levelsOf([0, 3], [3600, 4]), { name: "Days", filters: { tags: ["later"] } });
      const over = await chain.fire({ tags: ["soon"] });
      await chain.fire({ id: 2, tags: ["later"] });
      clock.jump(new Date(noon.getTime() + 120_000));
      around.settled = false;
      await restart();
      around.windows.push({ from: clock.now(), to: new Date(noon.getTime() + 3_600_000) });
      await chain.suppressionChanged();
      await chain.pass(5);
      assert.equal((await chain.theRun(2)).status, "active");
      await chain.end(over, "resolved");
      around.settled = true;
      await chain.look();
      assert.deepEqual(chain.received(), [
        [1, "alert.fired", "level", 0, 0],
        [3, "alert.fired", "level", 0, 0],
        [1, "alert.resolved", "closure", 0, 125],
      ]);
      assert.equal((await chain.theRun(2)).status, "paused_by_maintenance");
    });

    it("learn at the next start how deliveries ended whose outcome they missed", async () => {
      await chain.makePolicy(levelsOf([0, 1, 2, 3]));
      await chain.fire();
      await chain.settle(1, "sent", null, { notifies: false });
      await chain.settle(2, "failed", "refused", { notifies: false });
      await restart();
      await chain.keepBooks();
      assert.deepEqual(
        (await chain.theRun()).deliveries.map(({ status, error }) => [status, error]),
        [
          ["sent", null],
          ["failed", "refused"],
          ["pending", null],
        ],
      );
      await chain.settle(2, "sent");
      await chain.settle(1, "failed", "late");
      assert.deepEqual(
        (await chain.theRun()).deliveries.map(({ status }) => status),
        ["sent", "sent", "pending"],
      );
    });

    it("are purged at 03:00 when they ended more than 90 days ago; those in progress never are", async () => {
      const evening = new Date(2026, 5, 10, 18, 0);
      clock.jump(evening);
      await chain.makePolicy(levelsOf([0, 1], [60, 2]));
      await chain.end(await chain.fire(), "acknowledged");
      around.windows.push({ from: evening, to: new Date(2030, 0, 1) });
      await chain.fire({ id: 2 });
      clock.jump(new Date(2026, 8, 9, 2, 59));
      await chain.keepBooks();
      clock.jump(new Date(evening.getTime() + 90 * 24 * 3_600_000 + 1));
      await chain.keepBooks();
      assert.equal((await chain.runs()).length, 1);
      const next = new Date(clock.now());
      next.setDate(next.getDate() + 1);
      next.setHours(2, 59, 59);
      clock.jump(next);
      await chain.keepBooks();
      assert.equal((await chain.runs()).length, 1);
      clock.jump(new Date(next.getTime() + 1000));
      const write = (text: string): Promise<unknown> => database.tables<object>().write((tx) => sql.raw(text).execute(tx));
      await write(`INSERT INTO alerts (id, source, event, entity_type, entity_id, severity, status, fired_at, last_raised_at, notified, evaluations, persists,
          entity_name, message, parents, labels, channels, tags, details)
        VALUES (1, 'container', 'down', 'container', '1', 'critical', 'active', 0, 0, 1, 1, 0, 'a', '', '[]', '{}', '[]', '[]', '{}')`);
      await chain.keepBooks();
      assert.equal((await chain.runs()).length, 1, "its alert is active");
      await write("UPDATE alerts SET status = 'resolved' WHERE id = 1");
      clock.jump(new Date(next.getTime() + 24 * 3_600_000 + 1000));
      await chain.keepBooks();
      assert.deepEqual(await chain.runs(), []);
      assert.equal((await chain.theRun(2)).status, "paused_by_maintenance");
    });

    it("are stopped without a word when their alert is not known any more", async () => {
      await chain.makePolicy(levelsOf([0, 1], [60, 2]));
      await chain.fire();
      around.alerts.delete(1);
      await chain.pass(60);
      assert.equal((await chain.theRun()).status, "stopped_by_resolution");
      assert.equal(around.posted.length, 1);
    });

    it("end with their alert when no event reached them", async () => {
      await chain.makePolicy(levelsOf([0, 1], [60, 2]));
      const alert = await chain.fire();
      around.alerts.set(1, { ...alert, status: "resolved", resolvedAt: noon });
      await chain.pass(60);
      assert.deepEqual(chain.received().slice(1), [[1, "alert.resolved", "closure", 0, 60]]);
    });
  });
});
