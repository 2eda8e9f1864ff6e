import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { aboutContainer, aboutEndpoint, endpointAlert } from "../../../test/support/alerts.ts";
import type { Event, EventData } from "../../events.ts";
import { createRecent } from "./recent.ts";
import { severityOf } from "./signals.ts";
import { readEvent } from "./sources.ts";

const AT = "2026-03-01T12:00:00.000Z";
const STATE = {
  previous_state: "running",
  health: null,
  exit_code: null,
  oom_killed: false,
  stop_requested: false,
  error_detail: null,
} as const;

function heartbeat(of: Partial<EventData["heartbeat.created"]> = {}): EventData["heartbeat.created"] {
  return {
    id: 5,
    agent_id: null,
    name: "backup",
    alert_tags: ["nightly"],
    status: "down",
    previous_status: "up",
    reason: "deadline",
    previous_reason: null,
    failing_since: AT,
    last_ping_at: "2026-03-01T11:00:00.000Z",
    next_deadline_at: null,
    current_run_started_at: null,
    last_exit_code: null,
    last_duration_ms: null,
    timestamp: AT,
    ...of,
  };
}

function certificate(of: Partial<EventData["certificate.alert"]> = {}): EventData["certificate.alert"] {
  return {
    id: 9,
    agent_id: null,
    name: "shop.example",
    timestamp: AT,
    domain: "shop.example",
    port: 443,
    server_name: "shop.example",
    source: "endpoint",
    endpoint_id: 7,
    container_id: 42,
    status: "expiring",
    previous_status: "valid",
    message: null,
    expires_at: "2026-03-14T12:00:00.000Z",
    days_until_expiry: 13,
    labels: {},
    alert_severity: "critical",
    alert_channels: [],
    alert_tags: [],
    alert: "expiring",
    threshold_days: 14,
    ...of,
  };
}

function webhook(active: boolean): EventData["webhook.updated"] {
  return { id: 3, agent_id: null, name: "hook", event_types: ["*"], active, failure_count: 20, timestamp: AT };
}

const RESOURCE = { ...aboutContainer(), metric: "cpu", value: 93.4, threshold: 90, debounce_seconds: 60 } as const;
const LOOP = { ...aboutContainer(), severity: "warning", previous_severity: null, restarts: 4, threshold: 3, window_seconds: 600 } as const;
const HEALTH = { ...aboutContainer(), state: "running", previous_health: "healthy" } as const;

const LOST = {
  agent_id: null,
  runtime: "docker",
  lost: true,
  error: "there is no such socket",
  stopped: [],
  stopped_count: 0,
  back_at: null,
  since: "2026-03-01T12:00:00.000Z",
  timestamp: "2026-03-01T12:00:30.000Z",
};
const AGENT = {
  id: "0b9c54a0-0000-4000-8000-00000000000a",
  agent_id: "0b9c54a0-0000-4000-8000-00000000000a",
  name: "alpha",
  hostname: "ark",
  status: "active",
  connection_state: "disconnected",
  timestamp: AT,
} as const;
const FOUND = { type: "port_exposed_all_interfaces", key: "80/tcp", severity: "critical", acknowledged: false } as const;
const EXPOSED = {
  ...aboutContainer(),
  findings: [FOUND],
  severity: "critical",
  message: "web is exposed: port 80/tcp is open on all interfaces.",
  added: [],
  removed: [],
  renewed: false,
  over: false,
} as const;
const LOW = {
  agent_id: null,
  name: "This host",
  score: 54,
  previous_score: 82,
  threshold: 70,
  below: true,
  worst: ["web"],
  alert_tags: [],
  timestamp: "2026-03-01T12:00:30.000Z",
};
const REVOKED = {
  acknowledgment_id: 3,
  finding_type: FOUND.type,
  finding_key: FOUND.key,
  acknowledged_by: "Ada",
  reason: "public",
} as const;
const exposed = (of: Partial<EventData["security.insights_changed"]> = {}): Event => ({
  type: "security.insights_changed",
  data: { ...EXPOSED, findings: [...EXPOSED.findings], added: [], removed: [], ...of },
});
const UPDATE = {
  ...aboutContainer(),
  update_id: 42,
  status: "available",
  update_type: "minor",
  current_tag: "1.25",
  current_digest: null,
  available_tag: "1.27",
  available_digest: null,
  alerting: true,
  message: "web can be updated from 1.25 to 1.27 (minor).",
} as const;
const update = (of: Partial<EventData["update.detected"]> = {}): Event => ({ type: "update.detected", data: { ...UPDATE, ...of } });
const COMPARED = {
  ...aboutContainer(),
  comparison_id: 1,
  previous_image: "shop/web:1.25",
  changed_at: "2026-03-01T11:00:00.000Z",
  verdict: "worse",
  alerting: true,
  message: "web performs worse since its image changed: memory 310 MiB, was 180 MiB.",
} as const;
const DOWN = {
  ...aboutContainer(),
  down: true,
  state: "exited",
  exit_code: 137,
  oom_killed: false,
  stop_requested: false,
  error_detail: null,
  since: "2026-03-01T12:00:00.000Z",
} as const;

