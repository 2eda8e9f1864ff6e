import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { type AssistantWorld, openAssistantWorld } from "../../../test/support/assistant.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { checkedObservation, failure, labelled, success } from "../../../test/support/endpoints.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { callTool } from "../../../test/support/tools.ts";
import { until } from "../../../test/support/until.ts";
import { type ContainerSighting, labelEndpointKey } from "../../observations.ts";
import { type Strip, type StripList, stripList } from "./answers.ts";

const WEB = "a".repeat(64);
const AGENT = "7d444840-9dc0-4000-8000-000000000001";
const HOUR = 3600;
const MINUTE = 60;

onBothDatabases((databases) => {
  const noon = new Date("2026-03-01T12:00:00Z");
  let clock: FakeClock;
  let world: AssistantWorld;

  const at = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000);

  async function see(agentId: string | null, seconds: number, facts: Partial<ContainerSighting>): Promise<void> {
    const container = sighting({ externalId: WEB, name: "web", createdAt: at(0), startedAt: at(0), ...facts });
    await world.see(agentId, { kind: "container.seen", observedAt: at(seconds), container });
  }

  const watch = (from: number, to: number, agentId: string | null = null): Promise<void> =>
    world.see(agentId, { kind: "host.watched", since: at(from), observedAt: at(to) });

  async function ask(query: Record<string, string> = {}): Promise<StripList> {
    return stripList.parse(await world.check("GET", "/api/v1/overview/strips", query));
  }

  async function runsOf(type: Strip["type"], query?: Record<string, string>): Promise<string | undefined> {
    const { strips } = await ask(query);
    return strips
      .find((strip) => strip.type === type)
      ?.runs.map(({ state, steps }) => `${state} ${steps}`)
      .join(", ");
  }

  beforeEach(async () => {
    clock = createFakeClock(noon);
    world = await openAssistantWorld({ database: await databases.create(), clock });
  });
  afterEach(() => world.stop());

  it("shows how a container was, and where nobody watched its host", async () => {
    await see(null, 0, {});
    await see(null, 2 * HOUR, { state: "exited", exitCode: 1, finishedAt: at(2 * HOUR) });
    await see(null, 2 * HOUR + 5 * MINUTE, { startedAt: at(2 * HOUR + 5 * MINUTE) });
    await watch(0, 4 * HOUR);
    await watch(5 * HOUR, 6 * HOUR);
    clock.jump(at(6 * HOUR - 1));
    const { from, to, step_seconds: step } = await ask();
    assert.deepEqual([from, to, step], [at(-18 * HOUR).toISOString(), at(6 * HOUR - 1).toISOString(), 900]);
    assert.equal(await runsOf("container"), "unknown 72, up 8, down 1, up 7, unknown 4, up 4");
  });

  it("shows an unhealthy container as degraded, and one that somebody stopped as stopped", async () => {
    await see(null, 0, { health: "healthy" });
    await see(null, HOUR, { health: "unhealthy" });
    await see(null, 2 * HOUR, { health: "unhealthy", state: "exited", exitCode: 143, stopRequested: true, finishedAt: at(2 * HOUR) });
    await watch(0, 3 * HOUR);
    clock.jump(at(3 * HOUR - 1));
    assert.equal(await runsOf("container"), "unknown 84, up 4, degraded 4, stopped 4");
  });

  it("shows an endpoint from its checks and its alerts", async () => {
    await see(null, 0, { endpoints: [labelled()] });
    const key = labelEndpointKey(WEB, labelled().labelKey);
    for (let second = 30; second < 3 * HOUR; second += 30) {
      clock.jump(at(second));
      const isDown = second >= HOUR && second < HOUR + 10 * MINUTE;
      await world.see(null, checkedObservation(key, at(second), isDown ? failure : success));
    }
    clock.jump(at(3 * HOUR - 1));
    await until(async () => ((await runsOf("endpoint")) === "unknown 84, up 4, down 1, up 7" ? true : undefined));
    clock.jump(at(4 * HOUR - 1));
    assert.equal(await runsOf("endpoint"), "unknown 80, up 4, down 1, up 8, unknown 3");
  });

  it("shows a heartbeat since it reported first, and by its alerts", async () => {
    const origin = { sourceIp: "192.0.2.1", method: "POST", userAgent: null, body: null };
    const { uuid } = await world.heartbeats.service.create({ name: "backup", interval_seconds: 6 * HOUR });
    assert.equal(await runsOf("heartbeat"), "unknown 96");
    for (const [hours, kind] of [
      [1, "success"],
      [2, "fail"],
      [3, "success"],
    ] as const) {
      clock.jump(at(hours * HOUR));
      await world.heartbeats.service.receive(uuid, { kind, exitCode: null, rid: null }, origin);
      await until(() => (world.alerting.active().length === Number(kind === "fail") ? true : undefined));
    }
    clock.jump(at(4 * HOUR - 1));
    assert.equal(await runsOf("heartbeat"), "unknown 84, up 4, down 4, up 4");
  });

  it("looks closer at a part of the day, of one host, and says how many are left out", async () => {
    await see(null, 0, {});
    await see(AGENT, 0, { name: "other" });
    await see(null, HOUR + 30, { state: "exited", exitCode: 1, finishedAt: at(HOUR + 30) });
    await see(null, HOUR + 90, { startedAt: at(HOUR + 90) });
    await watch(0, 2 * HOUR);
    clock.jump(at(2 * HOUR));
    const part = { from: at(HOUR).toISOString(), to: at(HOUR + 96).toISOString() };
    assert.equal(await runsOf("container", { ...part, agent_id: "local" }), "up 30, down 60, up 6");
    assert.equal(await runsOf("container", { ...part, agent_id: AGENT }), "unknown 96");
    const bounded = await ask({ limit: "1" });
    assert.deepEqual([bounded.strips.length, bounded.left_out, bounded.strips[0]?.runs.length], [1, 1, 4]);
  });

  it("refuses a stretch of time that is too long ago, in the future or shorter than a minute", async () => {
    for (const [query, path] of [
      [{ from: at(-25 * HOUR).toISOString() }, "from"],
      [{ to: at(1).toISOString() }, "to"],
      [{ from: at(-59).toISOString() }, "from"],
    ] as const) {
      const answer = await world.ask("GET", `/api/v1/overview/strips?${new URLSearchParams(query)}`);
      assert.equal(answer.status, 409);
      assert.match(JSON.stringify(answer.body), new RegExp(`"path":"${path}"`));
    }
  });

  it("is shown to assistants with names, in steps of an hour, those that were down first", async () => {
    await see(null, 0, {});
    await see(null, 2 * HOUR, { state: "exited", exitCode: 1, finishedAt: at(2 * HOUR) });
    await see(null, 2 * HOUR + 5 * MINUTE, { startedAt: at(2 * HOUR + 5 * MINUTE) });
    const container = sighting({ externalId: "b".repeat(64), name: "db", createdAt: at(0), startedAt: at(0) });
    await world.see(null, { kind: "container.seen", observedAt: at(0), container });
    await watch(0, 6 * HOUR);
    clock.jump(at(6 * HOUR - 1));
    const shown = await callTool(world.overview.tools(), "get_strips", {});
    const first = (shown["strips"] as { name: string; runs: { state: string; from: string; steps: number }[] }[])[0];
    assert.equal(shown["step_seconds"], HOUR);
    assert.deepEqual(first, {
      ...{ type: "container", id: (await ask()).strips[0]?.id, name: "web" },
      runs: [
        { state: "unknown", from: at(-18 * HOUR).toISOString(), steps: 18 },
        { state: "up", from: at(0).toISOString(), steps: 2 },
        { state: "down", from: at(2 * HOUR).toISOString(), steps: 1 },
        { state: "up", from: at(3 * HOUR).toISOString(), steps: 3 },
      ],
    });
    const one = await callTool(world.overview.tools(), "get_strips", { limit: 1, from: at(2 * HOUR).toISOString() });
    assert.deepEqual([(one["strips"] as unknown[]).length, one["left_out"]], [1, 1]);
  });
});
