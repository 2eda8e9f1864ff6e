import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import { callTool, checkTools } from "../../../test/support/tools.ts";
import type { Event } from "../../events.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { ContainerSighting } from "../../observations.ts";
import { createBus } from "../../platform/bus.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import type { LogLine, LogOptions } from "../../runtimes/runtime.ts";
import type { Database } from "../../storage/database.ts";
import { type Containers, createContainers } from "./index.ts";

const AGENT = "0b9c54a0-0000-4000-8000-000000000000";
const SHOP = { name: "shop", source: "compose" } as const;
const NOON = new Date("2026-03-01T12:00:00Z");
const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);

interface Row {
  id: number;
  name: string;
  [member: string]: unknown;
}

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let containers: Containers;
  let tools: Tool[];
  let log: LogLine[];
  let asked: LogOptions[];

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    log = [];
    asked = [];
    const logSource = {
      async *logs(_agentId: string | null, _externalId: string, options: LogOptions): AsyncIterable<LogLine[]> {
        asked.push(options);
        yield log.slice(-options.tail);
      },
    };
    const bus = createBus<Event>(silentLog);
    containers = createContainers({ database, bus, clock, scheduler: createScheduler(clock, silentLog), log: silentLog, logSource });
    await containers.start();
    tools = await containers.tools();
  });

  const show = (agentId: string | null, seconds: number, ...seen: Partial<ContainerSighting>[]): Promise<void> =>
    containers.observe(agentId, [{ kind: "container.inventory", observedAt: after(seconds), containers: seen.map(sighting) }]);
  const list = async (args: Record<string, unknown> = {}): Promise<{ containers: Row[]; total: number; next_cursor: string | null }> =>
    (await callTool(tools, "list_containers", args)) as { containers: Row[]; total: number; next_cursor: string | null };
  const names = async (args?: Record<string, unknown>): Promise<string[]> => (await list(args)).containers.map(({ name }) => name);
  const idOf = (externalId: string, agentId: string | null = null): number => containers.present.find(agentId, externalId)?.id ?? 0;
  const line = (text: string): LogLine => ({ timestamp: NOON, stream: "stdout", text });

  /** Two in the shop, one of them broken; one hidden; one elsewhere; one that was removed. */
  async function showZoo(): Promise<void> {
    await show(null, 0, { externalId: "old", name: "old", state: "exited", exitCode: 1 });
    await show(
      null,
      10,
      { externalId: "web", name: "web", image: "nginx:1", project: SHOP, health: "healthy" },
      {
        externalId: "db",
        name: "db",
        image: "postgres:18",
        project: SHOP,
        state: "exited",
        exitCode: 137,
        oomKilled: true,
        finishedAt: after(5),
      },
      { externalId: "hidden", name: "hidden", settings: { ...defaultSettings, ignored: true } },
    );
    await show(AGENT, 10, { externalId: "far", name: "far", image: "redis:8" });
  }

  it("are declared as clients need them", () => checkTools(tools));

  it("list_containers describes each in short", async () => {
    await showZoo();
    await containers.observe(null, [
      {
        kind: "container.seen",
        observedAt: after(20),
        container: sighting({ externalId: "web", name: "web", image: "nginx:1", project: SHOP, health: "healthy", restartCount: 2 }),
      },
    ]);
    containers.present.setResources(null, () => ({
      cpu_percent: 12.5,
      cpu_cores_used: 0.5,
      memory_bytes: 1,
      memory_percent: 50,
      timestamp: NOON.toISOString(),
    }));
    const { containers: rows, ...end } = await list();
    assert.deepEqual(end, { total: 3, next_cursor: null });
    assert.deepEqual(
      rows.map(({ name }) => name),
      ["db", "web", "far"],
    );
    assert.deepEqual(rows[1], {
      id: idOf("web"),
      agent_id: null,
      name: "web",
      image: "nginx:1",
      state: "running",
      health: "healthy",
      exit_code: null,
      oom_killed: false,
      group: "shop",
      restart_count: 2,
      started_at: "2026-03-01T11:00:01.000Z",
      finished_at: null,
      last_state_change_at: rows[1]?.["last_state_change_at"],
      archived_at: null,
      uptime_24h: null,
      cpu_percent: 12.5,
      memory_percent: 50,
    });
    // A container that does not run uses nothing.
    assert.partialDeepStrictEqual(rows[0], { exit_code: 137, oom_killed: true, finished_at: after(5).toISOString(), cpu_percent: null });
    assert.partialDeepStrictEqual(rows[2], { agent_id: AGENT, cpu_percent: null });
  });

  it("list_containers filters", async () => {
    await showZoo();
    const expected: [args: Record<string, unknown>, names: string[]][] = [
      [{ state: "exited" }, ["db"]],
      [{ health: "healthy" }, ["web"]],
      [{ health: "none" }, ["db", "far"]],
      [{ group: "shop" }, ["db", "web"]],
      [{ search: "POSTGRES" }, ["db"]],
      [{ search: "we" }, ["web"]],
      [{ archived: true }, ["old"]],
      [{ archived: true, search: "nobody" }, []],
      [{ ignored: true }, ["db", "web", "far", "hidden"]],
      [{ agent_id: "local" }, ["db", "web"]],
      [{ agent_id: AGENT }, ["far"]],
      [{ agent_id: AGENT, state: "exited" }, []],
    ];
    for (const [args, wanted] of expected) assert.deepEqual(await names(args), wanted, JSON.stringify(args));
    assert.equal((await list({ archived: true })).containers[0]?.["archived_at"], after(10).toISOString());
  });

  it("list_containers gives every container once, page by page", async () => {
    const all = Array.from({ length: 230 }, (_, index) => ({ externalId: `c${index}`, name: `c${index}` }));
    await show(null, 0, ...all);
    for (const [limit, pages] of [
      [undefined, 5],
      [200, 2],
    ] as const) {
      const seen: string[] = [];
      let cursor: string | null | undefined;
      let asks = 0;
      for (; cursor !== null; asks += 1) {
        const page = await list({ ...(limit && { limit }), ...(cursor !== undefined && { cursor }) });
        assert.equal(page.total, 230);
        seen.push(...page.containers.map(({ name }) => name));
        cursor = page.next_cursor;
      }
      assert.equal(asks, pages);
      assert.deepEqual(
        seen,
        all.map(({ name }) => name),
      );
    }
    await assert.rejects(list({ cursor: "after-x" }), { code: "invalid_request" });
    await show(null, 20);
    assert.equal((await list({ archived: true, cursor: "after-200" })).containers.length, 30);
  });

  it("get_container describes one container in full, with its history", async () => {
    await show(null, 0, {
      externalId: "web",
      name: "web",
      labels: { team: "shop" },
      ports: [{ containerPort: 80, protocol: "tcp", hostIp: null, hostPort: 8080 }],
    });
    const id = idOf("web");
    for (let seconds = 1; seconds <= 24; seconds += 1)
      await containers.observe(null, [
        {
          kind: "container.seen",
          observedAt: after(seconds),
          container: sighting({
            externalId: "web",
            name: "web",
            state: seconds % 2 === 1 ? "exited" : "running",
            exitCode: seconds % 2 === 1 ? 1 : null,
            finishedAt: seconds % 2 === 1 ? after(seconds) : null,
            startedAt: after(seconds),
          }),
        },
      ]);
    clock.jump(after(3 * 86_400));
    const { container, transitions, transitions_total: total } = await callTool(tools, "get_container", { container_id: id });
    assert.partialDeepStrictEqual(container, { id, name: "web", state: "running", labels_left_out: 0, uptime: {} });
    assert.ok(Array.isArray(transitions));
    assert.equal(transitions.length, 20, "older than a day, and no more than the last");
    assert.equal(total, 25);
    assert.partialDeepStrictEqual(transitions[0], {
      previous_state: "exited",
      new_state: "running",
      timestamp: after(24).toISOString(),
      log_snippet: null,
    });
  });

  it("get_container has an answer for labels of any script and length", async () => {
    const long = (index: number): string => `${String(index).padStart(3, "0")}${"名".repeat(500)}`;
    const labels = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [long(index), "値 ".repeat(250)]));
    await show(null, 0, { externalId: "web", labels });
    const answer = await callTool(tools, "get_container", { container_id: idOf("web") });
    // With as much again for the ends of the log it is still within what the server sends.
    assert.ok(Buffer.byteLength(JSON.stringify(answer)) < 131_072);
    const { labels: shown, labels_left_out: leftOut } = answer["container"] as { labels: object; labels_left_out: number };
    assert.ok(Object.keys(shown).length > 30);
    assert.equal(Object.keys(shown).length + leftOut, 100);
  });

  it("get_container bounds what a stranger wrote", async () => {
    const labels = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`label-${index}`, `${"word ".repeat(300)}end`]));
    await show(null, 0, { externalId: "web", labels });
    const ended = sighting({ externalId: "web", labels, state: "exited", exitCode: 1 });
    await containers.observe(null, [{ kind: "container.seen", observedAt: after(3), container: ended }]);
    const snippet = Array.from({ length: 50 }, (_, index) => `${"x ".repeat(90)}line ${index}\n`).join("");
    await containers.observe(null, [{ kind: "container.last_words", observedAt: after(4), externalId: "web", endedAt: after(3), snippet }]);
    const answer = await callTool(tools, "get_container", { container_id: idOf("web") });
    const container = answer["container"] as { labels: Record<string, string>; labels_left_out: number };
    assert.equal(Object.keys(container.labels).length, 100);
    assert.equal(container.labels_left_out, 20);
    assert.ok(Object.values(container.labels).every((value) => value.length <= 500 && value.endsWith("…")));
    const [last] = answer["transitions"] as { log_snippet: string }[];
    assert.ok(last !== undefined && last.log_snippet.length <= 1_600, String(last?.log_snippet.length));
    assert.match(last.log_snippet, /line 48\n.*line 49\n$/);
  });

  it("get_container_logs asks for lines, a moment and a text", async () => {
    await show(null, 0, { externalId: "web", name: "web" });
    const id = idOf("web");
    log = Array.from({ length: 150 }, (_, index) => line(`request ${index}${index % 50 === 0 ? " FAILED" : ""}`));
    const read = async (args: object = {}): Promise<{ lines: { text: string }[]; truncated: boolean; cut_lines: number }> =>
      (await callTool(tools, "get_container_logs", { container_id: id, ...args })) as never;
    const { lines, ...rest } = await read();
    assert.deepEqual(
      [lines.length, lines[0]?.text, lines.at(-1)],
      [100, "request 50 FAILED", { timestamp: NOON.toISOString(), stream: "stdout", text: "request 149" }],
    );
    assert.deepEqual(rest, { container_id: id, truncated: true, cut_lines: 0 });
    assert.deepEqual(
      (await read({ lines: 1 })).lines.map(({ text }) => text),
      ["request 149"],
    );
    assert.equal((await read({ lines: 1000 })).truncated, false);
    assert.deepEqual(
      (await read({ search: "failed" })).lines.map(({ text }) => text),
      ["request 0 FAILED", "request 50 FAILED", "request 100 FAILED"],
    );
    await read({ since: after(5).toISOString() });
    assert.deepEqual(asked.at(-1)?.since, after(5));
  });

  it("get_container_logs finds no line of a private key", async () => {
    await show(null, 0, { externalId: "web", name: "web" });
    const body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    log = ["loading", "-----BEGIN PRIVATE KEY-----", body, "-----END PRIVATE KEY-----"].map((text) => line(text));
    const answer = await callTool(tools, "get_container_logs", { container_id: idOf("web"), search: "miie" });
    assert.deepEqual(
      (answer["lines"] as { text: string }[]).map(({ text }) => text),
      ["***"],
    );
  });

  it("get_container_logs bounds what comes", async () => {
    await show(null, 0, { externalId: "web", name: "web" });
    log = Array.from({ length: 1_000 }, (_, index) => line(`${index} ${"word ".repeat(1_000)}`));
    const answer = await callTool(tools, "get_container_logs", { container_id: idOf("web"), lines: 1000 });
    const lines = answer["lines"] as { text: string }[];
    assert.ok(JSON.stringify(answer).length < 120_000);
    assert.ok(lines.length >= 90 && lines.every(({ text }) => text.length <= 1_000 && text.endsWith("…")));
    assert.match(lines.at(-1)?.text ?? "", /^999 /);
    assert.deepEqual([answer["truncated"], answer["cut_lines"]], [true, lines.length]);
  });

  it("get_container_logs stops reading with its caller", async () => {
    await show(null, 0, { externalId: "web", name: "web" });
    const caller = new AbortController();
    await callTool(tools, "get_container_logs", { container_id: idOf("web") }, caller.signal);
    caller.abort();
    assert.equal(asked[0]?.signal.aborted, true);
  });

  it("name a container that there is not, and where to find those there are", async () => {
    await show(null, 0, { externalId: "web", name: "web" });
    const id = idOf("web");
    await show(null, 1);
    for (const name of ["get_container", "get_container_logs"]) {
      await assert.rejects(callTool(tools, name, { container_id: 4711 }), { code: "not_found", message: "There is no container 4711." });
      assert.equal(tools.find((tool) => tool.name === name)?.finder, "list_containers");
    }
    // Its log went with it, its record did not.
    assert.partialDeepStrictEqual(await callTool(tools, "get_container", { container_id: id }), {
      container: { archived_at: after(1).toISOString() },
    });
    await assert.rejects(callTool(tools, "get_container_logs", { container_id: id }), { code: "not_found", message: /was removed/ });
  });

  const refused: [name: string, args: Record<string, unknown>][] = [
    ["list_containers", { limit: 201 }],
    ["list_containers", { limit: 0 }],
    ["list_containers", { state: "up" }],
    ["list_containers", { agent_id: "x" }],
    ["list_containers", { names: "web" }],
    ["get_container", {}],
    ["get_container", { container_id: "1" }],
    ["get_container", { container_id: 0 }],
    ["get_container_logs", { container_id: 1, lines: 1001 }],
    ["get_container_logs", { container_id: 1, since: "yesterday" }],
    ["get_container_logs", { container_id: 1, search: "x".repeat(256) }],
  ];
  it("refuse arguments that say nothing", async () => {
    for (const [name, args] of refused)
      await assert.rejects(callTool(tools, name, args), { name: "ZodError" }, JSON.stringify([name, args]));
  });

  it("counts leave out the ignored ones and those removed", async () => {
    await showZoo();
    const { byState, ...rest } = containers.service.counts();
    assert.deepEqual(rest, { total: 3, unhealthy: 0, inRestartLoop: 0 });
    assert.deepEqual(byState, { created: 0, running: 2, paused: 0, restarting: 0, exited: 1, completed: 0, dead: 0 });
    await show(AGENT, 20, { externalId: "far", name: "far", health: "unhealthy" });
    assert.equal(containers.service.counts().unhealthy, 1);
  });
});
