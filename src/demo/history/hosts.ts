import type { Moments } from "./moments.ts";
import { HOSTS } from "../world/containers.ts";
import type { Rows } from "./store.ts";

/** The hosts with an agent. */
export function hostRows({ startMs, nowMs, version }: Moments & { version: string }): Rows[] {
  const remote = HOSTS.filter(({ agentId }) => agentId !== null);
  return [
    {
      table: "agents",
      rows: remote.map(({ agentId, hostname, os }) => ({
        id: agentId,
        label: hostname,
        public_key: Buffer.alloc(32, 1).toString("base64"),
        hostname,
        os,
        arch: "x64",
        version,
        runtime: "docker",
        capabilities: JSON.stringify(["logs", "endpoints", "certificates", "resources"]),
        status: "active",
        enrolled_at: startMs,
        revoked_at: null,
        last_seen_at: nowMs - 1_000,
        lost_since: null,
        clock_offset_ms: 0,
        spool_dropped: 0,
      })),
    },
  ];
}
