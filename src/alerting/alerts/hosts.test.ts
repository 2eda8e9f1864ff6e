import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import {
  aboutContainer,
  aboutEndpoint,
  type AlertContext,
  createAlertContext,
  endpointAlert,
  openAlerts,
  type OpenedAlerts,
} from "../../../test/support/alerts.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { fc } from "../../../test/support/seed.ts";
import type { Event, EventData } from "../../events.ts";
import type { Database } from "../../storage/database.ts";

const A = "0b9c54a0-0000-4000-8000-00000000000a";
const B = "0b9c54a0-0000-4000-8000-00000000000b";
const AT = "2026-03-01T12:00:00.000Z";

const agent = (id = A): EventData["agent.deleted"] => ({
  id,
  agent_id: id,
  name: id === A ? "alpha" : "beta",
  hostname: "ark",
  status: "active",
  connection_state: "disconnected",
  timestamp: AT,
});
const lost = (id = A): Event => ({
  type: "agent.disconnected",
  data: { ...agent(id), previous_connection_state: "connected", lost: true, since: AT },
});
const back = (id = A): Event => ({
  type: "agent.connected",
  data: { ...agent(id), connection_state: "connected", previous_connection_state: "disconnected", lost: false, since: AT },
});
const gone = (id = A): Event => ({ type: "agent.deleted", data: agent(id) });
const revoked = (id = A): Event => ({ type: "agent.revoked", data: { ...agent(id), status: "revoked", previous_status: "active" } });
const runtime = (isLost: boolean, id = A): Event => ({
  type: "runtime.lost",
  data: {
    agent_id: id,
    runtime: "docker",
    lost: isLost,
    error: "no socket",
    stopped: [],
    stopped_count: 0,
    since: AT,
    back_at: null,
    timestamp: AT,
  },
});
const answers = (connected: boolean, timestamp = AT, id: string | null = A): Event => ({
  type: "runtime.status_changed",
  data: { agent_id: id, runtime: "docker", connected, error: connected ? null : "no socket", timestamp },
});
const loop = (severity: "warning" | null, of: { id?: number; agent_id?: string | null } = {}): Event => ({
  type: "container.restart_alert",
  data: {
    ...aboutContainer({ agent_id: A, ...of }),
    ...{ severity, previous_severity: severity === null ? "warning" : null, restarts: 4, threshold: 3, window_seconds: 600 },
  },
});
const UPDATE: EventData["update.detected"] = {
  ...aboutContainer({ agent_id: A }),
  ...{ update_id: 1, status: "available", update_type: "minor", message: "web can be updated." },
  ...{ current_tag: "1", current_digest: null, available_tag: "2", available_digest: null, alerting: true },
};

