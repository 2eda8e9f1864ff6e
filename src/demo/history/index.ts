import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import { alertRows } from "./alert-rows.ts";
import { alertsOf } from "./alerts.ts";
import { certificateRows } from "./certificates.ts";
import { containerRows } from "./containers.ts";
import { endpointRows, endpointsOf } from "./endpoints/store.ts";
import { heartbeatRows, heartbeatsOf } from "./heartbeats.ts";
import { hostRows } from "./hosts.ts";
import { notificationRows } from "./notifications.ts";
import { pastOf } from "./past.ts";
import { securityRows } from "./security.ts";
import { seriesRows } from "./series/store.ts";
import { componentsOf, statusRows } from "./status-page.ts";
import { writeRows } from "./store.ts";

export { type Job, JOBS, uuidOf } from "./heartbeats.ts";

export interface HistoryOptions {
  nowMs: number;
  updatedMs: number;
  /** Of this program. */
  version: string;
  clock: Clock;
}

const YEAR_MS = 364 * DAY_MS;

/** Writes a year of made-up history into a new database. */
export async function writeHistory(path: string, { nowMs, updatedMs, version, clock }: HistoryOptions): Promise<void> {
  // On a whole hour, as figures are kept.
  const moments = { nowMs, updatedMs, startMs: Math.floor((nowMs - YEAR_MS) / HOUR_MS) * HOUR_MS };
  const past = pastOf(moments);
  const endpoints = endpointsOf(past, moments);
  const heartbeats = heartbeatsOf(moments);
  const tables = [
    ...hostRows({ ...moments, version }),
    ...containerRows(past, moments),
    ...endpointRows(endpoints, moments),
    ...heartbeatRows(heartbeats, moments),
    ...notificationRows(past, moments),
    ...alertRows(alertsOf({ past, endpoints, heartbeats }, moments), moments),
    ...statusRows(componentsOf(endpoints), moments),
    ...securityRows(past, moments),
    ...certificateRows(endpoints, moments),
    seriesRows(past, moments),
  ];
  await writeRows(path, tables, clock);
}
