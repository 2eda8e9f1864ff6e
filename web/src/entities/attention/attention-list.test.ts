import assert from "node:assert/strict";
import { test } from "node:test";
import { containerRecord } from "../containers/record.fixture.ts";
import { alertRecord } from "../alerts/record.fixture.ts";
import { certificateRecord } from "../certificates/record.fixture.ts";
import { endpointRecord } from "../endpoints/record.fixture.ts";
import { heartbeatRecord } from "../heartbeats/record.fixture.ts";
import { attentionList } from "./attention-list.ts";
import { stateSummary } from "./state-words.ts";
import type { Watched } from "./watched.ts";

const SEEN = { isStale: false, isOffline: false, isPartial: false, isUnseen: () => false, unknownHosts: [] };

function watched(parts: Partial<Watched> = {}): Watched {
  return { groups: [], containers: [], endpoints: [], heartbeats: [], certificates: [], ...parts };
}

function summary(parts: Partial<Watched>, alerts: Parameters<typeof attentionList>[1] = []): ReturnType<typeof stateSummary> {
  const all = watched(parts);
  return stateSummary(all, attentionList(all, alerts), SEEN);
}

const loop = { severity: "warning", restarts: 4, since: "2026-11-21T03:50:00.000Z" } as const;

test("a workload of Kubernetes with an alert is one row, and is not counted as healthy", () => {
  const row = (id: number, state: "running" | "exited") =>
    containerRecord({ id, runtime: "kubernetes", external_id: `workload-${id}`, state, exit_code: null });
  const alert = alertRecord({ source: "kubernetes", event: "crash_loop", entity_type: "kubernetes_workload", entity_id: "workload-1" });
  assert.deepEqual(
    attentionList(watched({ containers: [row(1, "exited"), row(2, "exited")] }), [alert]).map(({ type, id }) => `${type} ${id}`),
    ["container 2", "kubernetes_workload workload-1"],
  );
  assert.deepEqual(summary({ containers: [row(1, "running"), row(2, "running")] }, [alert]), {
    headline: "1 workload needs attention",
    rest: "Everything else is healthy: 1 container running.",
  });
});

test("what needs attention is described in two sentences", () => {
  const cases: [Parameters<typeof containerRecord>[0], string, string][] = [
    [{ state: "exited", exit_code: 137, oom_killed: true }, "exited with code 137", "OOM killed."],
    [{ state: "exited", exit_code: 127 }, "exited with code 127", "Command not found."],
    [{ state: "exited", exit_code: 1, restart_count: 5 }, "exited with code 1", "5 restarts since creation."],
    [{ state: "exited", exit_code: 1 }, "exited with code 1", ""],
    [{ health: "unhealthy" }, "is unhealthy", "Health check failing."],
    [{ state: "restarting", exit_code: 3 }, "is restarting", "Exit 3."],
    [{ state: "restarting", exit_code: 1, restart_loop: loop }, "is crash-looping", "4 restarts in 10 minutes. Last exit code 1."],
    [{ state: "running", oom_killed: true, restart_loop: loop }, "is crash-looping", "OOM killed. 4 restarts in 10 minutes."],
    [{ state: "created", error_detail: "port is already allocated" }, "could not start", "Port is already allocated."],
  ];
  for (const [parts, what, why] of cases) {
    const [first] = attentionList(watched({ containers: [containerRecord(parts)] }));
    assert.deepEqual([first?.what, first?.why], [what, why]);
  }
});

test("the worst come first, then the latest", () => {
  const containers = [
    containerRecord({ id: 1, name: "a", health: "unhealthy", last_state_change_at: "2026-11-21T04:09:00.000Z" }),
    containerRecord({ id: 2, name: "b", state: "exited", exit_code: 1, last_state_change_at: "2026-11-21T04:01:00.000Z" }),
    containerRecord({ id: 3, name: "c", state: "exited", exit_code: 1, last_state_change_at: "2026-11-21T04:02:00.000Z" }),
    containerRecord({ id: 4, name: "d" }),
  ];
  assert.deepEqual(
    attentionList(watched({ containers })).map(({ name }) => name),
    ["c", "b", "a"],
  );
});

test("a container with an alert is not among those that are well, though it runs", () => {
  const exposed = containerRecord({ id: 1 });
  const alert = alertRecord({ entity_id: "1" });
  const headline = "1 container needs attention";
  assert.deepEqual(summary({ containers: [exposed] }, [alert]), { headline, rest: "" });
  assert.deepEqual(summary({ containers: [exposed, containerRecord({ id: 2 })] }, [alert]), {
    headline,
    rest: "Everything else is healthy: 1 container running.",
  });
});

