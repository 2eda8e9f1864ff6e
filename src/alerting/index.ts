import type { Editions } from "../editions/index.ts";
import type { Event } from "../events.ts";
import type { Route } from "../http/route.ts";
import type { Tool } from "../mcp/tool.ts";
import type { Bus } from "../platform/bus.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { Mailer } from "../platform/mailer.ts";
import type { Outbound } from "../platform/outbound.ts";
import type { Scheduler } from "../platform/scheduler.ts";
import type { Database } from "../storage/database.ts";
import type { StoredSecrets } from "../platform/stored-secrets.ts";
import type { Unit } from "../storage/statements.ts";
import { type ActiveAlerts, type Alerts, type Announcer, createAlertHistory, createAlerts, type Watches } from "./alerts/index.ts";
import { createChannels } from "./channels/index.ts";
import { createDeliveries } from "./deliveries/index.ts";
import { createEscalation, type Escalation } from "./escalation/index.ts";
import { createSuppression, type NamedComponents } from "./suppression/index.ts";
import { createRouting } from "./routing/index.ts";
import type { MaintenanceRecord } from "./suppression/answers.ts";
import type { GroupOf } from "./scope.ts";
import type { Alert } from "./vocabulary.ts";

export { type ActiveAlerts, lostNotification, wasSent } from "./alerts/index.ts";
export type { Alert, Entity } from "./vocabulary.ts";

export interface AlertingDependencies {
  database: Database;
  secrets: StoredSecrets;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  /** The public origin, for links in messages. */
  baseUrl: string;
  outbound: Outbound;
  /** Undefined without a mail server. */
  mailer: Mailer | undefined;
  editions: Pick<Editions, "require" | "grants">;
  /** They list the present problems of a source. */
  announcers: readonly Announcer[];
  /** The display name of a host; null for the local host, and when the name is not known. */
  hostName?: (agentId: string | null) => string | null;
  /** Without it no container is in a group. */
  groupOf?: GroupOf;
  /** The present state of watched things; without it nothing is expected to be seen. */
  watches?: Watches | undefined;
  /** Where the active alerts are kept, for parts that read them and are built before alerting. */
  activeAlerts?: ActiveAlerts;
}

export interface Alerting extends Pick<Alerts, "settle" | "isSettled" | "forgetTotals" | "past"> {
  alerts: Pick<Alerts["service"], "detail" | "trace" | "earlier">;
  /** The level of an escalation that is notified next of an alert unless somebody acknowledges it. */
  nextLevel: Escalation["nextLevel"];
  /** Deletes a host: its alerts with all that depends on them, and the silences that name it. Held after everything that acknowledges alerts. */
  holdHost(agentId: string): Promise<() => void>;
  purgeHost(unit: Unit, agentId: string): Promise<void>;
  forgetHost(agentId: string): void;
  routes: Route[];
  /** For assistants; built on demand. */
  tools(): Promise<Tool[]>;
  /** All active alerts, suppressed or not. */
  active(): readonly Alert[];
  /**
   * In the name of a user who acknowledged the thing that the alert is about. Throws `not_found`, and `conflict` when it is resolved or already
   * acknowledged.
   */
  acknowledge(id: number, acknowledgment: { by: string; note: string }): Promise<void>;
  /** Running windows, then the next to begin, then past ones. */
  maintenance(): readonly MaintenanceRecord[];
  /** `components` are those of the status page; by default they cover nothing, and every id counts as existing. */
  start(components?: NamedComponents): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Turns events into alerts, and alerts into deliveries. Read in this order: channels (where notifications go), routing (who is notified), suppression
 * (when nobody is), deliveries (until a notification has arrived), alerts (the path through all of these), escalation (when nobody reacts).
 */
export function createAlerting(dependencies: AlertingDependencies): Alerting {
  const {
    database,
    secrets,
    bus,
    clock,
    scheduler,
    log,
    baseUrl,
    outbound,
    mailer,
    editions,
    announcers,
    hostName,
    groupOf = () => undefined,
    watches,
    activeAlerts = new Map(),
  } = dependencies;
  const shared = { database, bus, clock, scheduler, log };
  const channels = createChannels({ ...shared, secrets, outbound, mailer, requireCapability: editions.require, baseUrl });
  const routing = createRouting({ ...shared, channels, history: createAlertHistory(database), groupOf });
  const suppression = createSuppression({ ...shared, alerts: () => activeAlerts.values(), groupOf });
  const outbox = createDeliveries({ ...shared, channels, hostName });
  const alerts = createAlerts({
    ...shared,
    baseUrl,
    channels,
    suppression,
    routing,
    outbox,
    announcers,
    hostName,
    watches,
    activeAlerts,
  });
  const escalation = createEscalation({ ...shared, channels, outbox, suppression, alerts, editions });

  return {
    settle: alerts.settle,
    isSettled: alerts.isSettled,
    forgetTotals: alerts.forgetTotals,
    past: alerts.past,
    alerts: alerts.service,
    nextLevel: escalation.nextLevel,
    active: alerts.active,
    async acknowledge(id, { by, note }) {
      await alerts.service.acknowledge(id, { acknowledged_by: by, note });
    },
    maintenance: () => suppression.windows(),
    async holdHost(agentId) {
      const releases = [await suppression.holdHost(), await alerts.holdHost(agentId)];
      return () => releases.forEach((release) => release());
    },
    async purgeHost(unit, agentId) {
      await suppression.purgeHost(unit, agentId);
      await alerts.purgeHost(unit, agentId);
    },
    forgetHost(agentId) {
      alerts.forgetHost(agentId);
      suppression.forgetHost(agentId);
    },
    routes: [channels, routing, suppression, escalation, alerts, outbox].flatMap(({ routes }) => routes),
    tools: alerts.tools,
    async start(components) {
      await channels.start();
      await routing.start();
      await suppression.start(components);
      await escalation.start();
      await alerts.start(escalation);
      await outbox.start();
    },
    async stop() {
      // First nothing new is decided, then nothing more is sent.
      await alerts.stop();
      await escalation.stop();
      await outbox.stop();
      await channels.stop();
    },
  };
}
