import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { Event } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { Bus } from "../../platform/bus.ts";
import { type Clock, type Timer, nextTurnWhenDue } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import type { DeliveryRecord } from "../deliveries/answers.ts";
import type { Alert, AlertKey, AlertSource, Problem, RoutingDecision } from "../vocabulary.ts";
import { keyText, createFlaps } from "./alert.ts";
import type { AlertRecord } from "./api.ts";
import type { Watches } from "./event-reader.ts";
import { Intake } from "./intake.ts";
import { createHostRemoval, type HostRemoval } from "./host-removal.ts";
import { createRepository, type Escalating, type Outgoing } from "./repository.ts";
import type { HostName } from "./recent.ts";
import { createPastStore, type PastOfAlerts } from "./past-store.ts";
import { type ActiveAlerts, createRegister, createTotals, alertRecord } from "./register.ts";
import { alertRoutes } from "./routes.ts";
import { type AlertService, createAlertService } from "./service.ts";
import { createAlertStore } from "./store.ts";
import { isLasting } from "./signals.ts";

export { lostNotification, wasSent } from "./trace.ts";
export type { PastOfAlerts } from "./past-store.ts";
export type { ActiveAlerts } from "./register.ts";
export type { AlertService } from "./service.ts";
export type { Watches } from "./event-reader.ts";

/** Lists the present problems of one source, as events. */
export interface Announcer {
  source: AlertSource;
  announce(): readonly Event[];
}

export interface AlertsDependencies {
  database: Database;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  /** The public origin, for links to alerts. */
  baseUrl: string;
  channels: { get(id: number): { name: string } | undefined };
  suppression: {
    silencing(alert: Alert, now: Date): { id: number; reason: string; until: Date } | undefined;
    maintaining(alert: Alert, now: Date): { title: string; until: Date } | undefined;
    onChange(listener: () => void): void;
  };
  routing: { route(alert: Alert): RoutingDecision };
  outbox: Outgoing & { notified(alertId: number): Promise<readonly number[]>; of(alertId: number): Promise<DeliveryRecord[]> };
  announcers: readonly Announcer[];
  /** What people call a host. */
  hostName?: HostName | undefined;
  watches?: Watches | undefined;
  /** Where the active alerts are kept; by default nobody else reads them. */
  activeAlerts?: ActiveAlerts | undefined;
  /** How long alerts wait after the start until the program knows what runs. */
  settleMs?: number;
}

export interface Alerts extends HostRemoval {
  service: AlertService;
  past: PastOfAlerts;
  routes: Route[];
  /** For assistants; built on demand. */
  tools(): Promise<Tool[]>;
  /** Escalation reads alerts, so it is built after them. */
  start(escalation: Escalating): Promise<void>;
  stop(): Promise<void>;
  get(id: number): Promise<Alert | undefined>;
  active(): Alert[];
  record(alert: Alert): AlertRecord;
  /** Raises a problem that no event reports. Resolves once it is saved. Throws `storage_unavailable`. */
  raise(problem: Problem): Promise<void>;
  /** Ends such a problem, with a reason in words. */
  clear(key: AlertKey, reason: string): Promise<void>;
  /**
   * To be called once the program knows what runs: asks for present problems, and releases alerts that waited. Happens by itself some time after the
   * start.
   */
  settle(): void;
  /** Whether all problems that ended while the program was stopped are known to be over. */
  isSettled(): boolean;
  /** To be called when another part deleted resolved alerts: the totals of lists are counted again. */
  forgetTotals(): void;
}

const SETTLE_MS = 30_000;
const ANNOUNCE_EVERY_MS = MINUTE_MS;
const STEADY_EVERY_MS = 15_000;
const KEPT_MS = 400 * DAY_MS;

