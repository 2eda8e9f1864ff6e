/** The production build on a machine whose clock is set while it runs. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AlertList } from "../../src/alerting/alerts/answers.ts";
import type { HeartbeatRecord } from "../../src/monitoring/heartbeats/answers.ts";
import { startProgram } from "../support/program.ts";
import { createSettableClock } from "../support/set-clock.ts";
import { until } from "../support/until.ts";

const HOUR = 3_600;
/** Longer than between two looks at the clock. */
const JUDGED_MS = 2_500;

describe("a clock that is set", () => {
  for (const [way, ahead] of [
    ["forward by an hour", HOUR],
    ["back by an hour", -HOUR],
  ] as const) {
    it(`${way} calls no job late that reports in time`, async (t) => {
      const clock = createSettableClock();
      const program = await startProgram({ env: { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock", ...clock.env } });
      t.after(() => program.kill());
      const body = JSON.stringify({ name: "backup", interval_seconds: 60, grace_seconds: 0 });
      const made = await fetch(`${program.url}/api/v1/heartbeats`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      const { id, uuid } = (await made.json()) as HeartbeatRecord;
      const heartbeat = async () => (await program.get<{ heartbeat: HeartbeatRecord }>(`/api/v1/heartbeats/${id}`)).heartbeat;
      await fetch(`${program.url}/ping/${uuid}`);

      await clock.set(ahead);
      await fetch(`${program.url}/ping/${uuid}`);
      const setAt = performance.now();
      await until(
        async () => {
          assert.equal((await heartbeat()).status, "up");
          return performance.now() - setAt > JUDGED_MS;
        },
        { everyMs: 100 },
      );
      const { headers } = await fetch(`${program.url}/api/v1/health`);
      const aheadMs = Date.parse(headers.get("date") ?? "") - Date.now();
      assert.ok(Math.abs(aheadMs - ahead * 1000) < 60_000, `the clock of the program is ${aheadMs} ms ahead`);
      assert.deepEqual((await program.get<AlertList>("/api/v1/alerts")).alerts, []);
    });
  }
});
