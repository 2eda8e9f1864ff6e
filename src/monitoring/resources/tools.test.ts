import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { hostReading, sampled } from "../../../test/support/readings.ts";
import { startWatching, type Watching } from "../../../test/support/resources.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { callTool, checkTools } from "../../../test/support/tools.ts";
import type { Edition } from "../../editions/edition.ts";
import type { Tool } from "../../mcp/tool.ts";

const AGENT = "0b9c54a0-0000-4000-8000-000000000000";
const NOBODY = "0b9c54a0-0000-4000-8000-000000000001";

onBothDatabases((databases) => {
  let clock: FakeClock;
  let edition: Edition;
  let watching: Watching;
  let tools: Tool[];
  let id: number;

  beforeEach(async () => {
    edition = "community";
    clock = createFakeClock(new Date("2026-03-01T12:00:00Z"));
    watching = await startWatching({ database: await databases.create(), clock, edition: () => edition });
    tools = await watching.resources.tools();
    await watching.show({ externalId: "a", name: "web" }, { externalId: "b", name: "db" });
    id = watching.id("a");
    await watching.see(null, { kind: "host.sampled", observedAt: clock.now(), host: hostReading() });
    for (let tick = 0; tick < 12; tick += 1) {
      await watching.tick({
        a: { cpuPercent: tick === 5 ? 95 : 10, cpuCoresUsed: 0.25, memoryBytes: 100 + tick, memoryLimitBytes: 1_000 },
        b: { cpuPercent: 5, cpuCoresUsed: 0.5, memoryBytes: 50, memoryLimitBytes: 1_000 },
      });
      if (tick < 11) clock.jump(new Date(clock.now().getTime() + 10_000));
    }
  });
  afterEach(() => watching.stop());

  const resources = (args: Record<string, unknown>): Promise<Record<string, unknown>> => callTool(tools, "get_resources", args);
  interface Past {
    points: { timestamp: string }[];
    breaches: unknown[];
    breaches_total: number;
  }
  const past = async (args: Record<string, unknown>): Promise<Past> => (await resources({ container_id: id, ...args }))["history"] as Past;
  const consumers = async (args: Record<string, unknown> = {}): Promise<string[]> => {
    const { consumers: found } = (await callTool(tools, "get_top_consumers", args)) as { consumers: { name: string; rank: number }[] };
    assert.deepEqual(
      found.map(({ rank }) => rank),
      found.map((_, index) => index + 1),
    );
    return found.map(({ name }) => name);
  };

  it("are declared as clients need them", () => checkTools(tools, { elsewhere: ["list_containers", "list_agents"] }));

  it("get_resources shows what a container uses, and sums up its history", async () => {
    const answer = await resources({ container_id: id });
    assert.equal(answer["host"], null);
    assert.partialDeepStrictEqual(answer["container"], {
      id,
      name: "web",
      agent_id: null,
      state: "running",
      now: { cpu_percent: 10, memory_bytes: 111, memory_percent: 11.1, timestamp: "2026-03-01T12:01:50.000Z" },
      thresholds: { configured: false },
    });
    assert.partialDeepStrictEqual(answer["history"], {
      range: "1h",
      measured_percent: 3.33,
      summary: {
        cpu_percent: { min: 10, max: 95, max_at: "2026-03-01T12:00:50.000Z" },
        memory_bytes: { min: 100, max: 111, max_at: "2026-03-01T12:01:50.000Z" },
        disk_read_bytes_per_second: { min: null, mean: null, max: null, max_at: null },
      },
      step_seconds: 120,
      breaches: [],
      breaches_total: 0,
    });
  });

  it("get_resources gives as many points as are wanted", async () => {
    assert.equal((await past({ points: 0 })).points.length, 0);
    const few = await past({});
    const many = await past({ points: 120 });
    assert.ok(few.points.length > 0 && few.points.length < many.points.length && many.points.length <= 120);
    assert.partialDeepStrictEqual(await past({ range: "6h", points: 120 }), { range: "6h", step_seconds: 180 });
  });

  it("get_resources looks as far back as the edition does", async () => {
    await assert.rejects(past({ range: "24h" }), { code: "EDITION_REQUIRED" });
    edition = "pro";
    for (const range of ["24h", "7d", "30d"]) {
      const { points, ...rest } = await past({ range, points: 120 });
      assert.partialDeepStrictEqual(rest, { range });
      assert.ok(points.length >= 1, range);
    }
  });

  it("get_resources shows the last thresholds that were exceeded", async () => {
    await watching.resources.service.setThresholds(id, { cpu_threshold: 50, memory_threshold: null, debounce_seconds: 0 });
    for (let tick = 0; tick < 50; tick += 1) {
      clock.jump(new Date(clock.now().getTime() + 10_000));
      await watching.tick({ a: { cpuPercent: tick % 2 === 0 ? 80 : 10, cpuCoresUsed: 1, memoryBytes: 100, memoryLimitBytes: 1_000 } });
    }
    const { breaches, breaches_total: total } = await past({});
    assert.deepEqual([breaches.length, total], [20, 25]);
    assert.partialDeepStrictEqual(breaches.at(-1), { metric: "cpu", threshold: 50, peak: 80 });
    assert.partialDeepStrictEqual((await resources({ container_id: id }))["container"], {
      thresholds: { configured: true, cpu_threshold: 50, memory_threshold: null },
    });
  });

  it("get_resources shows a host", async () => {
    await watching.see(AGENT, { kind: "host.sampled", observedAt: clock.now(), host: hostReading({ hostname: "ark" }) });
    const local = { container: null, history: null, host: { hostname: "harbour", total_containers: 2, containers: { memory_bytes: 161 } } };
    assert.partialDeepStrictEqual(await resources({}), local);
    assert.partialDeepStrictEqual(await resources({ agent_id: "local" }), local);
    assert.partialDeepStrictEqual(await resources({ agent_id: AGENT }), {
      host: { agent_id: AGENT, hostname: "ark", total_containers: 0 },
    });
  });

  it("get_resources says what does not go together, and who is not there", async () => {
    await assert.rejects(resources({ container_id: id, agent_id: "local" }), { code: "invalid_request", message: /exclude each other/ });
    await assert.rejects(resources({ agent_id: "local", range: "1h" }), {
      code: "invalid_request",
      message: /No history is kept of hosts/,
    });
    await assert.rejects(resources({ container_id: 4711 }), { code: "not_found", message: "There is no container 4711." });
    await assert.rejects(resources({ agent_id: NOBODY }), { code: "not_found", message: /There is no host .* list_agents/ });
    for (const args of [{ points: 121 }, { range: "2h" }, { container_id: 1, what: "cpu" }])
      await assert.rejects(resources(args), { name: "ZodError" });
  });

  it("get_top_consumers ranks by what is asked", async () => {
    await watching.see(
      AGENT,
      {
        kind: "container.inventory",
        observedAt: clock.now(),
        containers: [sighting({ externalId: "c", name: "far" })],
      },
      sampled(clock.now(), { c: { cpuPercent: 1, cpuCoresUsed: 0.3, memoryBytes: 75, memoryLimitBytes: 1_000 } }),
    );
    assert.deepEqual(await consumers(), ["db", "far", "web"]);
    assert.deepEqual(await consumers({ sort: "memory" }), ["web", "far", "db"]);
    assert.deepEqual(await consumers({ limit: 1 }), ["db"]);
    assert.deepEqual(await consumers({ agent_id: "local" }), ["db", "web"]);
    assert.deepEqual(await consumers({ agent_id: AGENT }), ["far"]);
    await assert.rejects(consumers({ agent_id: NOBODY }), { code: "not_found" });
    for (const args of [{ limit: 101 }, { sort: "disk" }, { by: "name" }]) await assert.rejects(consumers(args), { name: "ZodError" });
  });

  it("get_top_consumers ranks by growth since yesterday where the edition looks back a day", async () => {
    await assert.rejects(consumers({ sort: "memory", by: "growth" }), { code: "EDITION_REQUIRED" });
    edition = "pro";
    clock.jump(new Date("2026-03-02T12:30:00Z"));
    await watching.tick({
      a: { cpuPercent: 10, cpuCoresUsed: 0.25, memoryBytes: 200, memoryLimitBytes: 1_000 },
      b: { cpuPercent: 5, cpuCoresUsed: 0.5, memoryBytes: 150.5, memoryLimitBytes: 1_000 },
    });
    assert.deepEqual(await consumers({ sort: "memory" }), ["web", "db"]);
    assert.deepEqual(await consumers({ sort: "memory", by: "growth" }), ["db", "web"]);
    const answer = await callTool(tools, "get_top_consumers", { sort: "memory", by: "growth", limit: 1 });
    assert.partialDeepStrictEqual(answer, {
      yesterday: { from: "2026-03-01T12:00:00.000Z", to: "2026-03-01T13:00:00.000Z" },
      consumers: [{ name: "db", value: 151, since_yesterday: { state: "measured", value: 50, change: 101, change_percent: 202 } }],
    });
  });
});