/** What is wrong, since when, and who was notified. Source: specification, Alert; contract, section 6. */
export function createAlerts(dependencies: AlertsDependencies): Alerts {
  const { database, bus, clock, scheduler, log, baseUrl, channels, suppression, routing, outbox, announcers } = dependencies;
  const store = createAlertStore(database);
  const totals = createTotals(store.groups);
  const silencedUntil = (alert: Alert): Date | undefined => suppression.silencing(alert, clock.now())?.until;
  const register = createRegister(baseUrl, silencedUntil, dependencies.activeAlerts);
  const flaps = createFlaps();
  const repository = createRepository({ store, totals, register, bus, clock, baseUrl, outbox });
  const intake = new Intake({
    register,
    flaps,
    repository,
    hostName: dependencies.hostName,
    watches: dependencies.watches,
    context: {
      maintaining: suppression.maintaining,
      silencing: suppression.silencing,
      route: routing.route,
      channelName: (id) => channels.get(id)?.name ?? `channel ${id}`,
      notified: outbox.notified,
    },
    clock,
    log,
  });
  const service = createAlertService({ store, totals, register, intake, deliveriesOf: outbox.of, clock });
  const removal = createHostRemoval({ store, register, intake, repository, totals, notified: outbox.notified, bus, clock });
  const sources = new Set(announcers.map(({ source }) => source));
  let settled = false;
  let unsubscribe: (() => void) | undefined;
  let settling: Timer | undefined;

  function announce(source: AlertSource, isObserved: (event: Event) => boolean): void {
    // A source may have several reporters: its problems are those of all of them.
    const all = announcers.filter((announcer) => announcer.source === source);
    try {
      const events = all.flatMap((each) => each.announce());
      intake.announce(source, events, isObserved);
    } catch (error) {
      log.error({ source, err: error }, "a source of alerts could not list its problems");
    }
  }

  function settle(): void {
    if (settled) return;
    settled = true;
    for (const source of sources) announce(source, isLasting);
    intake.settle();
  }

  async function prune(signal: AbortSignal): Promise<void> {
    const before = new Date(clock.now().getTime() - KEPT_MS);
    while (!signal.aborted && (await store.prune(before)) > 0) totals.forget();
  }

  return {
    service,
    past: createPastStore(database),
    routes: alertRoutes(service),
    tools: async () => (await import("./tools.ts")).alertTools({ service, register }),
    async start(escalation) {
      repository.start(escalation);
      unsubscribe = bus.subscribe("alerts", (event) => {
        intake.onEvent(event);
        // A scan observes every update again, but reports only those that changed.
        if (settled && event.type === "update.scan_completed" && event.data.status === "completed") announce("update", () => true);
      });
      for (const kept of [store.active(), store.heldEnds(), store.persisting()]) for await (const alert of kept) register.put(alert);
      // Which hosts are not seen must be known first: otherwise their problems would be over because nobody names them.
      intake.note(announcers.filter(({ source }) => source === "agent").flatMap((each) => each.announce()));
      intake.start();
      suppression.onChange(() => {
        register.forgetShown();
        intake.rejudge();
      });
      settling = clock.after(dependencies.settleMs ?? SETTLE_MS, settle);
      scheduler.every({
        name: "alerts announced again",
        everyMs: ANNOUNCE_EVERY_MS,
        async run() {
          if (!settled) return;
          for (const source of sources) {
            announce(source, isLasting);
            const turn = nextTurnWhenDue();
            if (turn !== undefined) await turn;
          }
          intake.rejudge();
        },
      });
      scheduler.every({
        name: "alerts that flapped",
        everyMs: STEADY_EVERY_MS,
        run() {
          if (flaps.forgetSteady(clock.monotonicMs())) intake.rejudge();
        },
      });
      scheduler.every({ name: "alert retention", everyMs: HOUR_MS, firstAfterMs: 100_000, run: prune });
    },
    async stop() {
      unsubscribe?.();
      settling?.cancel();
      await intake.stop();
    },
    get: async (id) => register.byId(id) ?? (await store.one(id)),
    active: register.active,
    record: (alert) => alertRecord(alert, baseUrl),
    async raise(problem) {
      await intake.order({ kind: "raise", key: keyText(problem), problem, observed: true, at: clock.now() });
    },
    async clear(key, reason) {
      await intake.order({ kind: "clear", key: keyText(key), about: key, resolution: { by: "observation", reason }, at: clock.now() });
    },
    settle,
    isSettled: () => intake.isSettled(),
    forgetTotals: totals.forget,
    ...removal,
  };
}

/** Alerts as they were saved, for looking back. */
export function createAlertHistory(database: Database): { since(from: Date): AsyncIterable<Alert> } {
  const store = createAlertStore(database);
  return { since: store.since };
}