/** `raise critical endpoint/consecutive_failure endpoint:7 message` or `clear endpoint/consecutive_failure endpoint:7`. */
const ROWS: [event: Event, signals: string[]][] = [
  [
    { type: "container.restart_alert", data: LOOP },
    ["raise warning container/restart_loop container:42 web is crash-looping: 4 restarts in 10 min."],
  ],
  [
    { type: "container.restart_alert", data: { ...LOOP, severity: "critical" } },
    ["raise critical container/restart_loop container:42 web is crash-looping: 4 restarts in 10 min."],
  ],
  [{ type: "container.restart_alert", data: { ...LOOP, severity: null } }, ["clear container/restart_loop container:42"]],
  [
    { type: "container.health_changed", data: { ...HEALTH, health: "unhealthy" } },
    ["raise warning container/health_unhealthy container:42 web is unhealthy: health check failing."],
  ],
  [
    { type: "container.health_changed", data: { ...HEALTH, health: "unhealthy", labels: { "service.alert.severity": " Critical" } } },
    ["raise critical container/health_unhealthy container:42 web is unhealthy: health check failing."],
  ],
  [{ type: "container.health_changed", data: { ...HEALTH, health: "healthy" } }, ["clear container/health_unhealthy container:42"]],
  [{ type: "container.health_changed", data: { ...HEALTH, health: null } }, ["clear container/health_unhealthy container:42"]],
  [{ type: "container.health_changed", data: { ...HEALTH, state: "exited", health: null } }, []],
  [{ type: "container.health_changed", data: { ...HEALTH, health: "starting" } }, []],
  [{ type: "container.state_changed", data: { ...aboutContainer(), ...STATE, state: "exited" } }, []],
  [{ type: "container.state_changed", data: { ...aboutContainer(), ...STATE, state: "running" } }, ["clear container/down container:42"]],
  [
    { type: "runtime.lost", data: LOST },
    ["raise critical agent/runtime_lost host:local The container engine is unreachable: its containers are not monitored."],
  ],
  [{ type: "runtime.lost", data: { ...LOST, lost: false } }, ["clear agent/runtime_lost host:local"]],
  [
    { type: "runtime.lost", data: { ...LOST, agent_id: AGENT.id } },
    [`raise critical agent/runtime_lost agent:${AGENT.id} The container engine is unreachable: its containers are not monitored.`],
  ],
  [{ type: "runtime.lost", data: { ...LOST, agent_id: AGENT.id, lost: false } }, [`clear agent/runtime_lost agent:${AGENT.id}`]],
  [
    { type: "agent.disconnected", data: { ...AGENT, previous_connection_state: "connected", lost: true, since: AT } },
    [
      `raise warning agent/disconnected agent:${AGENT.id} alpha is disconnected: no data from its agent since 2026-03-01 12:00 UTC. ` +
        "Its containers are not monitored.",
    ],
  ],
  [{ type: "agent.disconnected", data: { ...AGENT, previous_connection_state: "connected", lost: false, since: AT } }, []],
  [
    { type: "agent.connected", data: { ...AGENT, previous_connection_state: "disconnected", lost: false, since: AT } },
    [`clear agent/disconnected agent:${AGENT.id}`],
  ],
  [
    { type: "agent.revoked", data: { ...AGENT, status: "revoked", previous_status: "active" } },
    [`clear agent/disconnected agent:${AGENT.id}`, `clear agent/runtime_lost agent:${AGENT.id}`],
  ],
  [{ type: "agent.deleted", data: AGENT }, [`clear agent/disconnected agent:${AGENT.id}`, `clear agent/runtime_lost agent:${AGENT.id}`]],
  [{ type: "agent.updated", data: { ...AGENT, previous_name: "a" } }, []],
  [exposed(), ["raise critical security/dangerous_configuration container:42 web is exposed: port 80/tcp is open on all interfaces."]],
  [
    exposed({ severity: "high", message: "web is exposed: it uses host network mode." }),
    ["raise warning security/dangerous_configuration container:42 web is exposed: it uses host network mode."],
  ],
  [
    exposed({ severity: "medium", labels: { "service.alert.severity": "critical" } }),
    ["raise info security/dangerous_configuration container:42 web is exposed: port 80/tcp is open on all interfaces."],
  ],
  [exposed({ findings: [], severity: null, message: null, over: true }), ["clear security/dangerous_configuration container:42"]],
  // It stopped a moment ago.
  [exposed({ findings: [], severity: null, message: null }), []],
  [
    { type: "security.posture_threshold", data: LOW },
    ["raise warning security/posture_threshold host:local The security posture of the local host is 54, below 70."],
  ],
  [{ type: "security.posture_threshold", data: { ...LOW, below: false, score: 82 } }, ["clear security/posture_threshold host:local"]],
  [update(), ["raise info update/available container:42 web can be updated from 1.25 to 1.27 (minor)."]],
  [
    update({ labels: { "service.alert.severity": "critical" }, message: null }),
    ["raise info update/available container:42 A newer image is available for web."],
  ],
  [update({ alerting: false }), ["clear update/available container:42"]],
  [{ type: "update.changed", data: { ...UPDATE, alerting: false, status: "pinned" } }, ["clear update/available container:42"]],
  [{ type: "update.changed", data: { ...UPDATE, alerting: false, status: "unknown" } }, []],
  [
    { type: "update.compared", data: COMPARED },
    ["raise warning update/regression container:42 web performs worse since its image changed: memory 310 MiB, was 180 MiB."],
  ],
  [{ type: "update.compared", data: { ...COMPARED, alerting: false } }, ["clear update/regression container:42"]],
  [exposed({ findings: [{ ...FOUND, acknowledged: true }], severity: null, message: null }), []],
  [
    exposed({ renewed: true }),
    [
      "clear security/dangerous_configuration container:42",
      "raise critical security/dangerous_configuration container:42 web is exposed: port 80/tcp is open on all interfaces.",
    ],
  ],
  [
    { type: "security.revoked", data: { ...EXPOSED, findings: [FOUND], ...REVOKED } },
    ["raise critical security/dangerous_configuration container:42 web is exposed: port 80/tcp is open on all interfaces."],
  ],
  [{ type: "security.acknowledged", data: { ...EXPOSED, findings: [FOUND], ...REVOKED } }, []],
  [{ type: "container.down", data: DOWN }, ["raise critical container/down container:42 web is down."]],
  [
    { type: "container.down", data: { ...DOWN, labels: { "service.alert.severity": "info" } } },
    ["raise info container/down container:42 web is down."],
  ],
  [{ type: "container.down", data: { ...DOWN, down: false } }, ["clear container/down container:42"]],
  [
    { type: "container.removed", data: aboutContainer() },
    [
      "clear container/down container:42",
      "clear container/restart_loop container:42",
      "clear container/health_unhealthy container:42",
      "clear resource/cpu_threshold container:42",
      "clear resource/memory_threshold container:42",
      "clear update/available container:42",
      "clear update/regression container:42",
    ],
  ],
  [
    { type: "endpoint.alert", data: endpointAlert() },
    ["raise critical endpoint/consecutive_failure endpoint:7 shop failed 3 checks in a row: Connection refused."],
  ],
  [
    { type: "endpoint.alert", data: endpointAlert({ error: null, alert_severity: "info" }) },
    ["raise info endpoint/consecutive_failure endpoint:7 shop failed 3 checks in a row."],
  ],
  [
    { type: "endpoint.recovery", data: { ...aboutEndpoint(), previous_status: "down", reason: "recovered" } },
    ["clear endpoint/consecutive_failure endpoint:7"],
  ],
  [{ type: "endpoint.removed", data: aboutEndpoint() }, ["clear endpoint/consecutive_failure endpoint:7"]],
  [
    { type: "heartbeat.deadline_missed", data: { ...heartbeat(), deadline_at: AT } },
    ["raise critical heartbeat/deadline_missed heartbeat:5 backup did not report in time."],
  ],
  [
    {
      type: "heartbeat.pinged",
      data: { ...heartbeat({ reason: "exit_code", last_exit_code: 3 }), heartbeat_id: 5, kind: "exit_code", exit_code: 3 },
    },
    ["raise critical heartbeat/deadline_missed heartbeat:5 backup ended with exit code 3."],
  ],
  [
    { type: "heartbeat.updated", data: { ...heartbeat({ reason: "timeout" }), change: "timed_out" } },
    ["raise critical heartbeat/deadline_missed heartbeat:5 backup exceeded its max runtime."],
  ],
  [
    { type: "heartbeat.updated", data: { ...heartbeat({ reason: "fail" }), change: "edited" } },
    ["raise critical heartbeat/deadline_missed heartbeat:5 backup reported a failure."],
  ],
  [
    { type: "heartbeat.updated", data: { ...heartbeat({ reason: null, status: "paused" }), change: "paused" } },
    ["clear heartbeat/deadline_missed heartbeat:5"],
  ],
  [{ type: "heartbeat.deleted", data: heartbeat() }, ["clear heartbeat/deadline_missed heartbeat:5"]],
  [
    { type: "webhook.disabled", data: { ...webhook(false), reason: "20 deliveries in a row failed." } },
    [
      "raise warning webhook/disabled webhook:3 The webhook subscription hook was disabled after repeated failures. Nothing is sent until it is enabled again.",
    ],
  ],
  [{ type: "webhook.updated", data: webhook(true) }, ["clear webhook/disabled webhook:3"]],
  [{ type: "webhook.updated", data: webhook(false) }, []],
  [{ type: "webhook.deleted", data: webhook(false) }, ["clear webhook/disabled webhook:3"]],
  [
    { type: "certificate.alert", data: certificate() },
    ["raise critical certificate/expiring certificate:9 The certificate of shop.example expires in 13 days, on 2026-03-14."],
  ],
  [
    { type: "certificate.alert", data: certificate({ alert: "expired", threshold_days: null }) },
    ["raise critical certificate/expired certificate:9 The certificate of shop.example is expired, on 2026-03-14."],
  ],
  [
    { type: "certificate.alert", data: certificate({ alert: "chain_invalid", message: "The issuer is unknown." }) },
    ["raise critical certificate/chain_invalid certificate:9 The certificate of shop.example is not trusted: The issuer is unknown."],
  ],
  [
    { type: "certificate.alert", data: certificate({ alert: "unreachable", threshold_days: null }) },
    ["raise warning certificate/unreachable certificate:9 The certificate of shop.example has been unreachable for 10 minutes."],
  ],
  [
    { type: "certificate.recovery", data: { ...certificate(), alert: "expired", reason: "renewed" } },
    ["clear certificate/expired certificate:9"],
  ],
  [
    { type: "certificate.deleted", data: certificate() },
    [
      "clear certificate/expiring certificate:9",
      "clear certificate/expired certificate:9",
      "clear certificate/chain_invalid certificate:9",
      "clear certificate/unreachable certificate:9",
    ],
  ],
  [
    { type: "resource.alert", data: RESOURCE },
    ["raise warning resource/cpu_threshold container:42 CPU of web: 93 %, above 90 % for 60 s."],
  ],
  [
    { type: "resource.recovery", data: { ...RESOURCE, metric: "memory", reason: "below_threshold" } },
    ["clear resource/memory_threshold container:42"],
  ],
  [{ type: "container.updated", data: aboutContainer() }, []],
];

