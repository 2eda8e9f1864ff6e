import assert from "node:assert/strict";
import { it } from "node:test";
import type { MomentContainer } from "../../../src/publishing/overview/moment/answers.ts";
import { pastStatus } from "./status.ts";

const AT = "2026-11-27T09:00:00.000Z";

const container = (facts: Partial<MomentContainer>): MomentContainer => ({
  ...{ id: 1, agent_id: null, name: "web", group: "shop", image: "web:1", status: "up", state: "running", health: null },
  ...{ since: AT, exit_code: null, oom_killed: false, stop_requested: false, removed_at: null },
  ...facts,
});

for (const [what, facts, expected] of [
  ["runs", {}, ["ok", "Running", undefined]],
  ["is unhealthy", { status: "degraded", health: "unhealthy" }, ["degraded", "Running", "unhealthy"]],
  ["was killed", { status: "down", state: "exited", exit_code: 137, oom_killed: true }, ["down", "Exited 137", "OOM killed"]],
  ["was paused", { status: "stopped", state: "paused" }, ["idle", "Paused", undefined]],
  ["was paused when it was seen last", { status: "unknown", state: "paused" }, ["idle", "Not monitored", "last seen paused"]],
  ["was not monitored", { status: "unknown" }, ["idle", "Not monitored", "last seen running"]],
] as const)
  it(`says of a container that it ${what}`, () => {
    const { status, word, cause } = pastStatus(container(facts), AT);
    assert.deepEqual([status, word, cause], expected);
  });
