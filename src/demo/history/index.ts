import type { Clock } from "../../platform/clock.ts";
import { HOSTS } from "../world/containers.ts";
import { startMsOf } from "../world/story.ts";
import { alertRows } from "./alert-rows.ts";
import { alertsOf } from "./alerts.ts";
import { certificateRows } from "./certificates.ts";
import { containerRows } from "./containers.ts";
import { endpointRows, endpointsOf } from "./endpoint-store.ts";
import { imageChangeRows } from "./image-changes.ts";
import { heartbeatRows, heartbeatsOf } from "./heartbeats.ts";
import { notificationRows } from "./notifications.ts";
import { type Moments, pastOf } from "./past.ts";
import { securityRows } from "./security.ts";
import { seriesRows } from "./series-store.ts";
import { componentsOf, statusRows } from "./status-page.ts";
import { writeRows, type Rows } from "./store.ts";
import { updatesOf } from "./updates.ts";

export { type Job, JOBS, uuidOf } from "./heartbeats.ts";

export interface HistoryOptions {
  nowMs: number;
  updatedMs: number;
  /** Of this program. */
  version: string;
  clock: Clock;
}

/** Writes a year of made-up history into a new database. */
export async function writeHistory(path: string, { nowMs, updatedMs, version, clock }: HistoryOptions): Promise<void> {
  const moments = { nowMs, updatedMs, startMs: startMsOf(updatedMs) };
  const past = pastOf(moments);
  const endpoints = endpointsOf(past, moments);
  const heartbeats = heartbeatsOf(moments);
  const updates = await updatesOf(past, moments, clock);
  const tables = [
    ...hostRows({ ...moments, version }),
    ...containerRows(past, moments),
    ...imageChangeRows(past, moments),
    ...endpointRows(endpoints, moments),
    ...heartbeatRows(heartbeats, moments),
    ...notificationRows(past, moments),
    ...alertRows(alertsOf({ past, endpoints, heartbeats, updates: updates.found }, moments), moments),
    ...statusRows(componentsOf(endpoints), moments),
    ...securityRows(past, moments),
    ...certificateRows(endpoints, moments),
    ...updates.tables,
    ...seriesRows(past, moments),
  ];
  await writeRows(path, tables, clock);
}

/** The hosts with an agent. */
function hostRows({ startMs, nowMs, version }: Moments & { version: string }): Rows[] {
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
