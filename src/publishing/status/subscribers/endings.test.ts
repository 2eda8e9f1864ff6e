import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import {
  incidentNews,
  join,
  mailsTo,
  newsTo,
  openReceiver,
  openSubscribers,
  readable,
} from "../../../../test/support/status-subscribers.ts";

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
  });
});
