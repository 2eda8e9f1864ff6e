import { createStoredSessions } from "../administration/sessions/index.ts";
import type { Config } from "../config/config.ts";
import { type AdminAccess, createAdminAccess } from "../http/admin-access.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { Scheduler } from "../platform/scheduler.ts";
import type { Database } from "../storage/database.ts";
import type { Lifecycle } from "./lifecycle.ts";

export interface AccessParts {
  config: Config;
  database: Database;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
}

/** Who may use the admin API; undefined without an admin token. Registered with the lifecycle. */
export function openAccess({ config, database, clock, scheduler, log }: AccessParts, lifecycle: Lifecycle): AdminAccess | undefined {
  if (config.adminToken === undefined) return undefined;
  const sessions = createStoredSessions({ database, clock, scheduler });
  lifecycle.add("sessions", sessions);
  const isSecure = config.baseUrl.startsWith("https:");
  return createAdminAccess({ token: config.adminToken.reveal(), isSecure, endedSessions: sessions.ended, clock, log });
}
