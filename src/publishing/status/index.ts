import type { Alerting } from "../../alerting/index.ts";
import type { Event } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { HostData } from "../../monitoring/hosts/index.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Mailer } from "../../platform/mailer.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import { createComponents, type MonitoringFeatures, monitorsOf, type StatusComponents } from "./components/index.ts";
import { createIncidents, type StatusIncidents } from "./incidents/index.ts";
import { createPage, createWorks } from "./page/index.ts";
import { createSettings } from "./settings/index.ts";
import { createSubscribers } from "./subscribers/index.ts";

export type { ObservedHosts } from "./components/index.ts";

export interface StatusPageDependencies {
  database: Database;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  /** The public origin. */
  baseUrl: string;
  /** Started before this. */
  monitoring: MonitoringFeatures;
  /** Started before this. */
  alerting: Pick<Alerting, "active" | "isSettled" | "maintenance">;
  /** Undefined without a mail server: then nobody can subscribe. */
  mailer: Mailer | undefined;
  /** Its data is made up, and the page says so. */
  isDemo?: boolean;
}

export interface StatusPage extends HostData {
  routes: Route[];
  /** The host name under which the page is shown, and nothing else of the server; null: it has none. */
  domain(): string | null;
  /** For assistants; made when they are asked for. */
  tools(): Promise<Tool[]>;
  /** Past updates of incidents. */
  past: StatusIncidents["past"];
  /** What components stand for; for maintenance, that covers them. */
  coverOf: StatusComponents["coverOf"];
  hasComponent: StatusComponents["has"];
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The public status page. Read it in this order: settings, components, incidents, subscribers, page. */
export function createStatusPage(dependencies: StatusPageDependencies): StatusPage {
  const { database, bus, clock, scheduler, log, baseUrl, monitoring, alerting, mailer, isDemo = false } = dependencies;
  const shared = { database, bus, clock, scheduler, log };
  const windows = alerting.maintenance;
  const settings = createSettings({ ...shared, baseUrl });
  const components = createComponents({
    ...shared,
    monitors: monitorsOf(monitoring, clock),
    windows,
  });
  const subscribers = createSubscribers({ ...shared, mailer, baseUrl, components, settings, windows });
  const incidents = createIncidents({
    ...shared,
    components,
    notices: subscribers,
    activeAlerts: alerting.active,
    isSettled: alerting.isSettled,
  });
  const works = createWorks({ bus, windows });
  const page = createPage({ ...shared, baseUrl, components, incidents, works, settings, canSubscribe: subscribers.isOffered, isDemo });

  return {
    routes: [settings, components, incidents, subscribers, page].flatMap(({ routes }) => routes),
    domain: settings.domain,
    tools: incidents.tools,
    past: incidents.past,
    coverOf: components.coverOf,
    hasComponent: components.has,
    holdHost: components.holdHost,
    purgeHost: components.purgeHost,
    forgetHost: components.forgetHost,
    async start() {
      // Components are what open incidents say of them, from the first look on.
      await incidents.load();
      await settings.start();
      await components.start(incidents);
      for (const part of [subscribers, incidents, works, page]) await part.start();
    },
    async stop() {
      for (const part of [page, works, incidents, subscribers, components]) await part.stop();
    },
  };
}
