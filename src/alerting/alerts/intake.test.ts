import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { aboutEndpoint, createAlertContext, endpointAlert, openAlerts, problem } from "../../../test/support/alerts.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { fragile } from "../../../test/support/fragile-database.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { until } from "../../../test/support/until.ts";
import type { Event } from "../../events.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";

describe("what is reported of problems", () => {
  let database: Database;
  before(async () => {
    database = openSqlite({ path: `${temporaryFolder()}/intake.db`, clock: systemClock, log: silentLog });
    await database.start();
  });
  after(() => database.stop());

  it("is saved in its order when the database is back; callers get their error at once", async () => {
    const { state, wrapped } = fragile(database);
    const clock = createFakeClock();
    const opened = await openAlerts(wrapped, clock, createAlertContext());
    state.away = true;
    const publish = (id: number, fails: boolean): void =>
      opened.bus.publish(
        fails
          ? { type: "endpoint.alert", data: endpointAlert({ id }) }
          : { type: "endpoint.recovery", data: { ...aboutEndpoint({ id }), previous_status: "down", reason: "recovered" } },
      );
    publish(1, true);
    publish(2, true);
    publish(2, false);
    await assert.rejects(opened.alerts.raise(problem({ entity: { type: "endpoint", id: "3" } })), { code: "storage_unavailable" });
    state.away = false;
    await clock.advance(1_000);
    await opened.quiesce();
    const { alerts } = await opened.list();
    assert.deepEqual(alerts.map(({ entity_id, status }) => `${entity_id} ${status}`).toSorted(), ["1 active", "2 resolved"]);
    assert.deepEqual(opened.around.sent().toSorted(), [`fired ${idOf("1")}`, `fired ${idOf("2")}`, `resolved ${idOf("2")}`]);
    await opened.alerts.clear(problem({ entity: { type: "endpoint", id: "1" } }), "done");
    await opened.alerts.stop();
    await assert.rejects(opened.alerts.raise(problem()), { code: "storage_unavailable" });

    function idOf(entity: string): number | undefined {
      return alerts.find(({ entity_id }) => entity_id === entity)?.id;
    }
  });

  it("is taken in while an earlier report of the same problem is being saved", async () => {
    const { wrapped, holdNext } = fragile(database);
    const opened = await openAlerts(wrapped, createFakeClock(), createAlertContext());
    const held = holdNext();
    opened.bus.publish({ type: "endpoint.alert", data: endpointAlert({ id: 77 }) });
    await held.reached;
    const recovery = { ...aboutEndpoint({ id: 77 }), previous_status: "down", reason: "recovered" } as const;
    opened.bus.publish({ type: "endpoint.recovery", data: recovery });
    held.release();
    await opened.quiesce();
    assert.deepEqual(
      (await opened.list({ entity_id: "77" })).alerts.map(({ status }) => status),
      ["resolved"],
    );
    await opened.alerts.stop();
  });

  it("goes many to a unit, and costs nothing when it is no news", async () => {
    const { state, wrapped } = fragile(database);
    const opened = await openAlerts(wrapped, createFakeClock(), createAlertContext());
    state.units = 0;
    for (let id = 1_000; id < 3_000; id += 1) opened.bus.publish({ type: "endpoint.alert", data: endpointAlert({ id }) });
    await until(() => opened.around.put.length === 2_000);
    assert.ok(state.units <= 40, `${state.units} units`);
    state.units = 0;
    for (let id = 1_000; id < 3_000; id += 1) opened.bus.publish({ type: "endpoint.alert", data: endpointAlert({ id }) });
    for (let id = 5_000; id < 9_000; id += 1) opened.bus.publish({ type: "endpoint.removed", data: aboutEndpoint({ id }) });
    await opened.quiesce();
    assert.equal(state.units, 0);
    const active = JSON.parse(String(opened.service.active())) as { alerts: unknown[]; counts: { critical: number } };
    assert.deepEqual([active.alerts.length, active.counts.critical], [1_000, 2_000]);
    await opened.alerts.stop();
  });

  it("does not suffer from what cannot be saved beside it", async () => {
    const opened = await openAlerts(database, createFakeClock(), createAlertContext());
    const broken = problem({ entity: { type: "endpoint", id: "bad" }, details: { circle: undefined } });
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    const results = await Promise.allSettled([
      opened.alerts.raise(problem({ entity: { type: "endpoint", id: "good-1" } })),
      opened.alerts.raise({ ...broken, details: circle }),
      opened.alerts.raise(problem({ entity: { type: "endpoint", id: "good-2" } })),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.equal((await opened.list({ entity_id: "good-2" })).total, 1);
    await opened.alerts.stop();
  });

  it("has settled after a start once all that is over by now has been saved as over", async () => {
    const around = createAlertContext();
    // More than go with one unit.
    const bad = Array.from({ length: 200 }, (_, id): Event => ({ type: "endpoint.alert", data: endpointAlert({ id }) }));
    around.bad.set("endpoint", bad);
    const earlier = await openAlerts(database, createFakeClock(), around);
    await earlier.alerts.stop();
    around.bad.clear();
    const opened = await openAlerts(database, createFakeClock(), around, { settled: false });
    assert.ok((await opened.list({ status: "active" })).total >= 200);
    opened.alerts.settle();
    assert.equal(opened.alerts.isSettled(), false);
    await until(() => opened.alerts.isSettled());
    assert.equal((await opened.list({ status: "active" })).total, 0);
    await opened.alerts.stop();
  });

  it("takes what is over meanwhile out of what was announced and waits for its turn", async () => {
    const around = createAlertContext();
    const opened = await openAlerts(database, createFakeClock(), around);
    await opened.quiesce();
    const bad = [7777, 7778].map((id): Event => ({ type: "endpoint.alert", data: endpointAlert({ id }) }));
    const recovery: Event = {
      type: "endpoint.recovery",
      data: { ...aboutEndpoint({ id: 7777 }), previous_status: "down", reason: "recovered" },
    };
    around.bad.get = (source) => {
      if (source !== "endpoint") return [];
      queueMicrotask(() => opened.bus.publish(recovery));
      return bad;
    };
    await opened.run("alerts announced again");
    await opened.quiesce();
    const { alerts } = await opened.list();
    assert.deepEqual(
      alerts.flatMap(({ entity_id: id, status }) => (id.startsWith("777") ? [`${id} ${status}`] : [])),
      ["7778 active"],
    );
    await opened.alerts.stop();
  });

  it("leaves what was held back before a start as it is until then, whatever changes", async () => {
    const around = createAlertContext();
    const clock = createFakeClock();
    around.bad.set("endpoint", [{ type: "endpoint.alert", data: endpointAlert({ id: 9999 }) }]);
    around.window = { title: "Upgrade", until: new Date(clock.now().getTime() + 3_600_000) };
    const earlier = await openAlerts(database, clock, around);
    await earlier.alerts.stop();
    const opened = await openAlerts(database, clock, around, { settled: false });
    around.suppressionChanged();
    await opened.quiesce();
    assert.equal((await opened.last()).suppressed_by, "maintenance");
    assert.deepEqual(opened.published("alert.fired"), []);
    around.window = undefined;
    opened.alerts.settle();
    await until(() => opened.published("alert.fired").length === 1);
    assert.equal((await opened.last()).suppressed_by, null);
    await opened.alerts.stop();
  });
});
