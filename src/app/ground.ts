import type { AddressInfo } from "node:net";
import { type AuditLog, createAuditLog } from "../administration/audit/index.ts";
import { createStoredSessions } from "../administration/sessions/index.ts";
import type { ActiveAlerts } from "../alerting/index.ts";
import type { Trust } from "../collector/tls/trust.ts";
import type { BuildInfo } from "../config/build.ts";
import type { Config } from "../config/config.ts";
import type { Editions } from "../editions/index.ts";
import type { Event } from "../events.ts";
import { type AdminAccess, createAdminAccess } from "../http/admin-access.ts";
import { HttpListener } from "../http/listener.ts";
import { createHostRemoval, type HostRemoval } from "../monitoring/hosts/index.ts";
import { createIntake, type Intake } from "../monitoring/intake.ts";
import { type Bus, createBus } from "../platform/bus.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { createOutbound, type Outbound } from "../platform/outbound.ts";
import { createScheduler, type Scheduler } from "../platform/scheduler.ts";
import type { StoredSecrets } from "../platform/stored-secrets.ts";
import type { Runtime } from "../runtimes/runtime.ts";
import type { Database } from "../storage/database.ts";
import { auditEnrollments } from "./audit-enrollments.ts";
import { openDatabase, openSecrets } from "./database.ts";
import { createLifecycle, type Lifecycle } from "./lifecycle.ts";
import { openEditions } from "./open-editions.ts";
import { openTrust } from "./open-trust.ts";
import type { Outside } from "./outside.ts";

export interface ServerDependencies {
  config: Config;
  build: BuildInfo;
  /** The runtime of this host; undefined when it is not watched. */
  runtime: Runtime | undefined;
  /** The folder of the built web app. */
  webRoot: string;
  clock: Clock;
  log: Log;
  /** Of a demo: made up, in place of what is reached outside. */
  outside?: Outside;
  /** The HTTP port where it is open already; the server closes it. */
  listener?: HttpListener;
}

/** What every floor stands on. Intake and host removal are there before the features that they reach, and take these at start. */
export interface Ground extends Omit<ServerDependencies, "log"> {
  lifecycle: Lifecycle;
  /** The log of a part of the program. */
  part(component: string): Log;
  database: Database;
  secrets: StoredSecrets;
  bus: Bus<Event>;
  scheduler: Scheduler;
  adminAccess: AdminAccess | undefined;
  audit: AuditLog;
  editions: Editions;
  trust: Trust;
  outbound: Outbound;
  intake: Intake;
  hostRemoval: HostRemoval;
  listener: HttpListener;
  activeAlerts: ActiveAlerts;
  /** Where this program answers HTTP, as far as it does already. */
  httpAddresses: AddressInfo[];
}

export function openGround({ log, ...given }: ServerDependencies): Ground {
  const { config, build, clock, outside } = given;
  const lifecycle = createLifecycle({ clock, log, stopWithinMs: config.shutdownSeconds * 1000 });
  const part = (component: string): Log => log.child({ component });

  const database = openDatabase(config, { clock, log: part("storage") });
  // Of a server that only stood by no part has started, and yet it asked for the database and answered.
  lifecycle.add("database", database, { isAlwaysStopped: true });
  const listener = given.listener ?? new HttpListener({ config, clock });
  lifecycle.add("listener", { stop: () => listener.close() }, { isAlwaysStopped: true });
  const secrets = openSecrets({ config, database, log: part("storage") }, lifecycle);
  const bus = createBus<Event>(part("bus"));
  const scheduler = createScheduler(clock, part("scheduler"));
  lifecycle.add("scheduler", scheduler);
  const adminAccess = openAccess({ config, database, clock, scheduler, log: part("access") }, lifecycle);
  const audit = createAuditLog({ database, clock, scheduler });
  lifecycle.add("audit log", audit);
  auditEnrollments(bus, audit);
  const trust = openTrust(config);
  const outbound = outside?.outbound ?? createOutbound({ allowPrivate: config.allowPrivateWebhooks, clock, trust });
  lifecycle.add("outbound", outbound);
  const intake = createIntake({ clock, log: part("intake") });

  return {
    ...given,
    ...{ lifecycle, part, database, secrets, bus, scheduler, adminAccess, audit, trust, outbound, intake },
    editions: outside?.editions ?? openEditions(config, build, { clock, log: part("editions") }),
    hostRemoval: createHostRemoval(intake),
    listener,
    activeAlerts: new Map(),
    httpAddresses: [],
  };
}

interface AccessParts {
  config: Config;
  database: Database;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
}

/** Who may use the admin API; undefined without an admin token. Registered with the lifecycle. */
function openAccess({ config, database, clock, scheduler, log }: AccessParts, lifecycle: Lifecycle): AdminAccess | undefined {
  if (config.adminToken === undefined) return undefined;
  const sessions = createStoredSessions({ database, clock, scheduler });
  lifecycle.add("sessions", sessions);
  const isSecure = config.baseUrl.startsWith("https:");
  return createAdminAccess({ token: config.adminToken.reveal(), isSecure, endedSessions: sessions.ended, clock, log });
}
