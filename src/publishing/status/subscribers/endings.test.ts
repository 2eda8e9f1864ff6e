import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import {
  incidentNews,
  join,
  mailsTo,
  maintenanceRecord,
  newsTo,
  openReceiver,
  openSubscribers,
  readable,
} from "../../../../test/support/status-subscribers.ts";
import type { MaintenanceRecord } from "../../../alerting/suppression/answers.ts";

const ADA = "ada@example.com";
const GRACE = "grace@example.com";

onBothDatabases(({ create }) => {
  describe("news of components that are no longer on the page", () => {
    it("are the end of an incident, once, to those who got its start", async (context) => {
      const receiver = await openReceiver(context);
      const hidden = new Set([3]);
      const world = await openSubscribers(context, await create(), { receiver, hidden });
      await join(world, receiver, ADA, [1]);
      await join(world, receiver, GRACE, [2]);
      await world.announce(incidentNews(1));
      await world.passUntil(() => newsTo(receiver, ADA).length === 1);
      hidden.add(1);
      await world.announce(incidentNews(2, { status: "identified" }));
      await world.announce(incidentNews(3, { status: "resolved" }));
      await world.passUntil(() => newsTo(receiver, ADA).length === 2);
      assert.deepEqual(newsTo(receiver, ADA), ["[Shop] Investigating: Payments fail", "[Shop] Resolved: Payments fail"]);
      assert.doesNotMatch(readable(mailsTo(receiver, ADA).at(-1)), /Checkout/);

      // Opened again unseen, and another one whose start nobody got. The last is the end of the queue.
      await world.announce(incidentNews(4));
      await world.announce(incidentNews(5, { status: "resolved" }));
      await world.announce(incidentNews(1, { id: 77, status: "resolved" }));
      await world.announce(incidentNews(2, { id: 8, components: [], title: "Power" }));
      await world.passUntil(() => newsTo(receiver, GRACE).length === 1 && newsTo(receiver, ADA).length >= 3);
      assert.deepEqual(newsTo(receiver, ADA).slice(2), ["[Shop] Investigating: Power"]);
      assert.deepEqual(newsTo(receiver, GRACE), ["[Shop] Investigating: Power"]);
    });

    it("are the end of maintenance that was announced, to those who got the announcement", async (context) => {
      const receiver = await openReceiver(context);
      const hidden = new Set([3]);
      const windows: MaintenanceRecord[] = [];
      const world = await openSubscribers(context, await create(), { receiver, hidden, windows });
      const { clock } = world;
      await join(world, receiver, ADA, [1]);
      await join(world, receiver, GRACE, [2]);
      windows.push(maintenanceRecord(), maintenanceRecord({ id: 6, title: "Ledger", components: [3] }));
      await world.passUntil(() => newsTo(receiver, ADA).length === 1);
      hidden.add(1);
      const change = async (changes: Partial<MaintenanceRecord>): Promise<void> => {
        windows[0] = maintenanceRecord(changes);
        windows[1] = maintenanceRecord({ id: 6, title: "Ledger", components: [3], ...changes });
        await clock.advance(60_000);
        await world.passUntil(async () => (await world.list())["mails_waiting"] === 0);
      };
      await change({ starts_at: "2026-03-01T13:00:00.000Z" });
      await change({ status: "active" });
      assert.equal(newsTo(receiver, ADA).length, 1);
      // Without components it would concern everybody.
      windows[0] = maintenanceRecord({ status: "ended", ends_at: clock.now().toISOString(), components: [] });
      windows[1] = maintenanceRecord({ ...windows[1], status: "ended" });
      await world.passUntil(() => newsTo(receiver, ADA).length === 2);
      assert.deepEqual(newsTo(receiver, ADA), ["[Shop] Planned maintenance: New database", "[Shop] Maintenance completed: New database"]);
      assert.doesNotMatch(readable(mailsTo(receiver, ADA).at(-1)), /Checkout/);
      await world.passUntil(async () => (await world.list())["mails_waiting"] === 0);
      assert.deepEqual(newsTo(receiver, GRACE), []);
    });

    it("are the start of maintenance when they come back to the page while it runs", async (context) => {
      const receiver = await openReceiver(context);
      const hidden = new Set([3]);
      const windows: MaintenanceRecord[] = [];
      const world = await openSubscribers(context, await create(), { receiver, hidden, windows });
      await join(world, receiver, ADA, [1]);
      windows.push(maintenanceRecord());
      await world.passUntil(() => newsTo(receiver, ADA).length === 1);
      hidden.add(1);
      windows[0] = maintenanceRecord({ status: "active" });
      await world.clock.advance(60_000);
      hidden.delete(1);
      await world.passUntil(() => newsTo(receiver, ADA).length === 2);
      assert.equal(newsTo(receiver, ADA)[1], "[Shop] Maintenance started: New database");
    });
  });
});
