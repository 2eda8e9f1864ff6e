import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { createAlertContext, type OpenedAlerts, openAlerts, problem } from "../../../test/support/alerts.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { fragile } from "../../../test/support/fragile-database.ts";
import { until } from "../../../test/support/until.ts";

type Change = (opened: OpenedAlerts) => Promise<unknown>;

const CHANGES: Record<string, Change> = {
  raise: ({ alerts }) => alerts.raise(problem({ severity: "warning" })),
  worse: ({ alerts }) => alerts.raise(problem({ severity: "critical" })),
  clear: ({ alerts }) => alerts.clear(problem(), "It answers again."),
  raiseAgain: ({ alerts }) => alerts.raise(problem({ severity: "info" })),
};

onBothDatabases(({ create }) => {
  async function open(context: TestContext) {
    const { state, wrapped } = fragile(await create());
    const clock = createFakeClock();
    const opened = await openAlerts(wrapped, clock, createAlertContext());
    context.after(() => opened.alerts.stop());
    return { opened, state, clock };
  }

  /** How often alerts are counted, stored and held in memory. */
  async function shown({ list, alerts }: OpenedAlerts): Promise<unknown[]> {
    const stored = await list();
    return [stored.total, stored.alerts.map(({ status, severity }) => `${severity} ${status}`), alerts.active().length];
  }

  it("a change of an alert whose commit was not answered is published once, and later changes are taken", async (context) => {
    const { opened, state, clock } = await open(context);
    const seen: unknown[] = [];
    for (const change of Object.values(CHANGES)) {
      state.lost = "after the commit";
      await assert.rejects(change(opened), { code: "storage_unavailable" });
      await clock.advance(1_000);
      await until(() => opened.events.length > seen.length);
      // As the source does, which does not know that it was saved.
      await change(opened);
      seen.push(await shown(opened));
    }
    assert.deepEqual(seen, [
      [1, ["warning active"], 1],
      [1, ["critical active"], 1],
      [1, ["critical resolved"], 0],
      [2, ["info active", "critical resolved"], 1],
    ]);
    const types = ["alert.fired", "alert.fired", "alert.resolved", "alert.fired"];
    assert.deepEqual(
      opened.events.map(({ type }) => type),
      types,
    );
    assert.deepEqual(
      opened.around.put.map(({ notification }) => notification.event),
      types,
    );
  });

  it("a change of an alert whose commit failed is not published, and is saved when it comes again", async (context) => {
    const { opened, state, clock } = await open(context);
    for (const change of Object.values(CHANGES)) {
      state.lost = "before the commit";
      const published = opened.events.length;
      await assert.rejects(change(opened), { code: "storage_unavailable" });
      await clock.advance(1_000);
      await opened.quiesce();
      assert.equal(opened.events.length, published);
      await change(opened);
      assert.equal(opened.events.length, published + 1);
    }
    assert.deepEqual(await shown(opened), [2, ["info active", "critical resolved"], 1]);
  });

  it("an end from an event whose commit was not answered does not hide the next beginning", async (context) => {
    const { opened, state, clock } = await open(context);
    await opened.alerts.raise(problem({ severity: "warning" }));
    state.lost = "after the commit";
    opened.around.bad.clear();
    await opened.run("alerts announced again").catch(() => undefined);
    await clock.advance(1_000);
    await until(() => opened.published("alert.resolved").length === 1);
    await opened.alerts.raise(problem({ severity: "warning" }));
    assert.equal(opened.published("alert.fired").length, 2);
  });
});
