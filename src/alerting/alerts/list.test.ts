import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import type { ActiveAlerts, AlertList } from "./answers.ts";
import { MINUTE_MS } from "../../contract/time.ts";
import { createAlertContext, openAlerts, type OpenedAlerts, problem } from "../../../test/support/alerts.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import { createBudget } from "../../storage/budget/index.ts";
import type { Database } from "../../storage/database.ts";

/** The list of alerts. */
onBothDatabases(({ create }) => {
  let database: Database;
  let clock: FakeClock;
  let opened: OpenedAlerts;

  beforeEach(async () => {
    database = await create();
    clock = createFakeClock();
    opened = await openAlerts(database, clock, createAlertContext());
  });

  const later = (milliseconds: number): void => clock.jump(new Date(clock.now().getTime() + milliseconds));

  it("ends its list where others deleted alerts", async () => {
    for (const id of ["1", "2", "3"]) {
      await opened.alerts.raise(problem({ entity: { type: "endpoint", id } }));
      await opened.alerts.clear(problem({ entity: { type: "endpoint", id } }), "put right");
    }
    assert.partialDeepStrictEqual(await opened.list({ limit: 2 }), { total: 3, has_more: true });
    later(200 * 24 * 60 * MINUTE_MS);
    const series = { bytes: async () => [], oldestMs: async () => null, dropOldest: async () => 0 };
    const scheduler = createScheduler(clock, silentLog);
    const budget = createBudget({ database, series, limitBytes: 1, clock, scheduler, log: silentLog });
    const dropped = new Promise<void>((resolve) => {
      budget.onDropped((kind) => {
        assert.equal(kind, "alerts");
        opened.alerts.forgetTotals();
        resolve();
      });
    });
    budget.start();
    await clock.advance(160_000);
    await dropped;
    await scheduler.stop();
    assert.partialDeepStrictEqual(await opened.list({ limit: 2 }), { alerts: [], total: 0, has_more: false });
  });

  it("shows a silence of an alert of which somebody was notified before, until it is cancelled", async () => {
    await opened.alerts.raise(problem());
    const { id } = await opened.last();
    const active = (): unknown => (JSON.parse(String(opened.service.active())) as AlertList).alerts[0]?.silenced_until;
    assert.equal(active(), null);
    const until = new Date("2026-03-01T14:00:00Z");
    opened.around.silence = { id: 1, reason: "known", until };
    opened.around.suppressionChanged();
    assert.partialDeepStrictEqual(await opened.service.detail(id), { suppressed_by: null, silenced_until: until.toISOString() });
    assert.equal(active(), until.toISOString());
    opened.around.silence = undefined;
    opened.around.suppressionChanged();
    assert.equal(active(), null);
  });

  it("lists by every filter", async () => {
    const agentId = "0e0d2b0c-1d3f-4c57-9f6e-2f4f0c1c9b5a";
    await opened.alerts.raise(problem());
    later(MINUTE_MS);
    await opened.alerts.raise(
      problem({ source: "container", event: "restart_loop", entity: { type: "container", id: "7" }, severity: "warning" }),
    );
    later(MINUTE_MS);
    await opened.alerts.raise(problem({ agentId, entity: { type: "endpoint", id: "9" }, severity: "info" }));
    await opened.alerts.clear(problem(), "put right");
    const found = async (query: Parameters<OpenedAlerts["list"]>[0]): Promise<string[]> =>
      (await opened.list(query)).alerts.map((alert) => `${alert.entity_type} ${alert.entity_id}`);
    assert.deepEqual(await found({}), ["endpoint 9", "container 7", "endpoint 7"]);
    assert.deepEqual(await found({ source: "container" }), ["container 7"]);
    assert.deepEqual(await found({ severity: "info" }), ["endpoint 9"]);
    assert.deepEqual(await found({ status: "resolved" }), ["endpoint 7"]);
    assert.deepEqual(await found({ entity_id: "7" }), ["container 7", "endpoint 7"]);
    assert.deepEqual(await found({ entity_type: "endpoint", entity_id: "7" }), ["endpoint 7"]);
    assert.deepEqual(await found({ since: "2026-03-01T12:01:00Z" }), ["endpoint 9", "container 7"]);
    assert.deepEqual(await found({ until: "2026-03-01T13:01:00+01:00" }), ["endpoint 7"]);
    assert.deepEqual(await found({ agent_id: agentId }), ["endpoint 9"]);
    assert.deepEqual(await found({ agent_id: "local", source: "endpoint" }), ["endpoint 7"]);
    assert.partialDeepStrictEqual(await opened.list({ limit: 1, offset: 1 }), { total: 3, has_more: true });
    assert.partialDeepStrictEqual(await opened.list({ limit: 1, offset: 5 }), { alerts: [], total: 3, has_more: false });
    assert.partialDeepStrictEqual(await opened.list({ limit: 3 }), { total: 3, has_more: false });
    const active = JSON.parse(String(opened.service.active())) as { alerts: { severity: string }[]; counts: object };
    assert.deepEqual(active.counts, { critical: 0, warning: 1, info: 1 });
    assert.deepEqual(
      active.alerts.map(({ severity }) => severity),
      ["warning", "info"],
    );
    const pages: string[][] = [];
    for (let cursor: string | undefined, isLast = false; !isLast;) {
      const page = JSON.parse(String(opened.service.active({ limit: 1, cursor }))) as ActiveAlerts;
      pages.push(page.alerts.map(({ severity }) => severity));
      assert.deepEqual(page.counts, active.counts);
      isLast = page.next_cursor === null;
      cursor = page.next_cursor ?? undefined;
    }
    assert.deepEqual(pages, [["warning"], ["info"]]);
    assert.throws(() => opened.service.active({ cursor: "bm8" }), { code: "unusable_values" });
  });
});
