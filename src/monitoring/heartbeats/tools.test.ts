import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { openHeartbeats, type OpenedHeartbeats } from "../../../test/support/heartbeats.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { callTool, checkTools } from "../../../test/support/tools.ts";
import { systemClock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";
import type { HeartbeatRecord } from "./answers.ts";

describe("the tools of heartbeats", () => {
  const clock = createFakeClock();
  let database: Database;
  let jobs: OpenedHeartbeats;
  let uuids: string[];

  const call = (args: Record<string, unknown> = {}) => callTool(jobs.tools(), "list_heartbeats", args);
  const names = async (args: Record<string, unknown> = {}): Promise<string[]> =>
    ((await call(args))["heartbeats"] as HeartbeatRecord[]).map(({ name }) => name);

  before(async () => {
    database = openSqlite({ path: `${temporaryFolder()}/tools.db`, clock: systemClock, log: silentLog });
    await database.start();
    jobs = await openHeartbeats(database, clock);
    const good = await jobs.make({ name: "a good one" });
    const late = await jobs.make({ name: "b late", interval_seconds: 60, grace_seconds: 0 });
    const failed = await jobs.make({ name: "c failed, runs again", cron: "0 3 * * *", interval_seconds: null, timezone: "Europe/Berlin" });
    const paused = await jobs.make({ name: "d paused", tags: ["nightly"] });
    const fresh = await jobs.make({ name: "e fresh" });
    uuids = [good, late, failed, paused, fresh].map(({ uuid }) => uuid);
    for (const each of [good, late, paused]) await jobs.ping(each);
    await jobs.ping(failed, 3);
    await jobs.ping(failed, "start");
    await jobs.service.pause(paused.id);
    await jobs.pass(120);
  });
  after(() => database.stop());

  it("are declared", () => checkTools(jobs.tools()));

  it("list what needs somebody first, with since when and why", async () => {
    const listed = await call();
    assert.deepEqual(await names(), ["b late", "c failed, runs again", "e fresh", "a good one", "d paused"]);
    const [late, failed] = listed["heartbeats"] as HeartbeatRecord[];
    assert.partialDeepStrictEqual(late, {
      status: "down",
      reason: "deadline",
      failing_since: "2026-03-01T12:01:00.000Z",
      last_ping_at: "2026-03-01T12:00:00.000Z",
      interval_seconds: 60,
      cron: null,
    });
    assert.partialDeepStrictEqual(failed, {
      status: "started",
      reason: "exit_code",
      last_exit_code: 3,
      recent_outcomes: ["failure"],
      cron: "0 3 * * *",
      timezone: "Europe/Berlin",
    });
    assert.deepEqual([listed["counts"], listed["total"]], [{ new: 1, up: 1, started: 1, down: 1, paused: 1 }, 5]);
  });

  it("do not show the address that a job reports to", async () => {
    const text = JSON.stringify(await call());
    for (const uuid of uuids) assert.ok(!text.includes(uuid));
  });

  const filters: [args: Record<string, unknown>, expected: string[]][] = [
    [{ status: "new" }, ["e fresh"]],
    [{ search: "NIGHT" }, ["d paused"]],
    [{ agent_id: "local", limit: 1 }, ["b late"]],
    [{ agent_id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff" }, []],
    [{ limit: 2, cursor: "after-3" }, ["a good one", "d paused"]],
  ];
  for (const [args, expected] of filters) {
    it(`list by ${JSON.stringify(args)}`, async () => assert.deepEqual(await names(args), expected));
  }

  it("say what is wrong with a question", async () => {
    await assert.rejects(call({ cursor: "after-" }), (error) => isServiceError(error, "invalid_request"));
    for (const args of [{ status: "late" }, { limit: 0 }, { agent_id: "me" }, { id: 1 }])
      await assert.rejects(call(args), { name: "ZodError" }, JSON.stringify(args));
  });
});
