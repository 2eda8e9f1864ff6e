import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createFakeClock } from "../../../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../../../test/support/program.ts";
import { aComponent, anOutage, aWorld, openIncidents, type OpenedIncidents } from "../../../../test/support/status-incidents.ts";
import { callTool, checkTools } from "../../../../test/support/tools.ts";
import { systemClock } from "../../../platform/clock.ts";
import { isServiceError } from "../../../platform/errors.ts";
import { silentLog } from "../../../platform/log.ts";
import type { Database } from "../../../storage/database.ts";
import { openSqlite } from "../../../storage/sqlite.ts";

const ALL = "/api/v1/status/incidents";

describe("the tool of incidents", () => {
  const clock = createFakeClock(new Date("2026-03-01T12:00:00Z"));
  const world = aWorld([aComponent(1, "Checkout"), aComponent(2, "Search"), aComponent(3, "Gone")]);
  let database: Database;
  let opened: OpenedIncidents;

  const call = (args: Record<string, unknown> = {}) => callTool(opened.incidents.tools(), "list_incidents", args);
  const titles = async (args: Record<string, unknown> = {}): Promise<string[]> =>
    ((await call(args))["incidents"] as { title: string }[]).map(({ title }) => title);

  before(async () => {
    database = openSqlite({ path: `${temporaryFolder()}/tools.db`, clock: systemClock, log: silentLog });
    await database.start();
    opened = await openIncidents(database, clock, world);
    const made: unknown[] = [];
    for (const [title, components] of [
      ["Over", []],
      ["Slow search", [2, 3]],
    ] as const) {
      const { status, body } = await opened.routes.ask("POST", ALL, { title, severity: "major", message: `${title}.`, components });
      assert.equal(status, 201);
      made.push(body["id"]);
      clock.jump(new Date(clock.now().getTime() + 60_000));
    }
    for (const [id, update] of [
      [made[0], { status: "resolved", message: "It is fine again." }],
      [made[1], { status: "identified", message: "An index is missing." }],
    ] as const)
      assert.equal((await opened.routes.ask("POST", `${ALL}/${String(id)}/updates`, update)).status, 201);
    clock.jump(new Date(clock.now().getTime() + 60_000));
    await opened.fire(anOutage(5));
    world.components.pop();
  });
  after(async () => {
    await opened.stop();
    await database.stop();
  });

  it("is declared", () => checkTools(opened.incidents.tools(), { elsewhere: ["list_alerts"] }));

  it("lists what is open, with the components by name and the latest update", async () => {
    const listed = await call();
    const [outage, search] = listed["incidents"] as Record<string, unknown>[];
    assert.partialDeepStrictEqual(outage, { automatic: true, severity: "major", components: [{ id: 1, name: "Checkout" }], updates: 1 });
    assert.partialDeepStrictEqual(search, {
      title: "Slow search",
      severity: "major",
      status: "identified",
      automatic: false,
      components: [{ id: 2, name: "Search", status: "partial_outage" }],
      created_at: "2026-03-01T12:01:00.000Z",
      resolved_at: null,
      latest_update: { status: "identified", message: "An index is missing.", created_at: "2026-03-01T12:02:00.000Z", edited_at: null },
      updates: 2,
    });
    assert.deepEqual([listed["total"], listed["next_cursor"]], [2, null]);
  });

  it("lists those that are over too, and pages", async () => {
    const [outage = "", search = ""] = await titles();
    assert.deepEqual(await titles({ active_only: false }), [outage, search, "Over"]);
    assert.partialDeepStrictEqual(await call({ active_only: false, limit: 1 }), { total: 3, next_cursor: "after-1" });
    assert.deepEqual(await titles({ active_only: false, limit: 2, cursor: "after-1" }), [search, "Over"]);
  });

  it("says what is wrong with a question", async () => {
    await assert.rejects(call({ cursor: "x" }), (error) => isServiceError(error, "invalid_request"));
    for (const args of [{ limit: 101 }, { active_only: "no" }, { agent_id: "local" }])
      await assert.rejects(call(args), { name: "ZodError" }, JSON.stringify(args));
  });
});
