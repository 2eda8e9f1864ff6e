import assert from "node:assert/strict";
import { test } from "node:test";
import { containerRecord } from "../../entities/containers/record.fixture.ts";
import { summarise } from "./group-summary.ts";

function statusOf(...parts: Parameters<typeof containerRecord>[0][]): string | undefined {
  return summarise([{ name: "shop", source: "compose", containers: parts.map((part) => containerRecord(part)) }])[0]?.status;
}

test("a group is as its worst container, but what is done or paused takes nothing from those that run", () => {
  assert.equal(statusOf({}, {}), "ok");
  assert.equal(statusOf({}, { state: "completed", exit_code: 0 }), "ok");
  assert.equal(statusOf({ state: "completed", exit_code: 0 }, { state: "paused" }), "idle");
  assert.equal(statusOf({}, { health: "unhealthy" }), "degraded");
  assert.equal(statusOf({ health: "unhealthy" }, { state: "exited", exit_code: 1 }), "down");
  assert.equal(statusOf({}, { state: "exited", exit_code: 1, is_ignored: true }), "ok");
});
