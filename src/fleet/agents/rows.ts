import { z } from "zod";
import { AGENT_STATUSES } from "../../events.ts";
import type { Agent } from "./agent.ts";
import type { AgentRow } from "./tables.ts";

const status = z.enum(AGENT_STATUSES);
const runtime = z.enum(["docker", "swarm", "kubernetes"]);
const capabilities = z.array(z.string());

/** The columns that change while an agent streams. */
export type LiveColumns = Pick<
  AgentRow,
  "hostname" | "os" | "arch" | "version" | "runtime" | "capabilities" | "last_seen_at" | "lost_since" | "clock_offset_ms" | "spool_dropped"
>;

/** What was saved was checked before; a row that is otherwise was changed by another hand and is a defect. */
export function agentFromRow(row: AgentRow): Agent {
  return {
    id: row.id,
    label: row.label,
    publicKey: Buffer.from(row.public_key, "base64"),
    hostname: row.hostname,
    os: row.os,
    arch: row.arch,
    version: row.version,
    runtime: runtime.parse(row.runtime),
    capabilities: capabilities.parse(JSON.parse(row.capabilities)),
    status: status.parse(row.status),
    enrolledAt: new Date(row.enrolled_at),
    revokedAt: dateOf(row.revoked_at),
    lastSeenAt: new Date(row.last_seen_at),
    lostSince: dateOf(row.lost_since),
    awaited: true,
    clockOffsetMs: row.clock_offset_ms,
    spoolDropped: row.spool_dropped,
  };
}

export function agentToRow(agent: Agent): AgentRow {
  return {
    id: agent.id,
    label: agent.label,
    public_key: Buffer.from(agent.publicKey).toString("base64"),
    status: agent.status,
    enrolled_at: agent.enrolledAt.getTime(),
    revoked_at: agent.revokedAt?.getTime() ?? null,
    ...liveToRow(agent),
  };
}

export function liveToRow(agent: Agent): LiveColumns {
  return {
    hostname: agent.hostname,
    os: agent.os,
    arch: agent.arch,
    version: agent.version,
    runtime: agent.runtime,
    capabilities: JSON.stringify(agent.capabilities),
    last_seen_at: agent.lastSeenAt.getTime(),
    lost_since: agent.lostSince?.getTime() ?? null,
    clock_offset_ms: agent.clockOffsetMs,
    spool_dropped: agent.spoolDropped,
  };
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
