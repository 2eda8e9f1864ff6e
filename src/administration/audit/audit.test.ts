import assert from "node:assert/strict";
import { it } from "node:test";
import { DAY_MS } from "../../contract/time.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { callTool } from "../../../test/support/tools.ts";
import { until } from "../../../test/support/until.ts";
import { watchTasks } from "../../../test/support/watched-tasks.ts";
import type { AuditedOperation } from "../../http/audit.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import { type AuditList, auditList } from "./answers.ts";
import { createAuditLog } from "./index.ts";

const CHANGE: AuditedOperation = {
  actor: { kind: "session", name: "q3Wb0M7c" },
  address: "192.0.2.1",
  operation: "put_api_v1_heartbeats_id",
  entity: { type: "heartbeat", id: "7", name: '=nightly, "big"' },
  outcome: "done",
  error: null,
  before: { interval: 60 },
  after: { interval: 90 },
};
const REFUSAL: AuditedOperation = {
  ...CHANGE,
  actor: { kind: "anyone", name: null },
  operation: "post_login",
  entity: null,
  outcome: "refused",
  error: "unauthorized",
  before: null,
  after: null,
};

onBothDatabases((databases) => {
  async function open() {
    const clock = createFakeClock();
    const { scheduler, idle } = watchTasks(createScheduler(clock, silentLog));
    const audit = createAuditLog({ database: await databases.create(), clock, scheduler });
    audit.start();
    const server = createTestServer({ routes: audit.routes, clock });
    const get = (path: string) => server.fastify.inject({ url: `/api/v1/audit${path}` });
    return {
      audit,
      clock,
      get,
      list: async (query = ""): Promise<AuditList> => auditList.strict().parse((await get(query)).json()),
      async later(ms: number) {
        await clock.advance(ms);
        await idle();
      },
    };
  }

  it("lists entries newest first, in pages, by what is asked for", async () => {
    const { audit, list, later } = await open();
    await audit.record(CHANGE);
    await later(1000);
    await audit.record(REFUSAL);
    await audit.record({ ...CHANGE, entity: { type: "silence", id: "7", name: null } });
    const { entries, next_cursor } = await list();
    assert.deepEqual([entries.map(({ id }) => id), next_cursor], [[3, 2, 1], null]);
    assert.deepEqual(entries.at(-1), { ...CHANGE, id: 1, at: "2026-03-01T12:00:00.000Z" });
    assert.deepEqual(entries[1], { ...REFUSAL, id: 2, at: "2026-03-01T12:00:01.000Z" });

    const first = await list("?limit=2");
    assert.deepEqual([first.entries.map(({ id }) => id), first.next_cursor], [[3, 2], "2"]);
    const second = await list(`?limit=2&cursor=${first.next_cursor}`);
    assert.deepEqual([second.entries.map(({ id }) => id), second.next_cursor], [[1], null]);

    const by = async (query: string): Promise<number[]> => (await list(query)).entries.map(({ id }) => id);
    assert.deepEqual(await by("?outcome=refused"), [2]);
    assert.deepEqual(await by("?actor=session"), [3, 1]);
    assert.deepEqual(await by("?entity_type=heartbeat&entity_id=7"), [1]);
    assert.deepEqual(await by("?operation=post_login"), [2]);
    assert.deepEqual(await by("?until=2026-03-01T12:00:01Z"), [1]);
    assert.deepEqual(await by("?since=2026-03-01T12:00:01Z"), [3, 2]);
  });

  it("deletes entries after 400 days", async () => {
    const { audit, list, later, clock } = await open();
    await Promise.all(Array.from({ length: 600 }, () => audit.record(CHANGE)));
    await later(DAY_MS);
    await audit.record(REFUSAL);
    clock.jump(new Date(clock.now().getTime() + 399 * DAY_MS));
    const kept = await until(async () => {
      await later(3_600_000);
      const { entries } = await list("?limit=1000");
      return entries.length === 1 ? entries : undefined;
    });
    assert.deepEqual(
      kept.map(({ operation }) => operation),
      ["post_login"],
    );
  });

  it("is exported as CSV and as JSON lines, page by page", async () => {
    const { audit, get } = await open();
    await Promise.all(Array.from({ length: 501 }, () => audit.record(CHANGE)));
    await audit.record(REFUSAL);
    const lines = await get("/export?format=jsonl");
    assert.match(String(lines.headers["content-type"]), /^application\/jsonl/);
    const parsed = lines.body
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual([parsed.length, parsed[0].operation, parsed[501].id], [502, "post_login", 1]);

    const csv = await get("/export?format=csv&outcome=done");
    assert.equal(csv.headers["content-disposition"], 'attachment; filename="audit.csv"');
    const rows = csv.body.trim().split("\r\n");
    assert.equal(rows.length, 502);
    assert.equal(
      rows.at(-1),
      `1,2026-03-01T12:00:00.000Z,session,q3Wb0M7c,192.0.2.1,put_api_v1_heartbeats_id,heartbeat,7,"'=nightly, ""big""",done,,"{""interval"":60}","{""interval"":90}"`,
    );
  });

  it("is read by assistants", async () => {
    const { audit } = await open();
    await audit.record(CHANGE);
    await audit.record(REFUSAL);
    const { entries, next_cursor } = await callTool(audit.tools(), "list_audit_entries", { limit: 1 });
    assert.deepEqual([(entries as unknown[]).length, next_cursor], [1, "before-2"]);
    const rest = await callTool(audit.tools(), "list_audit_entries", { limit: 1, cursor: "before-2" });
    assert.deepEqual((rest["entries"] as { operation: string }[])[0]?.operation, CHANGE.operation);
  });
});
