import type { Event } from "../events.ts";
import type { Route } from "../http/route.ts";
import type { Bus } from "../platform/bus.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { Outbound } from "../platform/outbound.ts";
import type { Scheduler } from "../platform/scheduler.ts";
import type { Database } from "../storage/database.ts";
import { type Alerts, type Announcer, createAlertHistory, createAlerts } from "./alerts/index.ts";
import { createChannels, type SmtpSettings } from "./channels/index.ts";
import { createDeliveries } from "./deliveries/index.ts";
import { createEscalation } from "./escalation/index.ts";
import { createQuiet } from "./quiet/index.ts";
import { createRouting } from "./routing/index.ts";

export type { SmtpSettings } from "./channels/index.ts";

export interface AlertingDependencies {
  database: Database;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  /** The public origin, for links in messages. */
  baseUrl: string;
  outbound: Outbound;
  /** Undefined without a mail server. */
  smtp: SmtpSettings | undefined;
  /** Throws EDITION_REQUIRED when the edition in force does not grant the capability. */
  requireCapability(capability: string): void;
  /** Those who know what is bad now. */
  announcers: readonly Announcer[];
}

export interface Alerting extends Pick<Alerts, "settle"> {
  routes: Route[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Alerting: what changed becomes alerts, and alerts become deliveries. Read in this order: channels (where to), routing (who hears what), quiet
 * (when nobody does), deliveries (until it arrived), alerts (the path through all of these), escalation (when nobody reacts).
 */
export function createAlerting(dependencies: AlertingDependencies): Alerting {
  const { database, bus, clock, scheduler, log, baseUrl, outbound, smtp, requireCapability, announcers } = dependencies;
  const shared = { database, bus, clock, scheduler, log };
  const channels = createChannels({ ...shared, outbound, smtp, requireCapability, baseUrl });
  const routing = createRouting({ ...shared, channels, history: createAlertHistory(database) });
  const quiet = createQuiet({ ...shared, alerts: () => alerts.active() });
  const outbox = createDeliveries({ ...shared, channels });
  const alerts = createAlerts({ ...shared, baseUrl, channels, quiet, routing, outbox, escalation: () => escalation, announcers });
  const escalation = createEscalation({ ...shared, channels, outbox, quiet, alerts, editions: { require: requireCapability } });
  const inOrder = [channels, routing, quiet, escalation, alerts, outbox];

  return {
    settle: alerts.settle,
    routes: inOrder.flatMap(({ routes }) => routes),
    async start() {
      for (const part of inOrder) await part.start();
    },
    async stop() {
      // Nothing new is decided, then nothing more is sent.
      await alerts.stop();
      await escalation.stop();
      await outbox.stop();
      await channels.stop();
    },
  };
}