describe("what events say of problems", () => {
  for (const [event, expected] of ROWS) {
    it(`${event.type}: ${expected[0] ?? "nothing"}`, () => {
      const signals = readEvent(event, createRecent()).map((signal) => {
        const { source, event: name, entity } = signal.kind === "raise" ? signal.problem : signal.key;
        const key = `${source}/${name} ${entity.type}:${entity.id}`;
        return signal.kind === "raise" ? `raise ${signal.problem.severity} ${key} ${signal.problem.message}` : `clear ${key}`;
      });
      assert.deepEqual(signals, expected);
    });
  }

  it("nothing that makes a message of many lines, or a long one", () => {
    const [signal] = readEvent(
      { type: "endpoint.alert", data: endpointAlert({ error: `a\nb\u202e${"x".repeat(5_000)}` }) },
      createRecent(),
    );
    assert.ok(signal?.kind === "raise");
    assert.ok(signal.problem.message.length <= 1_000);
    assert.doesNotMatch(signal.problem.message, /[\n\u202e]/);
  });

  it("what a problem depends on, the nearest first", () => {
    const parents = (event: Event): unknown => {
      const [signal] = readEvent(event, createRecent());
      return signal?.kind === "raise" ? signal.problem.parents.map(({ type, id }) => `${type}:${id}`) : undefined;
    };
    assert.deepEqual(parents({ type: "endpoint.alert", data: endpointAlert() }), ["container:42", "host:local"]);
    assert.deepEqual(parents({ type: "endpoint.alert", data: endpointAlert({ container_id: null }) }), []);
    assert.deepEqual(parents({ type: "certificate.alert", data: certificate() }), ["endpoint:7", "container:42", "host:local"]);
    assert.deepEqual(parents({ type: "resource.alert", data: RESOURCE }), ["container:42", "host:local"]);
    assert.deepEqual(parents({ type: "heartbeat.deadline_missed", data: { ...heartbeat(), deadline_at: AT } }), []);
  });

  it("a label that is none of the severities does not count", () => {
    assert.equal(severityOf({ "service.alert.severity": "loud" }, "critical"), "critical");
    assert.equal(severityOf({}, "critical"), "critical");
    assert.equal(severityOf({ "service.alert.severity": "info" }, "critical"), "info");
  });
});