test("the state of everything is one sentence", () => {
  const well = containerRecord();
  const done = containerRecord({ id: 1002, state: "completed", exit_code: 0 });
  const down = containerRecord({ id: 1003, state: "exited", exit_code: 1 });
  assert.deepEqual(summary({ containers: [well, well, done] }), {
    headline: "Everything is healthy: 2 containers running",
    rest: "Also: 1 completed.",
  });
  const stopped = containerRecord({ id: 1004, state: "exited", exit_code: 143, stop_requested: true });
  assert.equal(summary({ containers: [well, stopped] }).rest, "Also: 1 stopped.");
  assert.deepEqual(summary({ containers: [well] }), { headline: "Everything is healthy: 1 container running", rest: "" });
  assert.deepEqual(summary({ containers: [well, down, done] }), {
    headline: "1 container needs attention",
    rest: "Everything else is healthy: 1 container running, 1 completed.",
  });
  assert.deepEqual(summary({ containers: [down, { ...down, id: 9 }] }), { headline: "2 containers need attention", rest: "" });
});

test("checks are listed with containers", () => {
  const endpoints = [endpointRecord({ id: 1, status: "down", last_error: "connection refused" }), endpointRecord({ id: 2 })];
  const heartbeats = [heartbeatRecord({ id: 1, status: "down", reason: "exit_code", last_exit_code: 137 }), heartbeatRecord({ id: 2 })];
  const certificates = [certificateRecord({ id: 1, status: "expiring", days_until_expiry: 6 }), certificateRecord({ id: 2 })];
  const all = watched({ containers: [containerRecord()], endpoints, heartbeats, certificates });
  assert.deepEqual(
    attentionList(all)
      .map(({ type, what, why }) => [type, what, why])
      .toSorted(([one = ""], [other = ""]) => one.localeCompare(other)),
    [
      ["certificate", "has a certificate with 6 days left", ""],
      ["endpoint", "is down", "Connection refused."],
      ["heartbeat", "failed with exit code 137", "Killed (SIGKILL)."],
    ],
  );
  assert.deepEqual(summary(all), {
    headline: "1 endpoint, 1 heartbeat and 1 certificate need attention",
    rest: "Everything else is healthy: 1 container running, 1 endpoint up, 1 heartbeat on time, 1 certificate valid.",
  });
});

test("an endpoint and its certificate show one problem once", () => {
  const endpoint = endpointRecord({ id: 7, status: "degraded", status_reason: "certificate_untrusted" });
  const certificate = certificateRecord({ id: 3, endpoint_id: 7, status: "chain_invalid" });
  const types = (parts: Partial<Watched>) => attentionList(watched(parts)).map(({ type }) => type);
  assert.deepEqual(types({ endpoints: [endpoint], certificates: [certificate] }), ["certificate"]);
  assert.deepEqual(types({ endpoints: [endpoint] }), ["endpoint"]);
  assert.deepEqual(types({ endpoints: [{ ...endpoint, status: "down" }], certificates: [{ ...certificate, status: "unreachable" }] }), [
    "endpoint",
  ]);
});

test("what has an alert is shown by that; what is acknowledged comes last and is not counted", () => {
  const containers = [containerRecord({ id: 1, state: "exited", exit_code: 1 }), containerRecord({ id: 2, health: "unhealthy" })];
  const alerts = [
    alertRecord({ id: 8, entity_id: "1", acknowledged_at: "2026-11-21T04:05:00.000Z", acknowledged_by: "Ada" }),
    alertRecord({ id: 9, entity_id: "5", severity: "info" }),
  ];
  const list = attentionList(watched({ containers }), alerts);
  assert.deepEqual(
    list.map(({ type, id, alert, isSettled }) => [type, id, alert?.id, isSettled]),
    [
      ["container", "2", undefined, false],
      ["container", "5", 9, false],
      ["container", "1", 8, true],
    ],
  );
  assert.equal(summary({ containers }, alerts).headline, "1 container needs attention");
  assert.match(summary({ containers: [containers[0] ?? containerRecord()] }, alerts).rest, /^1 acknowledged or silenced/);
});

