import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContainerRecord } from "../../../../../src/monitoring/containers/api.ts";
import { headline } from "./headline.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const ago = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();

const RUNNING: ContainerRecord = {
  id: 1,
  agent_id: null,
  external_id: "a".repeat(64),
  generation: 1,
  recreated_at: null,
  name: "api",
  image: "api:1",
  image_digest: null,
  state: "running",
  health: null,
  exit_code: null,
  oom_killed: false,
  stop_requested: false,
  error_detail: null,
  group: "shop",
  group_source: "compose",
  unit: null,
  is_ignored: false,
  restart_count: 0,
  restart_threshold: 3,
  restart_loop: null,
  alert_severity: "warning",
  alert_channels: [],
  alert_tags: [],
  label_errors: [],
  ports: [],
  network_mode: null,
  privileged: false,
  labels: {},
  runtime: "docker",
  created_at: ago(10_000),
  started_at: ago(76 * 60),
  finished_at: null,
  first_seen_at: ago(10_000),
  last_state_change_at: ago(12),
  archived_at: null,
  resources: null,
  uptime_24h: 100,
};

const cases: [Partial<ContainerRecord>, string, string][] = [
  [{}, "Running for 3 d 4 h.", ""],
  [{ health: "healthy", restart_count: 1 }, "Running for 3 d 4 h, healthy.", "1 restart by policy since creation."],
  [{ health: "unhealthy" }, "Unhealthy for 12 min.", "Running for 3 d 4 h."],
  [{ health: "starting", started_at: ago(1) }, "Health check starting, running for 1 min.", ""],
  [
    {
      restart_loop: { severity: "critical", restarts: 4, since: ago(8) },
      exit_code: 137,
      oom_killed: true,
      restart_count: 14,
      started_at: ago(0.5),
    },
    "Crash-looping: 4 restarts within 10 minutes. Last time it was OOM killed (exit 137).",
    "Running for 30 s. 14 restarts by policy since creation.",
  ],
  [{ state: "restarting", exit_code: 3 }, "It exited with code 3. The restart policy starts it again.", ""],
  [
    { state: "exited", exit_code: 137, oom_killed: true, started_at: ago(14), finished_at: ago(2) },
    "Exited 137: OOM killed, 2 min ago.",
    "Ran for 12 min.",
  ],
  [{ state: "exited", exit_code: 137 }, "Exited 137: killed (SIGKILL), 12 min ago.", ""],
  [{ state: "exited", exit_code: 1 }, "Exited with code 1, 12 min ago.", ""],
  [
    { state: "exited", exit_code: 127, error_detail: "exec: no such file." },
    "Exited 127: command not found, 12 min ago.",
    "Runtime error: exec: no such file.",
  ],
  [{ state: "completed", exit_code: 0, finished_at: ago(22 * 60) }, "Completed with exit code 0, 22 h ago.", "Ran for 2 d 6 h."],
  [{ state: "exited", exit_code: 143, stop_requested: true }, "Stopped by request (exit 143), 12 min ago.", ""],
  [{ state: "exited", exit_code: 0, stop_requested: true }, "Stopped by request (exit 0), 12 min ago.", ""],
  [{ state: "paused" }, "Paused for 12 min.", ""],
  [
    { state: "created", created_at: ago(3), error_detail: "port is already allocated" },
    "Created 3 min ago, could not start.",
    "Runtime error: port is already allocated.",
  ],
  [{ state: "dead" }, "Dead: removal failed, 12 min ago.", ""],
  [{ archived_at: ago(3 * 24 * 60) }, "Removed 3 d ago.", "History is kept until 18 Dec. Logs were removed with the container."],
];
for (const [facts, what, detail] of cases) {
  test(what, () => assert.deepEqual(headline({ ...RUNNING, ...facts }, NOW), { what, detail }));
}

const BACK_OFF = "ImagePullBackOff: Back-off pulling image";
const workloadCases: typeof cases = [
  [{ health: "healthy" }, "Running for 3 d 4 h, all pods ready.", ""],
  [{ health: "unhealthy", error_detail: BACK_OFF }, "Not all pods are ready, for 12 min.", `${BACK_OFF}.`],
  [{ health: "starting" }, "Rolling out: not all pods are ready yet.", ""],
  [
    { state: "restarting", exit_code: 3, restart_count: 4 },
    "Crash-looping: no pod is ready. A container ended with exit code 3.",
    "4 container restarts in its pods.",
  ],
  [
    { state: "restarting", oom_killed: true, restart_loop: { severity: "critical", restarts: 4, since: ago(8) } },
    "Crash-looping: 4 restarts within 10 minutes. A container was OOM killed.",
    "",
  ],
  [{ state: "exited", error_detail: BACK_OFF }, "No pod is ready.", `${BACK_OFF}.`],
  [{ state: "exited", exit_code: 0, stop_requested: true }, "Scaled to zero 12 min ago.", ""],
  [
    { state: "exited", exit_code: 1, unit: "Job/migrate", finished_at: ago(2) },
    "Failed 2 min ago. A container ended with exit code 1.",
    "",
  ],
  [{ state: "completed", exit_code: 0, unit: "Job/migrate", finished_at: ago(2) }, "Completed 2 min ago.", ""],
  [{ state: "paused", unit: "CronJob/report" }, "Suspended for 12 min.", ""],
  [{ state: "created", unit: "CronJob/report" }, "Has not run yet.", ""],
  [{ state: "created" }, "No pod is running yet.", ""],
  [{ archived_at: ago(3 * 24 * 60) }, "Removed 3 d ago.", "History is kept until 18 Dec. Logs were removed with its pods."],
];
for (const [facts, what, detail] of workloadCases) {
  test(`of a workload: ${what}`, () => {
    assert.deepEqual(headline({ ...RUNNING, runtime: "kubernetes", unit: "Deployment/web", ...facts }, NOW), { what, detail });
  });
}
