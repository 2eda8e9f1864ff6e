import type { ShownAlert, TraceStage } from "../../src/alerting/alerts/answers.ts";
import type { DeliveryRecord } from "../../src/alerting/deliveries/answers.ts";
import type { TransitionRecord } from "../../src/monitoring/containers/answers.ts";
import type { CheckRecord, EndpointRecord } from "../../src/monitoring/endpoints/answers.ts";
import type { ExecutionRecord, HeartbeatRecord } from "../../src/monitoring/heartbeats/answers.ts";
import type { AlertFacts } from "../../src/publishing/assistant/explain/facts.ts";

const RAISED = Date.parse("2026-03-01T12:00:00Z");
/** So many seconds after the alert. */
export const at = (seconds: number): string => new Date(RAISED + seconds * 1000).toISOString();

/** An alert on container 5 at noon. */
export function alertOf(facts: Partial<ShownAlert> = {}): ShownAlert {
  return {
    id: 7,
    agent_id: null,
    source: "container",
    event: "down",
    severity: "critical",
    status: "active",
    message: "web is down.",
    cause: "it was killed",
    entity_type: "container",
    entity_id: "5",
    entity_name: "web",
    labels: {},
    tags: [],
    details: {},
    suppressed_by: null,
    fired_at: at(0),
    last_raised_at: at(0),
    acknowledged_at: null,
    acknowledged_by: null,
    acknowledged_note: null,
    resolved_at: null,
    resolved_by: null,
    resolution: null,
    not_seen_since: null,
    silenced_until: null,
    url: "https://watch.example/alerts/7",
    ...facts,
  };
}

/** An end of the container, so many seconds after the alert. */
export function step(id: number, seconds: number, facts: Partial<TransitionRecord> = {}): TransitionRecord {
  return {
    id,
    container_id: 5,
    previous_state: "running",
    new_state: "exited",
    previous_health: null,
    new_health: null,
    exit_code: null,
    oom_killed: false,
    stop_requested: false,
    log_snippet: null,
    health_failure: null,
    replayed: false,
    timestamp: at(seconds),
    ...facts,
  };
}

/** Nothing is known but the alert. */
export function factsOf(facts: Partial<AlertFacts> = {}): AlertFacts {
  return {
    now: new Date(RAISED + 60_000),
    alert: alertOf(),
    host: null,
    trace: { alert_id: 7, summary: "Nobody was notified.", stages: [], deliveries: [] },
    container: null,
    before: [],
    after: [],
    usage: null,
    imageChanges: [],
    preceding: { changes: [], total: 0 },
    earlier: { alerts: [], total: 0 },
    nextEscalation: null,
    related: { alerts: [], total: 0 },
    endpoint: null,
    checks: [],
    responseTimes: null,
    heartbeat: null,
    runs: [],
    certificate: null,
    ...facts,
  };
}

// Of whole records only these are looked at.
export const container = { id: 5, state: "exited", archived_at: null, last_state_change_at: at(-30) } as AlertFacts["container"];
export const endpoint = { id: 3 } as EndpointRecord;
export const heartbeat = { id: 4 } as HeartbeatRecord;

export function check(id: number, facts: Partial<CheckRecord> = {}): CheckRecord {
  return {
    id,
    success: false,
    observed: true,
    response_time_ms: 10,
    http_status: null,
    failure_class: "timeout",
    error: null,
    replayed: false,
    timestamp: at(-id),
    ...facts,
  };
}

export function run(id: number, outcome: ExecutionRecord["outcome"], exitCode: number | null = null): ExecutionRecord {
  return { id, started_at: at(-id - 5), ended_at: at(-id), duration_ms: 5000, exit_code: exitCode, outcome, rid: null };
}

export function sent(id: number, facts: Partial<DeliveryRecord> = {}): DeliveryRecord {
  return {
    id,
    alert_id: 7,
    channel_id: 1,
    event: "alert.fired",
    escalation: null,
    because: "rule 1",
    replay_of: null,
    status: "sent",
    attempts: 1,
    next_attempt_at: null,
    last_attempt_at: at(2),
    last_status_code: 200,
    last_error: null,
    sent_at: at(2),
    created_at: at(0),
    ...facts,
  };
}

export const stage: TraceStage = { evaluation: 1, transition: "fired", stage: "silence", verdict: "held", text: "Silence 4", at: at(0) };
/** What the container with 64 MiB used, so many seconds after the alert. */
export const points = (...memory: [seconds: number, mib: number | null, cpu?: number][]): AlertFacts["usage"] => ({
  stepSeconds: 30,
  points: memory.map(([seconds, mib, cpu = 5]) => ({
    at: new Date(RAISED + seconds * 1000),
    cpuPercent: cpu,
    memoryBytes: mib === null ? null : mib * 1024 ** 2,
    memoryLimitBytes: 64 * 1024 ** 2,
  })),
});
