import type { AgentMetrics, AgentRecord } from "./answers.ts";
import { connectionOf } from "./changes.ts";
import { type Entry, spoolOf } from "./roster.ts";

export function agentRecord(entry: Entry): AgentRecord {
  const { agent } = entry;
  return {
    id: agent.id,
    label: agent.label,
    hostname: agent.hostname,
    os: agent.os,
    arch: agent.arch,
    version: agent.version,
    runtime: agent.runtime,
    status: agent.status,
    connection_state: connectionOf(agent),
    last_seen_at: agent.lastSeenAt.toISOString(),
    enrolled_at: agent.enrolledAt.toISOString(),
    revoked_at: agent.revokedAt?.toISOString() ?? null,
    spool: spoolRecord(entry),
    events_per_second: tenths(entry.rate),
    capabilities: [...agent.capabilities],
    clock_offset_ms: agent.clockOffsetMs,
  };
}

export function metricsRecord(entries: readonly Entry[]): AgentMetrics {
  const active = entries.filter(({ agent }) => agent.status === "active");
  const connected = active.filter(({ agent }) => connectionOf(agent) === "connected").length;
  const sum = (of: (entry: Entry) => number): number => entries.reduce((total, entry) => total + of(entry), 0);
  return {
    agents: entries.map((entry) => ({
      id: entry.agent.id,
      label: entry.agent.label,
      connection_state: connectionOf(entry.agent),
      events_per_second: tenths(entry.rate),
      events: entry.events,
      messages: entry.messages,
      streams: entry.streams,
      oversize: spoolOf(entry).oversize,
      listings_dropped: entry.listingsDropped,
      spool: spoolRecord(entry),
    })),
    total: entries.length,
    connected,
    disconnected: active.length - connected,
    revoked: entries.length - active.length,
    events_per_second: tenths(sum(({ rate }) => rate)),
    events: sum(({ events }) => events),
    queued: sum((entry) => spoolOf(entry).queued),
    dropped: sum((entry) => spoolOf(entry).dropped),
  };
}

function spoolRecord(entry: Entry): AgentRecord["spool"] {
  const { queued, draining, dropped } = spoolOf(entry);
  return { queued, draining, dropped };
}

function tenths(rate: number): number {
  return Math.round(rate * 10) / 10;
}
