import assert from "node:assert/strict";
import { test } from "node:test";
import { containerRecord } from "../../entities/containers/record.fixture.ts";
import { summarise } from "./group-summary.ts";

function statusOf(...parts: Parameters<typeof containerRecord>[0][]): string | undefined {
  return summarise([{ name: "shop", source: "compose", containers: parts.map((part) => containerRecord(part)) }], () => false)[0]?.status;
}

test("a group is as its worst container, but what is done or paused takes nothing from those that run", () => {
  assert.equal(statusOf({}, {}), "ok");
  assert.equal(statusOf({}, { state: "completed", exit_code: 0 }), "ok");
  assert.equal(statusOf({ state: "completed", exit_code: 0 }, { state: "paused" }), "idle");
  assert.equal(statusOf({}, { health: "unhealthy" }), "degraded");
  assert.equal(statusOf({ health: "unhealthy" }, { state: "exited", exit_code: 1 }), "down");
  assert.equal(statusOf({}, { state: "exited", exit_code: 1, is_ignored: true }), "ok");
});

test("what is not seen is neither healthy nor running", () => {
  const containers = [containerRecord({ id: 1 }), containerRecord({ id: 2, agent_id: "a" })];
  const shop = (...members: typeof containers) =>
    summarise([{ name: "shop", source: "compose", containers: members }], (_type, agentId) => agentId === "a").map(
      ({ status, running, unseen }) => [status, running, unseen],
    );
  assert.deepEqual(shop(...containers), [["idle", 1, 1]]);
  assert.deepEqual(shop(containerRecord({ agent_id: "a" })), [["idle", 0, 1]]);
  assert.deepEqual(shop(containerRecord({ agent_id: "a", state: "exited", exit_code: 1 })), [["down", 0, 1]]);
});
