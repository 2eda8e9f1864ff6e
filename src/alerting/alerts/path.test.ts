import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NOTHING_ELSE, problem } from "../../../test/support/alerts.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { declaredRoutes } from "../../../test/support/declared-routes.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { until } from "../../../test/support/until.ts";
import type { Event } from "../../events.ts";
import { createBus } from "../../platform/bus.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import { createDeliveries } from "../deliveries/index.ts";
import { createSuppression } from "../suppression/index.ts";
import { createRouting } from "../routing/index.ts";
import { createAlertHistory, createAlerts } from "./index.ts";

const CHANNELS = [{ id: 1, name: "Ops", enabled: true, rules: [], updatedAt: new Date(0) }];

onBothDatabases(({ create }) => {
  describe("the whole path, with the real parts", () => {
    it("goes from a problem to a receiver, and explains why", async () => {
      const database = await create();
      const bus = createBus<Event>(silentLog);
      const scheduler = createScheduler(systemClock, silentLog);
      const shared = { database, bus, clock: systemClock, scheduler, log: silentLog, groupOf: () => undefined };
      const received: string[] = [];
      const channels = {
        all: () => CHANNELS,
        get: (id: number) => CHANNELS.find((channel) => channel.id === id),
        useBy: () => undefined,
        async send(_id: number, { event, alert }: { event: string; alert: { id: number } }) {
          received.push(`${event} ${alert.id}`);
          return { status: "delivered" as const, statusCode: 200, durationMs: 1, error: null, retryAfterMs: null };
        },
        noteOutcome: () => undefined,
      };
      const routing = createRouting({ ...shared, channels, history: createAlertHistory(database) });
      const suppression = createSuppression({ ...shared, alerts: () => alerts.active() });
      const outbox = createDeliveries({ ...shared, channels });
      const escalation = {
        begin: async () => false,
        end: async () => false,
        purgeAlerts: async () => undefined,
        forgetAlerts: () => undefined,
        wake: () => undefined,
      };
      const alerts = createAlerts({
        ...shared,
        baseUrl: "https://watch.example",
        channels,
        suppression,
        routing,
        outbox,
        announcers: [],
      });
      const inOrder = [routing, suppression, alerts, outbox];
      for (const part of [routing, suppression, outbox]) await part.start();
      await alerts.start(escalation);
      alerts.settle();
      const served = inOrder.flatMap((part) => part.routes);
      const server = createTestServer({ routes: served });
      const { check } = declaredRoutes(server, served);

      await check("POST", "/api/v1/alert-triggers", {}, { name: "Nights", enabled: true, notify_on_resolve: true, channel_ids: [1] });
      const silence = await check(
        "POST",
        "/api/v1/silence",
        {},
        { reason: "rebuilding", ends_at: new Date(systemClock.now().getTime() + 3_600_000).toISOString(), matchers: { entity_id: "8" } },
      );
      await alerts.raise(problem());
      await alerts.raise(problem({ entity: { type: "endpoint", id: "8" } }));
      const [silenced, notified] = (await alerts.service.list(NOTHING_ELSE)).alerts;
      assert.ok(silenced !== undefined && notified !== undefined);
      await until(() => received.length === 1);
      assert.equal(silenced.suppressed_by, "silence");
      assert.match((await alerts.service.trace(silenced.id)).summary, /Nobody was notified\. Silence \d+ \("rebuilding"\)/);

      await check("DELETE", "/api/v1/silence/{id}", { id: silence["id"] });
      await until(() => received.length === 2);
      await alerts.clear(problem(), "put right");
      await until(() => received.length === 3);
      assert.deepEqual(received, [`alert.fired ${notified.id}`, `alert.fired ${silenced.id}`, `alert.resolved ${notified.id}`]);
      const { summary, stages } = await until(async () => {
        const now = await alerts.service.trace(notified.id);
        return now.summary.includes("2 sent") ? now : undefined;
      });
      assert.equal(summary, "2 notifications: 2 sent.");
      assert.ok(
        stages.some(({ text }) => text === 'To "Ops" (trigger "Nights").'),
        JSON.stringify(stages),
      );

      await scheduler.stop();
      await alerts.stop();
      await outbox.stop();
      await server.stop();
    });
  });
});
