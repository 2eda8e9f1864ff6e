import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { type AssistantWorld, openAssistantWorld } from "../../../test/support/assistant.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { sampled } from "../../../test/support/readings.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { ServiceError } from "../../platform/errors.ts";
import { around } from "../../monitoring/resources/answers.ts";
import { usageAt } from "./answers.ts";

const [WEB, DB, OTHER] = ["a".repeat(64), "b".repeat(64), "c".repeat(64)];
const AGENT = "7d444840-9dc0-4000-8000-000000000001";
const MINUTE = 60;

onBothDatabases((databases) => {
  const noon = new Date("2026-03-01T12:00:00Z");
  let clock: FakeClock;
  let world: AssistantWorld;
  let isRefused: boolean;

  const at = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000);
  const text = (seconds: number): string => at(seconds).toISOString();
  const ask = async (seconds: number, query: Record<string, string> = {}) =>
    usageAt.parse(await world.check("GET", "/api/v1/overview/moment/usage", { at: text(seconds), ...query }));

  beforeEach(async () => {
    clock = createFakeClock(noon);
    isRefused = false;
    const requireCapability = (capability: string): void => {
      if (isRefused) throw new ServiceError("EDITION_REQUIRED", `${capability} needs another edition.`);
    };
    world = await openAssistantWorld({ database: await databases.create(), clock, requireCapability });
    for (const [agentId, externalId, name] of [
      [null, WEB, "web"],
      [null, DB, "db"],
      [AGENT, OTHER, "other"],
    ] as const) {
      const container = sighting({ externalId, name, createdAt: at(0), startedAt: at(0) });
      await world.see(agentId, { kind: "container.seen", observedAt: at(0), container });
    }
    for (let second = 10; second <= 10 * MINUTE; second += 10) {
      clock.jump(at(second));
      const isLater = second > 5 * MINUTE;
      const web = { cpuPercent: isLater ? 80 : 20, memoryBytes: isLater ? 300 : 100, memoryLimitBytes: 1000 };
      await world.see(
        null,
        sampled(at(second), { [WEB]: web, ...(second <= 8 * MINUTE && { [DB]: { cpuPercent: 1, memoryBytes: 200 } }) }),
      );
      await world.see(AGENT, sampled(at(second), { [OTHER]: { memoryBytes: 7 } }));
    }
  });
  afterEach(() => world.stop());

  it("shows what containers used at a moment, those with the most memory first", async () => {
    const early = await ask(4 * MINUTE, { agent_id: "local" });
    assert.deepEqual(
      early.containers.map(({ name, cpu_percent: cpu, memory_bytes: memory, memory_limit_bytes: limit }) => [name, cpu, memory, limit]),
      [
        ["db", 1, 200, null],
        ["web", 20, 100, 1000],
      ],
    );
    assert.deepEqual([early.memory_bytes, early.left_out], [300, 0]);
    const late = await ask(10 * MINUTE, { agent_id: "local" });
    assert.deepEqual([late.containers.map(({ name }) => name), late.memory_bytes], [["web"], 300]);
    const all = await ask(4 * MINUTE);
    assert.deepEqual(
      all.containers.map(({ name, agent_id: host }) => [name, host]),
      [
        ["db", null],
        ["web", null],
        ["other", AGENT],
      ],
    );
    assert.equal((await ask(-MINUTE)).memory_bytes, null);
  });

  it("shows what one container used around a moment", async () => {
    const id = (await ask(4 * MINUTE)).containers.find(({ name }) => name === "web")?.id ?? assert.fail("no web");
    const shown = around.parse(await world.check("GET", "/api/v1/containers/{id}/resources/around", { id, at: text(5 * MINUTE) }));
    const percentAt = (seconds: number): unknown => shown.points.find((point) => point.at === text(seconds))?.cpu_percent;
    assert.deepEqual([shown.step_seconds, percentAt(4 * MINUTE), percentAt(6 * MINUTE)], [30, 20, 80]);
  });

  it("refuses a moment in the future, and one that the edition does not show", async () => {
    const refusal = async (seconds: number) => world.ask("GET", `/api/v1/overview/moment/usage?at=${text(seconds)}`);
    assert.equal((await refusal(11 * MINUTE)).status, 409);
    isRefused = true;
    assert.equal((await refusal(4 * MINUTE)).status, 403);
  });
});
