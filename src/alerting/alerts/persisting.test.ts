import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { MINUTE_MS } from "../../contract/time.ts";
import {
  aboutContainer,
  type AlertContext,
  createAlertContext,
  endpointAlert,
  openAlerts,
  type OpenedAlerts,
} from "../../../test/support/alerts.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import type { Event, EventData, UpdateStatus } from "../../events.ts";
import type { AlertSource, Resolution } from "../vocabulary.ts";

const AT = "2026-03-01T12:00:00.000Z";

const about = {
  ...({ id: 5, agent_id: null, name: "backup", status: "down", previous_status: "up", previous_reason: null } as const),
  ...{ failing_since: AT, last_ping_at: AT, next_deadline_at: null, current_run_started_at: null, last_duration_ms: null, timestamp: AT },
} as const;
const failed = { ...about, alert_tags: [], reason: "exit_code" as const, last_exit_code: 3 };
const ping = (kind: "exit_code" | "log" | "start", exit_code: number | null): Event => ({
  type: "heartbeat.pinged",
  data: { ...failed, heartbeat_id: 5, kind, exit_code },
});
const failedRun = ping("exit_code", 3);
const stillFailed: Event = { type: "heartbeat.updated", data: { ...failed, change: "edited" } };
const silent: Event = {
  type: "heartbeat.deadline_missed",
  data: { ...about, alert_tags: [], reason: "deadline", last_exit_code: null, deadline_at: AT },
};
const unhealthy: Event = {
  type: "container.health_changed",
  data: { ...aboutContainer(), state: "running", health: "unhealthy", previous_health: "healthy" },
};
const endpoint: Event = { type: "endpoint.alert", data: endpointAlert() };
const update: Event = {
  type: "update.detected",
  data: {
    ...aboutContainer(),
    ...{ update_type: "minor", current_tag: "1", available_tag: "2", current_digest: null, available_digest: null },
    ...{ alerting: true, message: null },
  } as unknown as EventData["update.detected"],
};
const scanned = (status: "completed" | "failed"): Event => ({
  type: "update.scan_completed",
  data: { scan_id: "s", total: 1, scanned: 1, updates_found: 1, agent_id: null, timestamp: AT, status, errors: 0 },
});

onBothDatabases(({ create }) => {
  let clock: FakeClock;
  let around: AlertContext;
  let opened: OpenedAlerts;

  beforeEach(async () => {
    clock = createFakeClock();
    around = createAlertContext();
    opened = await openAlerts(await create(), clock, around);
  });

  async function emit(...events: readonly Event[]): Promise<void> {
    for (const event of events) opened.bus.publish(event);
    await opened.quiesce();
  }

  async function later(milliseconds: number): Promise<void> {
    clock.jump(new Date(clock.now().getTime() + milliseconds));
    await opened.run("alerts announced again");
  }

  async function resolve(): Promise<void> {
    await opened.service.resolve((await opened.last()).id, { resolved_by: "Anna" });
  }

  const statuses = async (): Promise<string[]> => (await opened.list()).alerts.map(({ status }) => status);

  describe("a problem that persists after a user resolved its alert", () => {
    it("is a new alert with its next bad observation after five minutes", async () => {
      around.bad.set("heartbeat", [stillFailed]);
      await emit(failedRun);
      await resolve();
      await later(5 * MINUTE_MS - 1);
      await emit(failedRun);
      assert.deepEqual(await statuses(), ["resolved"]);
      await later(1);
      await emit(failedRun);
      assert.deepEqual(await statuses(), ["active", "resolved"]);
      const { id } = await opened.last();
      assert.deepEqual(around.sent().slice(-1), [`fired ${id}`]);
      assert.equal(around.escalated.at(-1), `begin ${id}`);
    });

    it("is so at once after the clock was set back, and not after it was adjusted a little", async () => {
      around.bad.set("endpoint", [endpoint]);
      await emit(endpoint);
      await resolve();
      await later(-1000);
      assert.deepEqual(await statuses(), ["resolved"]);
      await later(-60 * MINUTE_MS);
      assert.deepEqual((await statuses()).toSorted(), ["active", "resolved"]);
    });

    const lasting: readonly (readonly [AlertSource, Event])[] = [
      ["container", unhealthy],
      ["endpoint", endpoint],
      ["heartbeat", silent],
    ];
    for (const [source, event] of lasting) {
      it(`is so by itself where it is looked at all the time: ${event.type}`, async () => {
        around.bad.set(source, [event]);
        await emit(event);
        await resolve();
        await later(4 * MINUTE_MS);
        assert.deepEqual(await statuses(), ["resolved"]);
        await later(MINUTE_MS);
        assert.deepEqual(await statuses(), ["active", "resolved"]);
      });
    }

    it("is not so while nothing bad was observed", async () => {
      around.bad.set("heartbeat", [stillFailed]);
      await emit(failedRun);
      await resolve();
      await later(60 * MINUTE_MS);
      await emit(ping("log", null), ping("start", null), stillFailed);
      assert.deepEqual(await statuses(), ["resolved"]);
    });

    it("is so with the next scan that still finds an update", async () => {
      around.bad.set("update", [update]);
      await emit(update);
      await resolve();
      await later(60 * MINUTE_MS);
      await emit(scanned("failed"));
      assert.deepEqual(await statuses(), ["resolved"]);
      await emit(scanned("completed"));
      assert.deepEqual(await statuses(), ["active", "resolved"]);
    });
  });

  describe("an update that its source no longer names", () => {
    const ends: readonly (readonly [UpdateStatus, Resolution | null])[] = [
      ["unknown", null],
      ["up_to_date", { by: "observation", reason: "No newer image is available anymore." }],
      ["pinned", { by: "user", reason: "The container was pinned." }],
      ["excluded", { by: "user", reason: "The container was excluded from updates." }],
      ["available", { by: "user", reason: "This alert is no longer enabled for the container." }],
    ];
    for (const [status, resolution] of ends)
      it(`ends as the status of its container says: ${status}`, async () => {
        around.watches = {
          localRuntime: false,
          runs: () => true,
          isDownOver: () => undefined,
          isAlerted: () => true,
          hasStoppedWithRuntime: () => false,
          mayReturn: () => false,
          isStarting: () => false,
          updateStatus: () => status,
        };
        opened = await openAlerts(await create(), clock, around);
        around.bad.set("update", [update]);
        await emit(update);
        around.bad.clear();
        await later(MINUTE_MS);
        await emit(scanned("completed"));
        assert.deepEqual((await opened.last()).resolution, resolution);
      });
  });
});
