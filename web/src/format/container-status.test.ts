import assert from "node:assert/strict";
import { test } from "node:test";
import { containerStatus, needsAttention, statusPhrase } from "./container-status.ts";
import type { StatusFacts } from "./status-facts.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const ago = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();

function facts(parts: Partial<StatusFacts>): StatusFacts {
  return {
    state: "running",
    health: null,
    exit_code: null,
    oom_killed: false,
    stop_requested: false,
    error_detail: null,
    restart_loop: null,
    last_state_change_at: ago(12),
    finished_at: null,
    archived_at: null,
    runtime: "docker",
    unit: null,
    ...parts,
  };
}

const loop = (severity: "warning" | "critical") => ({ severity, restarts: 4, since: ago(8) });

const CASES: [Partial<StatusFacts>, string, string][] = [
  [{}, "ok", "Running · 12 min"],
  [{ health: "healthy" }, "ok", "Running · healthy 12 min"],
  [{ health: "starting" }, "idle", "Running · health check starting"],
  [{ health: "unhealthy" }, "degraded", "Running · unhealthy 12 min"],
  [{ restart_loop: loop("warning") }, "degraded", "Crash-looping · 4 restarts in 10 min"],
  [{ restart_loop: loop("critical"), oom_killed: true }, "down", "Crash-looping · 4 restarts in 10 min, OOM killed"],
  [{ state: "restarting", exit_code: 137, oom_killed: true }, "down", "Restarting · OOM killed"],
  [{ state: "restarting", exit_code: 3, restart_loop: loop("warning") }, "degraded", "Crash-looping · exit 3"],
  [{ state: "restarting", exit_code: 3, restart_loop: loop("critical") }, "down", "Crash-looping · exit 3"],
  [{ state: "restarting", exit_code: 3 }, "down", "Restarting · exit 3"],
  [{ state: "exited", exit_code: 137, oom_killed: true, finished_at: ago(2) }, "down", "Exited 137 · OOM killed, 2 min ago"],
  [{ state: "exited", exit_code: 137 }, "down", "Exited 137 · killed (SIGKILL), 12 min ago"],
  [{ state: "exited", exit_code: 1 }, "down", "Exited 1 · 12 min ago"],
  [{ state: "exited", exit_code: 127, error_detail: "exec: no such file" }, "down", "Exited 127 · exec: no such file, 12 min ago"],
  [{ state: "exited" }, "down", "Exited · 12 min ago"],
  [{ state: "completed", exit_code: 0, finished_at: ago(22 * 60) }, "idle", "Completed · exit 0, 22 h ago"],
  [{ state: "exited", exit_code: 143, stop_requested: true }, "idle", "Stopped · on request, exit 143, 12 min ago"],
  [{ state: "exited", exit_code: 0, stop_requested: true }, "idle", "Stopped · on request, 12 min ago"],
  [{ state: "paused" }, "idle", "Paused · 12 min"],
  [{ state: "created" }, "idle", "Created · not started, 12 min ago"],
  [{ state: "created", error_detail: "port is already allocated" }, "down", "Not started · port is already allocated, 12 min ago"],
  [{ state: "dead" }, "down", "Dead · removal failed, 12 min ago"],
  [{ state: "exited", exit_code: 1, archived_at: ago(3) }, "idle", "Removed · 3 min ago"],
];

const WORKLOAD = { runtime: "kubernetes", unit: "Deployment/web" } as const;
const BACK_OFF = "ImagePullBackOff: Back-off pulling image";

const WORKLOAD_CASES: typeof CASES = [
  [{ health: "healthy" }, "ok", "Running · 12 min"],
  [{ health: "starting" }, "maintenance", "Rolling out"],
  [{ health: "unhealthy" }, "degraded", "Degraded · not all pods ready 12 min"],
  [{ health: "unhealthy", error_detail: BACK_OFF }, "degraded", `Degraded · ${BACK_OFF}, 12 min ago`],
  [{ restart_loop: loop("warning"), health: "unhealthy" }, "degraded", "Crash-looping · 4 restarts in 10 min"],
  [{ state: "restarting", exit_code: 3 }, "down", "Crash-looping · exit 3"],
  [{ state: "restarting", restart_loop: loop("critical"), oom_killed: true }, "down", "Crash-looping · 4 restarts in 10 min, OOM killed"],
  [{ state: "exited", error_detail: BACK_OFF }, "down", `Down · ${BACK_OFF}, 12 min ago`],
  [{ state: "exited", exit_code: 1, unit: "Job/migrate" }, "down", "Failed · exit 1, 12 min ago"],
  [{ state: "exited", exit_code: 0, stop_requested: true }, "idle", "Scaled to zero · 12 min"],
  [{ state: "completed", exit_code: 0, finished_at: ago(22 * 60), unit: "Job/migrate" }, "idle", "Completed · 22 h ago"],
  [{ state: "paused", unit: "CronJob/report" }, "idle", "Suspended · 12 min"],
  [{ state: "created" }, "idle", "Pending · 12 min"],
  [{ state: "exited", archived_at: ago(3) }, "idle", "Removed · 3 min ago"],
];

const ALL_CASES = [...CASES, ...WORKLOAD_CASES.map(([parts, ...shown]) => [{ ...WORKLOAD, ...parts }, ...shown] as const)];
for (const [parts, status, phrase] of ALL_CASES) {
  test(`${phrase} is ${status}`, () => {
    const shown = containerStatus(facts(parts));
    assert.equal(shown.status, status);
    assert.equal(statusPhrase(shown, NOW), phrase);
  });
}

test("what is down or degraded needs attention, unless it is ignored", () => {
  assert.equal(needsAttention({ ...facts({ health: "unhealthy" }), is_ignored: false }), true);
  assert.equal(needsAttention({ ...facts({ health: "unhealthy" }), is_ignored: true }), false);
  assert.equal(needsAttention({ ...facts({ state: "completed", exit_code: 0 }), is_ignored: false }), false);
  assert.equal(needsAttention({ ...facts({ state: "exited", exit_code: 137, stop_requested: true }), is_ignored: false }), false);
});
