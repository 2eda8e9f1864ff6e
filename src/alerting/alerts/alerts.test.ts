import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { MINUTE_MS } from "../../contract/time.ts";
import {
  aboutContainer,
  aboutEndpoint,
  type AlertContext,
  createAlertContext,
  endpointAlert,
  openAlerts,
  type OpenedAlerts,
  problem,
} from "../../../test/support/alerts.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import type { Database } from "../../storage/database.ts";

const RECOVERY = { ...aboutEndpoint({ status: "up", alerting: false }), previous_status: "down", reason: "recovered" } as const;
const BY_ANNA = { acknowledged_by: "Anna" };

onBothDatabases(({ create }) => {
  let database: Database;
  let clock: FakeClock;
  let around: AlertContext;
  let opened: OpenedAlerts;

  beforeEach(async () => {
    database = await create();
    clock = createFakeClock();
    around = createAlertContext();
    opened = await openAlerts(database, clock, around);
  });

  const later = (milliseconds: number): void => clock.stall(milliseconds);
  const stagesOf = async (id: number): Promise<string[]> =>
    (await opened.service.trace(id)).stages.map(({ transition, stage, verdict }) => `${transition} ${stage} ${verdict}`);

  async function restart(options?: { settled: boolean }): Promise<void> {
    await opened.alerts.stop();
    opened = await openAlerts(database, clock, around, options);
  }

  describe("an alert", () => {
    it("fires, is sent, resolves, and that is sent too", async () => {
      await opened.publish("endpoint.alert", endpointAlert());
      const fired = await opened.last();
      assert.partialDeepStrictEqual(fired, {
        source: "endpoint",
        event: "consecutive_failure",
        severity: "critical",
        status: "active",
        entity_type: "endpoint",
        entity_id: "7",
        entity_name: "shop",
        suppressed_by: null,
        tags: ["shop"],
        url: `https://watch.example/alerts/${fired.id}`,
      });
      later(MINUTE_MS);
      await opened.publish("endpoint.recovery", RECOVERY);
      assert.partialDeepStrictEqual(await opened.last(), {
        status: "resolved",
        resolved_by: "auto",
        resolved_at: "2026-03-01T12:01:00.000Z",
      });
      assert.deepEqual(around.sent(), [`fired ${fired.id}`, `resolved ${fired.id}`]);
      assert.deepEqual(around.escalated, [`begin ${fired.id}`, `resolved ${fired.id}`]);
      assert.equal(opened.published("alert.fired").length, 1);
      assert.equal(opened.published("alert.resolved").length, 1);
      assert.equal(opened.wakes(), 2);
      assert.equal(opened.escalationWakes(), 2);
    });

    it("that no policy matches does not wake escalation", async () => {
      around.isEscalated = false;
      await opened.alerts.raise(problem());
      assert.equal(opened.escalationWakes(), 0);
    });

    it("is one row and one message, however often it is raised", async () => {
      for (let time = 0; time < 5; time += 1) await opened.publish("endpoint.alert", endpointAlert({ consecutive_failures: 3 + time }));
      assert.equal((await opened.list()).total, 1);
      assert.equal(around.put.length, 1);
      assert.match((await opened.last()).message, /7 checks/);
    });

    it("is sent again when it grows worse, in the same row", async () => {
      await opened.alerts.raise(problem({ severity: "warning" }));
      await opened.alerts.raise(problem({ severity: "critical" }));
      await opened.alerts.raise(problem({ severity: "info" }));
      const { id, severity } = await opened.last();
      assert.equal(severity, "critical");
      assert.deepEqual(around.sent(), [`fired ${id}`, `fired ${id}`]);
      assert.partialDeepStrictEqual(opened.published("alert.fired"), [
        { severity: "warning", previous_severity: null },
        { severity: "critical", previous_severity: "warning" },
      ]);
      // A policy may match the higher severity only; a run in progress is not started twice.
      assert.deepEqual(around.escalated, [`begin ${id}`, `begin ${id}`]);
    });

    it("of a certificate is sent again at each threshold", async () => {
      for (const threshold_days of [30, 14, 14, 7]) await opened.alerts.raise(problem({ details: { threshold_days } }));
      assert.equal(around.put.length, 3);
      assert.equal((await opened.list()).total, 1);
    });

    it("is acknowledged once", async () => {
      await opened.alerts.raise(problem());
      const { id } = await opened.last();
      const acknowledged = await opened.service.acknowledge(id, { ...BY_ANNA, note: "on it" });
      assert.partialDeepStrictEqual(acknowledged, { acknowledged_by: "Anna", acknowledged_note: "on it", status: "active" });
      await assert.rejects(opened.service.acknowledge(id, { acknowledged_by: "Ben" }), {
        code: "already_acknowledged",
        message: /already, by Anna/,
      });
      assert.deepEqual(around.escalated, [`begin ${id}`, `acknowledged ${id}`]);
      assert.equal(opened.published("alert.acknowledged").length, 1);
      await assert.rejects(opened.service.acknowledge(999, BY_ANNA), { code: "not_found" });
      await opened.service.resolve(id, { resolved_by: "Anna" });
      await assert.rejects(opened.service.acknowledge(id, BY_ANNA), { code: "conflict" });
      await assert.rejects(opened.service.resolve(id, { resolved_by: "Ben" }), { code: "conflict", message: /resolved by Anna/ });
    });

    it("is acknowledged by one of many who ask at once", async () => {
      await opened.alerts.raise(problem());
      const { id } = await opened.last();
      const asked = await Promise.allSettled([1, 2, 3, 4].map((each) => opened.service.acknowledge(id, { acknowledged_by: `P${each}` })));
      assert.equal(asked.filter(({ status }) => status === "fulfilled").length, 1);
    });

    it("resolved manually stays resolved while its source repeats itself, also after a restart", async () => {
      around.bad.set("endpoint", [{ type: "endpoint.alert", data: endpointAlert() }]);
      await opened.run("alerts announced again");
      const { id } = await opened.last();
      await opened.service.resolve(id, { resolved_by: "Anna" });
      await opened.run("alerts announced again");
      assert.equal((await opened.list()).total, 1);
      await restart();
      assert.equal((await opened.list()).total, 1);
      await opened.publish("endpoint.recovery", RECOVERY);
      await opened.publish("endpoint.alert", endpointAlert());
      assert.equal((await opened.list()).total, 2);
    });

    it("resolved manually fires again when it grows worse", async () => {
      await opened.alerts.raise(problem({ severity: "warning" }));
      await opened.service.resolve((await opened.last()).id, { resolved_by: "Anna" });
      await opened.alerts.raise(problem({ severity: "critical" }));
      assert.deepEqual(
        (await opened.list()).alerts.map(({ status }) => status),
        ["active", "resolved"],
      );
      await opened.alerts.clear(problem(), "put right");
      await opened.alerts.raise(problem({ severity: "warning" }));
      assert.equal((await opened.list()).total, 3);
    });

    it("survives a restart without being sent twice, and ends when nobody reports it any more", async () => {
      await opened.publish("endpoint.alert", endpointAlert());
      const { id } = await opened.last();
      around.bad.set("endpoint", [{ type: "endpoint.alert", data: endpointAlert() }]);
      await restart();
      assert.deepEqual(around.sent(), [`fired ${id}`]);
      around.bad.clear();
      await restart();
      assert.deepEqual(around.sent(), [`fired ${id}`, `resolved ${id}`]);
    });
  });

  describe("after the start", () => {
    it("alerts wait until the program knows what runs", async () => {
      await restart({ settled: false });
      await opened.publish("endpoint.alert", endpointAlert());
      await opened.alerts.raise(problem({ entity: { type: "endpoint", id: "8" } }));
      assert.deepEqual(around.sent(), []);
      around.bad.set("endpoint", [{ type: "endpoint.alert", data: endpointAlert() }]);
      await clock.advance(30_000);
      await opened.quiesce();
      const [other, mine] = (await opened.list()).alerts;
      assert.deepEqual([mine?.status, other?.status], ["active", "resolved"]);
      assert.deepEqual(around.sent(), [`fired ${mine?.id}`]);
      assert.deepEqual(await stagesOf(mine?.id ?? 0), [
        "fired settle held",
        "released settle passed",
        "released maintenance passed",
        "released dependency passed",
        "released silence passed",
        "released routing passed",
        "released dedup passed",
        "released deliver passed",
      ]);
    });

    it("those that waited at a crash are judged again", async () => {
      await restart({ settled: false });
      await opened.publish("endpoint.alert", endpointAlert());
      around.bad.set("endpoint", [{ type: "endpoint.alert", data: endpointAlert() }]);
      await restart();
      assert.equal(around.put.length, 1);
    });
  });

  describe("what holds an alert back", () => {
    const until = new Date("2026-03-01T13:00:00.000Z");

    it("a silence, until it is over", async () => {
      around.silence = { id: 3, reason: "rebuilding", until };
      await opened.publish("endpoint.alert", endpointAlert());
      const { id, suppressed_by } = await opened.last();
      assert.equal(suppressed_by, "silence");
      assert.equal(opened.published("alert.suppressed").length, 1);
      assert.match(
        (await opened.service.trace(id)).summary,
        /Nobody was notified\. Silence 3 \("rebuilding"\) until 2026-03-01 13:00:00 UTC\./,
      );
      around.silence = undefined;
      around.suppressionChanged();
      await opened.quiesce();
      assert.deepEqual(around.sent(), [`fired ${id}`]);
      assert.equal((await opened.last()).suppressed_by, null);
      assert.equal(opened.published("alert.fired").length, 1);
    });

    it("maintenance, also when its end is not published", async () => {
      around.window = { title: "Move", until };
      await opened.publish("endpoint.alert", endpointAlert());
      assert.equal((await opened.last()).suppressed_by, "maintenance");
      around.window = undefined;
      around.bad.set("endpoint", [{ type: "endpoint.alert", data: endpointAlert() }]);
      await opened.run("alerts announced again");
      assert.equal(around.put.length, 1);
    });

    it("what it depends on, until that is back", async () => {
      await opened.publish("container.state_changed", { ...KILLED_FOR_MEMORY, previous_state: "running", state: "exited" });
      await opened.publish("endpoint.alert", endpointAlert({ timestamp: "2026-03-01T12:00:40.000Z" }));
      const held = await opened.last();
      assert.partialDeepStrictEqual(held, {
        suppressed_by: "dependency",
        cause: "web: last exit code 137 (OOM killed) at 2026-03-01 12:00:00 UTC",
      });
      assert.match((await opened.service.trace(held.id)).summary, /container "web", which is exited since/);
      assert.deepEqual(around.sent(), []);
      await opened.publish("container.state_changed", { ...KILLED_FOR_MEMORY, state: "running" });
      assert.deepEqual(around.sent(), [`fired ${held.id}`]);
    });

    it("what it depends on, though that stopped before the last restart", async () => {
      let stopped: { name: string; state: string; since: Date } | undefined = { name: "web", state: "exited", since: clock.now() };
      around.watches = {
        localRuntime: false,
        runs: () => stopped === undefined,
        stoppedAs: () => stopped,
        isDownOver: () => undefined,
        isAlerted: () => true,
        hasStoppedWithRuntime: () => false,
        mayReturn: () => false,
        isStarting: () => false,
      };
      await restart();
      await opened.publish("endpoint.alert", endpointAlert());
      const held = await opened.last();
      assert.equal(held.suppressed_by, "dependency");
      assert.match((await opened.service.trace(held.id)).summary, /container "web", which is exited since/);
      await restart();
      around.suppressionChanged();
      await opened.quiesce();
      assert.deepEqual([around.sent(), (await opened.last()).suppressed_by], [[], "dependency"]);
      stopped = undefined;
      await opened.publish("container.state_changed", { ...KILLED_FOR_MEMORY, state: "running" });
      assert.deepEqual(around.sent(), [`fired ${held.id}`]);
    });

    it("is sent to nobody when it resolves before", async () => {
      around.silence = { id: 3, reason: "rebuilding", until };
      await opened.publish("endpoint.alert", endpointAlert());
      await opened.publish("endpoint.recovery", RECOVERY);
      const { id, suppressed_by } = await opened.last();
      assert.deepEqual([around.sent(), suppressed_by, around.escalated], [[], "silence", []]);
      assert.deepEqual(await stagesOf(id), [
        "fired settle passed",
        "fired maintenance passed",
        "fired dependency passed",
        "fired silence held",
        "resolved routing stopped",
      ]);
    });

    it("does not hold back the end of what was sent", async () => {
      await opened.publish("endpoint.alert", endpointAlert());
      around.silence = { id: 3, reason: "rebuilding", until };
      around.window = { title: "Move", until };
      await opened.publish("endpoint.recovery", RECOVERY);
      assert.equal(around.put.at(-1)?.notification.event, "alert.resolved");
    });

    it("is not sent afterwards when somebody acknowledged it meanwhile", async () => {
      around.silence = { id: 3, reason: "rebuilding", until };
      await opened.publish("endpoint.alert", endpointAlert());
      await opened.service.acknowledge((await opened.last()).id, BY_ANNA);
      around.silence = undefined;
      around.suppressionChanged();
      await opened.quiesce();
      assert.deepEqual([around.sent(), around.escalated], [[], []]);
    });
  });

  describe("a problem that comes and goes", () => {
    it("is sent once as flapping, and again when it is steady", async () => {
      for (let time = 0; time < 6; time += 1) {
        await opened.publish("endpoint.alert", endpointAlert());
        await opened.publish("endpoint.recovery", RECOVERY);
        later(10_000);
      }
      assert.equal(around.put.length, 6);
      assert.match(around.put.at(-1)?.notification.alert.message ?? "", /[Ff]lapping/);
      await opened.publish("endpoint.alert", endpointAlert());
      assert.equal(around.put.length, 6);
      later(10 * MINUTE_MS);
      await opened.run("alerts that flapped");
      const { id } = await opened.last();
      assert.equal(around.sent().at(-1), `fired ${id}`);
      assert.equal(around.put.length, 7);
    });

    it("sends its end late when its last message said that it is firing", async () => {
      for (let time = 0; time < 3; time += 1) {
        around.targets = time === 2 ? around.targets : [];
        await opened.publish("endpoint.alert", endpointAlert());
        await opened.publish("endpoint.recovery", RECOVERY);
      }
      around.targets = [{ channelId: 1, notifyOnResolve: true, because: "a rule" }];
      await opened.publish("endpoint.alert", endpointAlert());
      const { id } = await opened.last();
      await opened.publish("endpoint.recovery", RECOVERY);
      assert.deepEqual(around.sent(), [`fired ${id}`]);
      await restart();
      assert.deepEqual(around.sent(), [`fired ${id}`, `resolved ${id}`]);
    });
  });

  describe("saving", () => {
    it("writes nothing of an alert that cannot be sent, and everything of its neighbours", async () => {
      around.fault = new Error("out of paper");
      await assert.rejects(opened.alerts.raise(problem()), /out of paper/);
      assert.equal((await opened.list()).total, 0);
      around.targets = [];
      await opened.alerts.raise(problem());
      assert.equal((await opened.list()).total, 1);
    });

    it("takes over what another program raised before", async () => {
      const other = await openAlerts(database, clock, around);
      await other.alerts.raise(problem());
      await opened.alerts.raise(problem());
      assert.equal((await opened.list()).total, 1);
      assert.equal(around.put.length, 1);
      await opened.alerts.clear(problem(), "put right");
      assert.partialDeepStrictEqual(await opened.last(), {
        status: "resolved",
        resolution: { by: "observation", reason: "put right" },
      });
    });

    it("keeps a bounded trace", async () => {
      await opened.alerts.raise(problem({ details: { threshold_days: 101 } }));
      const { id } = await opened.last();
      for (let days = 100; days > 60; days -= 1) await opened.alerts.raise(problem({ details: { threshold_days: days } }));
      const evaluations = new Set((await opened.service.trace(id)).stages.map(({ evaluation }) => evaluation));
      assert.equal(evaluations.size, 21);
      assert.ok(evaluations.has(1));
    });

    it("forgets what was over for 400 days", async () => {
      await opened.alerts.raise(problem());
      await opened.alerts.clear(problem(), "put right");
      await opened.alerts.raise(problem({ entity: { type: "endpoint", id: "8" } }));
      later(399 * 24 * 60 * MINUTE_MS);
      await opened.run("alert retention");
      assert.equal((await opened.list()).total, 2);
      later(2 * 24 * 60 * MINUTE_MS);
      await opened.run("alert retention");
      assert.deepEqual(
        (await opened.list()).alerts.map(({ status }) => status),
        ["active"],
      );
    });
  });
});

const KILLED_FOR_MEMORY = {
  ...aboutContainer(),
  previous_state: "exited",
  health: null,
  exit_code: 137,
  oom_killed: true,
  stop_requested: false,
  error_detail: null,
} as const;
