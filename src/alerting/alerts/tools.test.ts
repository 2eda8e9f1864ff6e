import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { createAlertContext, openAlerts, type OpenedAlerts, problem } from "../../../test/support/alerts.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { callTool, checkTools, toolOf } from "../../../test/support/tools.ts";
import { systemClock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";
import type { AlertRecord } from "./api.ts";

const AGENT = randomUUID();

describe("the tools of alerts", () => {
  const clock = createFakeClock(new Date("2026-03-01T12:00:00Z"));
  let database: Database;
  let opened: OpenedAlerts;

  const call = (name: string, args: Record<string, unknown> = {}) => callTool(opened.alerts.tools(), name, args);
  const names = async (args: Record<string, unknown> = {}): Promise<string[]> =>
    ((await call("list_alerts", args))["alerts"] as AlertRecord[]).map(({ entity_name: name }) => name);
  const idOf = async (name: string): Promise<number> =>
    (await opened.list()).alerts.find(({ entity_name: entity }) => entity === name)?.id ?? 0;

  before(async () => {
    database = openSqlite({ path: `${temporaryFolder()}/tools.db`, clock: systemClock, log: silentLog });
    await database.start();
    opened = await openAlerts(database, clock, createAlertContext());
    const entity = (type: string, id: number) => ({ type, id: String(id) });
    // A minute apart, in this order.
    for (const each of [
      problem({
        entityName: "shop",
        entity: entity("endpoint", 1),
        severity: "critical",
        cause: "Connection refused.",
        details: { secret: 1 },
      }),
      problem({ entityName: "over", entity: entity("endpoint", 2), severity: "critical" }),
      problem({ entityName: "backup", source: "heartbeat", event: "deadline", entity: entity("heartbeat", 3), severity: "warning" }),
      problem({
        entityName: "far",
        source: "container",
        event: "oom",
        entity: entity("container", 4),
        severity: "critical",
        agentId: AGENT,
      }),
      problem({ entityName: "news", source: "update", event: "available", entity: entity("container", 5), severity: "info" }),
    ]) {
      await opened.alerts.raise(each);
      clock.jump(new Date(clock.now().getTime() + 60_000));
    }
    await opened.service.resolve(await idOf("over"), { resolved_by: "Ada" });
  });
  after(async () => {
    await opened.alerts.stop();
    await database.stop();
  });

  it("are declared", async () => {
    const tools = await opened.alerts.tools();
    await checkTools(tools, { elsewhere: ["explain_alert"] });
    assert.deepEqual(
      tools.map(({ name, writes = false }) => [name, writes]),
      [
        ["list_alerts", false],
        ["acknowledge_alert", true],
      ],
    );
    assert.equal(toolOf(tools, "acknowledge_alert").finder, "list_alerts");
  });

  it("list what is wrong now, worst first, with since when and why", async () => {
    const listed = await call("list_alerts");
    assert.deepEqual(await names(), ["far", "shop", "backup", "news"]);
    const shop = (listed["alerts"] as AlertRecord[])[1];
    assert.partialDeepStrictEqual(shop, {
      source: "endpoint",
      event: "consecutive_failure",
      entity_type: "endpoint",
      entity_id: "1",
      cause: "Connection refused.",
      fired_at: "2026-03-01T12:00:00.000Z",
      acknowledged_by: null,
    });
    assert.deepEqual([listed["counts"], listed["total"], listed["next_cursor"]], [{ critical: 2, warning: 1, info: 1 }, 4, null]);
  });

  const NOT_HERE = randomUUID();
  const filters: [args: Record<string, unknown>, expected: string[]][] = [
    [{ active_only: false }, ["news", "far", "backup", "over", "shop"]],
    [{ severity: "critical" }, ["far", "shop"]],
    [{ severity: "critical", active_only: false }, ["far", "over", "shop"]],
    [{ source: "endpoint" }, ["shop"]],
    [{ source: "endpoint", active_only: false }, ["over", "shop"]],
    [{ agent_id: AGENT }, ["far"]],
    [{ agent_id: AGENT, active_only: false }, ["far"]],
    [{ agent_id: "local", severity: "critical" }, ["shop"]],
    [{ agent_id: NOT_HERE }, []],
    [{ since: "2026-03-01T12:02:00Z" }, ["far", "backup", "news"]],
    [{ since: "2026-03-01T13:01:00+01:00", active_only: false }, ["news", "far", "backup", "over"]],
    [{ limit: 2 }, ["far", "shop"]],
    [{ limit: 2, cursor: "after-2" }, ["backup", "news"]],
    [{ limit: 2, cursor: "after-3", active_only: false }, ["over", "shop"]],
  ];
  for (const [args, expected] of filters) {
    it(`list by ${JSON.stringify(args)}`, async () => assert.deepEqual(await names(args), expected));
  }

  it("count what is wrong now, whatever is listed", async () => {
    const all = await call("list_alerts", { active_only: false, agent_id: "local", limit: 1 });
    assert.deepEqual([all["counts"], all["total"], all["next_cursor"]], [{ critical: 1, warning: 1, info: 1 }, 4, "after-1"]);
  });

  it("take an alert on, once, in somebody's name", async () => {
    const id = await idOf("shop");
    const { alert } = await call("acknowledge_alert", { alert_id: id, acknowledged_by: " An\u0007na ", note: "On it." });
    const taken = {
      id,
      acknowledged_by: "An na",
      acknowledged_note: "On it.",
      acknowledged_at: clock.now().toISOString(),
      status: "active",
    };
    assert.partialDeepStrictEqual(alert, taken);
    assert.partialDeepStrictEqual(await opened.service.detail(id), taken);
    for (const again of ["Anna", "Ben"]) {
      const asked = call("acknowledge_alert", { alert_id: id, acknowledged_by: again });
      await assert.rejects(asked, (error) => isServiceError(error, "already_acknowledged") && error.message.endsWith("by An na."));
    }
    assert.partialDeepStrictEqual(await opened.service.detail(id), taken);
  });

  it("refuse what is over or not there", async () => {
    const rows: [alertId: number, code: "conflict" | "not_found"][] = [
      [await idOf("over"), "conflict"],
      [4711, "not_found"],
    ];
    for (const [alertId, code] of rows) {
      const asked = call("acknowledge_alert", { alert_id: alertId, acknowledged_by: "Ada" });
      await assert.rejects(asked, (error) => isServiceError(error, code), code);
    }
    assert.equal((await opened.service.detail(await idOf("over"))).acknowledged_by, null);
  });

  it("say what is wrong with a question", async () => {
    await assert.rejects(call("list_alerts", { cursor: "2" }), (error) => isServiceError(error, "invalid_request"));
    await assert.rejects(call("list_alerts", { cursor: "2", active_only: false }), (error) => isServiceError(error, "invalid_request"));
    const rows: [name: string, args: Record<string, unknown>][] = [
      ["list_alerts", { source: "moon" }],
      ["list_alerts", { severity: "loud" }],
      ["list_alerts", { since: "yesterday" }],
      ["list_alerts", { status: "active" }],
      ["acknowledge_alert", { alert_id: 1 }],
      ["acknowledge_alert", { alert_id: "1", acknowledged_by: "Ada" }],
      ["acknowledge_alert", { alert_id: 1, acknowledged_by: "\u0007" }],
      ["acknowledge_alert", { alert_id: 1, acknowledged_by: "x".repeat(129) }],
      ["acknowledge_alert", { alert_id: 1, acknowledged_by: "Ada", note: "x".repeat(1001) }],
    ];
    for (const [name, args] of rows) await assert.rejects(call(name, args), { name: "ZodError" }, JSON.stringify(args).slice(0, 80));
  });
});
