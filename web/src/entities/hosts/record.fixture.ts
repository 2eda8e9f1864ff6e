import type { AgentRecord } from "../../../../src/fleet/agents/answers.ts";

/** An agent that is connected and reported nothing about itself, changed by `changes`. */
export function agentRecord(changes: Partial<AgentRecord> = {}): AgentRecord {
  return {
    id: "6f1c1d3e-6f0e-4f7c-9f58-0d2f4cf8a001",
    label: "nas",
    hostname: "nas.lan",
    os: "Debian GNU/Linux 13",
    arch: "x64",
    version: "0.1.0",
    runtime: "docker",
    status: "active",
    connection_state: "connected",
    last_seen_at: "2026-03-01T12:00:00.000Z",
    enrolled_at: "2026-02-01T12:00:00.000Z",
    revoked_at: null,
    spool: { queued: 0, draining: false, dropped: 0 },
    events_per_second: 0.4,
    capabilities: ["logs"],
    clock_offset_ms: 0,
    ...changes,
  };
}