test("posture is no trouble, and a notice is listed without being counted", () => {
  const alerts = [
    alertRecord({ id: 1, source: "security", event: "dangerous_configuration", severity: "critical", entity_id: "1" }),
    alertRecord({ id: 2, source: "update", event: "available", severity: "info", entity_id: "1" }),
    alertRecord({ id: 3, severity: "info", entity_id: "2" }),
  ];
  const containers = [containerRecord({ id: 1 }), containerRecord({ id: 2 })];
  const list = attentionList(watched({ containers }), alerts);
  assert.deepEqual(
    list.map(({ alert, impact, status }) => [alert?.id, impact, status]),
    [[3, "notice", "idle"]],
  );
  assert.equal(summary({ containers }, alerts).headline, "Everything is healthy: 2 containers running");
});

test("what is not seen is not shown as healthy", () => {
  const there = { agent_id: "a" };
  const all = watched({
    containers: [
      containerRecord({ id: 1 }),
      containerRecord({ id: 2, ...there }),
      containerRecord({ id: 3, ...there, state: "exited", exit_code: 1 }),
    ],
    endpoints: [endpointRecord({ id: 4, ...there })],
  });
  const sight = { ...SEEN, isUnseen: (_type: string, agentId: string | null) => agentId === "a" };
  assert.deepEqual(stateSummary(all, [], sight), {
    headline: "Everything seen is healthy: 1 container running",
    rest: "Not seen: 2 containers, 1 endpoint.",
  });
  assert.deepEqual(stateSummary(all, attentionList(all), sight), {
    headline: "1 container needs attention",
    rest: "Everything else is healthy: 1 container running. Not seen: 2 containers, 1 endpoint.",
  });
  // When everything is from before, all of it is shown, and that it is from before.
  assert.equal(
    stateSummary(all, [], { ...sight, isOffline: true }).headline,
    "When last seen: everything is healthy: 2 containers running",
  );
});

test("endpoints that are not observed are not called healthy", () => {
  const containers = [containerRecord({ id: 1 })];
  const away = endpointRecord({ id: 2, last_check_at: "2026-11-21T10:00:00.000Z", last_error: "This host has no network." });
  const unknown = endpointRecord({ id: 3, status: "unknown", status_reason: "not_checked_yet" });
  const paused = endpointRecord({ id: 4, status: "unknown", status_reason: "paused", paused: true });
  assert.deepEqual(summary({ containers, endpoints: [endpointRecord(), away, unknown, paused] }), {
    headline: "Everything seen is healthy: 1 container running",
    rest: "Also: 1 endpoint up. Not seen: 2 endpoints.",
  });
  assert.deepEqual(summary({ endpoints: [away] }), { headline: "Nothing seen needs attention", rest: "Not seen: 1 endpoint." });
  assert.equal(summary({ containers, endpoints: [paused] }).headline, "Everything is healthy: 1 container running");
});

test("what is not loaded yet is not called healthy", () => {
  const part = { ...SEEN, isPartial: true };
  const well = watched({ containers: [containerRecord({ id: 1 })] });
  assert.equal(stateSummary(well, [], part).headline, "Loaded data is healthy");
  const failing = watched({ containers: [...well.containers, containerRecord({ id: 2, state: "exited", exit_code: 1 })] });
  assert.deepEqual(stateSummary(failing, attentionList(failing), part), {
    headline: "1 container needs attention",
    rest: "Everything else loaded is healthy: 1 container running.",
  });
});

test("a host that was never seen is shown as unknown", () => {
  const blind = { ...SEEN, isStale: true, isUnseen: (type: string) => type === "container", unknownHosts: ["Local"] };
  const endpoints = [endpointRecord({ id: 1 })];
  assert.deepEqual(stateSummary(watched({ endpoints }), [], blind), {
    headline: "Container state unknown",
    rest: "Everything else seen is healthy: 1 endpoint up.",
  });
  const away = endpointRecord({ id: 3, last_check_at: "2026-11-21T10:00:00.000Z" });
  assert.equal(
    stateSummary(watched({ endpoints: [...endpoints, away] }), [], blind).rest,
    "Everything else seen is healthy: 1 endpoint up. Not seen: 1 endpoint.",
  );
  const failing = watched({ endpoints: [...endpoints, endpointRecord({ id: 2, status: "down" })] });
  assert.deepEqual(stateSummary(failing, attentionList(failing), blind), {
    headline: "1 endpoint needs attention",
    rest: "Everything else seen is healthy: 1 endpoint up. Container state is unknown.",
  });
  const seen = watched({ containers: [containerRecord()], endpoints });
  assert.deepEqual(stateSummary(seen, [], { ...SEEN, unknownHosts: ["web-2"] }), {
    headline: "Everything seen is healthy: 1 container running",
    rest: "Also: 1 endpoint up. No containers seen yet on web-2.",
  });
});