onBothDatabases(({ create }) => {
  let database: Database;
  let clock: FakeClock;
  let around: AlertContext;
  let opened: OpenedAlerts;

  beforeEach(async () => {
    database = await create();
    clock = createFakeClock();
    around = createAlertContext();
    around.hostNames.set(A, "alpha").set(B, "beta");
    opened = await openAlerts(database, clock, around);
  });

  const emit = async (...events: Event[]): Promise<void> => {
    for (const event of events) opened.bus.publish(event);
    await opened.quiesce();
  };
  const active = (): string[] =>
    opened.alerts
      .active()
      .map(({ agentId, source, event }) => `${agentId === A ? "A" : agentId === B ? "B" : "local"} ${source}/${event}`)
      .toSorted();

  describe("a host that is disconnected", () => {
    it("is an alert until it is back, revoked or deleted, and is sent", async () => {
      for (const end of [back(), revoked(), gone()]) {
        await emit(lost(), lost(B));
        assert.deepEqual(active(), ["A agent/disconnected", "B agent/disconnected"]);
        const alert = opened.alerts.active().find(({ agentId }) => agentId === A);
        assert.deepEqual(
          [alert?.severity, alert?.entity, alert?.entityName, alert?.suppressedBy],
          ["warning", { type: "agent", id: A }, "alpha", null],
        );
        await emit(end);
        assert.deepEqual(active(), ["B agent/disconnected"]);
      }
      assert.deepEqual(
        around.sent().filter((each) => each.startsWith("resolved")),
        around.put
          .filter(({ notification }) => notification.event === "alert.fired" && notification.alert.agent_id === A)
          .map(({ alertId }) => `resolved ${alertId}`),
      );
    });

    it("may have lost its runtime too: each is over by itself, in any order, and both with the agent", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(lost(), back(), runtime(true), runtime(false), gone(), revoked()), { maxLength: 12 }),
          async (events) => {
            const wrong = new Set<string>();
            for (const event of [gone(), ...events]) {
              await emit(event);
              if (event.type === "agent.disconnected") wrong.add("A agent/disconnected");
              if (event.type === "agent.connected") wrong.delete("A agent/disconnected");
              if (event.type === "runtime.lost" && event.data.lost) wrong.add("A agent/runtime_lost");
              if (event.type === "runtime.lost" && !event.data.lost) wrong.delete("A agent/runtime_lost");
              if (event.type === "agent.deleted" || event.type === "agent.revoked") wrong.clear();
              assert.deepEqual(active(), [...wrong].toSorted());
            }
          },
        ),
        { numRuns: 10 },
      );
    });

    it("is called by its label where its runtime is lost", async () => {
      await emit(runtime(true));
      assert.equal((await opened.last()).entity_name, "alpha");
    });

    it("stays wrong while the runtimes of others are asked about it: several may know of one source", async () => {
      around.bad.set("agent", [lost()]);
      await emit(lost());
      await opened.run("alerts announced again");
      assert.deepEqual(active(), ["A agent/disconnected"]);
      around.bad.set("agent", []);
      await opened.run("alerts announced again");
      assert.deepEqual(active(), []);
    });

    it("raises nothing and ends nothing of what it shows, whatever time makes of it; the others do", async () => {
      for (const id of [A, B, null]) await emit(answers(true, AT, id));
      await emit(loop("warning"), loop("warning", { id: 43, agent_id: B }));
      around.bad.set("container", [loop("warning"), loop("warning", { id: 43, agent_id: B })]);
      around.bad.set("agent", [lost()]);
      await emit(lost());
      // Ten minutes without a restart end a loop, and nothing comes from A.
      await emit(loop(null), loop(null, { id: 43, agent_id: B }), loop("warning", { id: 44 }));
      await emit({ type: "endpoint.alert", data: endpointAlert({ agent_id: A }) });
      assert.deepEqual(active(), ["A agent/disconnected", "A container/restart_loop"]);
      around.bad.set("container", []);
      await opened.run("alerts announced again");
      assert.deepEqual(active(), ["A agent/disconnected", "A container/restart_loop"]);
    });

    it("is seen as it is when it is back", async () => {
      await emit(loop("warning"), lost(), loop(null));
      await emit(back());
      assert.deepEqual(active(), ["A container/restart_loop"]);
      around.bad.set("container", [loop("warning", { id: 44 })]);
      const shown = async (): Promise<string[]> => {
        await opened.run("alerts announced again");
        return opened.alerts.active().map(({ entity }) => entity.id);
      };
      assert.deepEqual(await shown(), ["42", "44"], "its agent is back, and has not listed its containers yet");
      await emit(answers(true));
      assert.deepEqual(await shown(), ["44"]);
    });

    it("suppresses alerts that depend on it, but not its own", async () => {
      await emit(lost());
      await emit({ type: "update.detected", data: UPDATE });
      const alert = await opened.last();
      assert.deepEqual([alert.source, alert.suppressed_by], ["update", "dependency"]);
      await emit(back());
      assert.equal((await opened.last()).suppressed_by, null);
    });

    it("is known to be so after a start, before anything is over because nothing was seen", async () => {
      await emit(loop("warning"), lost());
      around.bad.set("agent", [lost()]);
      around.bad.set("container", []);
      await opened.alerts.stop();
      opened = await openAlerts(database, clock, around, { settled: false });
      await emit(loop(null));
      opened.alerts.settle();
      await opened.quiesce();
      assert.deepEqual(active(), ["A agent/disconnected", "A container/restart_loop"]);
    });
  });

  describe("a host whose runtime is lost", () => {
    it("stays so through a start, until its agent says that it answers, or is revoked", async () => {
      for (const end of [runtime(false), revoked()]) {
        await emit(answers(false), runtime(true));
        const { id } = await opened.last();
        await opened.alerts.stop();
        opened = await openAlerts(database, clock, around, { settled: false });
        opened.alerts.settle();
        await opened.quiesce();
        assert.deepEqual(active(), ["A agent/runtime_lost"], "the agent is not back yet");
        await emit(answers(false));
        await opened.run("alerts announced again");
        assert.deepEqual(active(), ["A agent/runtime_lost"], "it is back, and not found to be lost for long yet");
        await emit(runtime(true));
        assert.deepEqual(
          opened.alerts.active().map((alert) => alert.id),
          [id],
        );
        await emit(end);
        assert.deepEqual(active(), []);
      }
    });

    it("leaves its alerts as they were last seen, and says since when", async () => {
      const since = async () => (await opened.list()).alerts.map((each) => [each.event, each.not_seen_since]);
      await emit(answers(true), loop("warning"));
      assert.deepEqual(await since(), [["restart_loop", null]]);
      await clock.advance(60_000);
      const lostAt = clock.now().toISOString();
      await emit(answers(false, lostAt));
      await opened.run("alerts announced again");
      assert.deepEqual(await since(), [["restart_loop", lostAt]]);
      assert.match(String(opened.service.active()), new RegExp(`"not_seen_since":"${lostAt}"`));
      await emit(answers(true));
      await opened.run("alerts announced again");
      assert.deepEqual(await since(), [["restart_loop", null]]);
    });

    it("ends no crash loop by the time that passes; what its runtime shows then does", async () => {
      await emit(answers(true), loop("warning"), answers(false), runtime(true), loop(null));
      around.bad.set("agent", [runtime(true)]);
      await opened.run("alerts announced again");
      assert.deepEqual(active(), ["A agent/runtime_lost", "A container/restart_loop"]);
      around.bad.set("agent", []);
      await emit(answers(true), runtime(false));
      await opened.run("alerts announced again");
      assert.deepEqual(active(), []);
    });

    it("is over after a start that came between the revocation of its agent and the end of the alert", async () => {
      await emit(answers(false), runtime(true));
      around.bad.set("agent", [revoked()]);
      await opened.alerts.stop();
      opened = await openAlerts(database, clock, around, { settled: false });
      opened.alerts.settle();
      await opened.quiesce();
      assert.deepEqual(active(), []);
    });

    it("is over when nobody says so any more and its runtime is known to answer", async () => {
      await emit(answers(true), runtime(true));
      await opened.run("alerts announced again");
      assert.deepEqual(active(), []);
    });
  });

  describe("a host whose agent is revoked", () => {
    it("ends nothing of what it showed, and sends nothing of what was held back, through a start too", async () => {
      await emit(answers(true), loop("warning"));
      await emit(lost());
      const { id } = await opened.last();
      await emit({ type: "update.detected", data: UPDATE });
      assert.equal((await opened.last()).suppressed_by, "dependency");
      const sent = around.sent();
      await emit(revoked(), loop(null));
      around.bad.set("agent", [revoked()]).set("update", [{ type: "update.detected", data: UPDATE }]);
      for (const isRestarted of [false, true]) {
        if (isRestarted) {
          await opened.alerts.stop();
          opened = await openAlerts(database, clock, around);
        }
        await opened.run("alerts announced again");
        assert.deepEqual(active(), ["A container/restart_loop", "A update/available"]);
        assert.deepEqual(
          (await opened.list({ status: "active" })).alerts.map((each) => [each.event, each.suppressed_by, each.not_seen_since]),
          [
            ["available", "dependency", null],
            ["restart_loop", null, AT],
          ],
        );
      }
      assert.deepEqual(around.sent(), [...sent, `resolved ${id}`], "only agent/disconnected is over");
    });
  });

  describe("a host that is deleted", () => {
    const remove = async (): Promise<void> => {
      const release = await opened.alerts.holdHost(A);
      try {
        await database.tables<object>().write((tx) => opened.alerts.purgeHost(tx, A));
        opened.alerts.forgetHost(A);
      } finally {
        release();
      }
      await opened.quiesce();
    };

    const total = async (agentId?: string): Promise<number> =>
      (await opened.list(agentId === undefined ? {} : { agent_id: agentId })).total;

    it("takes its alerts along, those that are over too, and the counts agree", async () => {
      await emit(loop("warning"), loop("warning", { id: 43, agent_id: B }), lost(), back());
      assert.deepEqual([await total(), await total(A)], [3, 2]);
      opened.events.length = 0;
      await remove();
      assert.deepEqual([await total(), await total(A), await total(B)], [1, 0, 1]);
      assert.deepEqual(
        opened.events.map(({ type, data }) => [type, "agent_id" in data ? data.agent_id : undefined]),
        [["alert.resolved", A]],
      );
      assert.deepEqual(around.purged.length, 2);
      await opened.alerts.stop();
      opened = await openAlerts(database, clock, around);
      assert.equal(await total(A), 0);
    });

    it("leaves the alerts that another host has shown since", async () => {
      await emit(loop("warning"));
      const { id } = await opened.last();
      await emit(loop("warning", { agent_id: B }));
      assert.deepEqual([await total(A), await total(B)], [0, 1]);
      await remove();
      assert.deepEqual(active(), ["B container/restart_loop"]);
      await opened.alerts.stop();
      opened = await openAlerts(database, clock, around);
      assert.deepEqual([(await opened.last()).id, await total(B)], [id, 1]);
    });

    it("notifies the channels that were notified of an alert of its end, however often it fired and resolved", async () => {
      for (const id of [A, B, null]) await emit(answers(true, AT, id));
      await emit(loop("warning"));
      clock.stall(11 * 60_000);
      // The sixth change within ten minutes is a start, and is the last one sent for a while.
      for (let time = 0; time < 3; time += 1) await emit(loop(null), loop("warning"));
      assert.match(around.put.at(-1)?.notification.alert.message ?? "", /[Ff]lapping/);
      around.put.length = 0;
      await remove();
      assert.deepEqual(
        around.put.map(({ notification }) => [notification.event, notification.alert.resolution]),
        [["alert.resolved", { by: "removal", reason: "The host was deleted." }]],
      );
    });

    it("leaves nothing that waits to be worked off, and people who wait get an answer", async () => {
      await emit(loop("warning"));
      const [alert] = opened.alerts.active();
      const release = await opened.alerts.holdHost(A);
      opened.bus.publish(loop("warning", { id: 50 }));
      opened.bus.publish(loop("warning", { id: 51, agent_id: B }));
      opened.bus.publish({ type: "endpoint.alert", data: endpointAlert() });
      const asked = opened.service.acknowledge(alert?.id ?? 0, { acknowledged_by: "Anna" });
      await database.tables<object>().write((tx) => opened.alerts.purgeHost(tx, A));
      opened.alerts.forgetHost(A);
      release();
      await assert.rejects(asked, { code: "not_found" });
      await opened.quiesce();
      assert.deepEqual(active(), ["B container/restart_loop", "local endpoint/consecutive_failure"]);
      await emit({
        type: "endpoint.recovery",
        data: { ...aboutEndpoint({ status: "up", alerting: false }), previous_status: "down", reason: "recovered" },
      });
      assert.deepEqual(active(), ["B container/restart_loop"]);
    });

    it("changes nothing when it is taken back", async () => {
      for (const id of [A, B, null]) await emit(answers(true, AT, id));
      await emit(loop("warning"));
      const release = await opened.alerts.holdHost(A);
      const unit = database.tables<object>().write(async (tx) => {
        await opened.alerts.purgeHost(tx, A);
        throw new Error("not now");
      });
      await assert.rejects(unit, /not now/);
      release();
      assert.deepEqual(active(), ["A container/restart_loop"]);
      await emit(loop(null));
      assert.equal((await opened.last()).status, "resolved");
    });
  });
});
