import type { Event } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import type { Containers } from "../containers/index.ts";
import { type Acknowledgments, createAcknowledgments } from "./acknowledgments.ts";
import { createAlertCare, type SecurityAlerts } from "./alert-care.ts";
import { createPostureHistory } from "./history.ts";
import { createKnownAcknowledgments } from "./known.ts";
import { createPostures, daysOf, type Postures, type UpdatesOf } from "./postures.ts";
import { createRegister } from "./register.ts";
import { acknowledgmentRoutes, insightRoutes, postureRoutes } from "./routes.ts";
import { createInsightService, type InsightService } from "./service.ts";
import { createSecurityStore } from "./store.ts";
import { createWatch, type Watch } from "./watch.ts";

export type { SecurityAlert, SecurityAlerts } from "./alert-care.ts";
export type { UpdatesOf } from "./postures.ts";

export interface SecurityDependencies {
  database: Database;
  /** Started before this, and given observations before this. */
  containers: Pick<Containers, "present" | "service">;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  /** The active alerts about what is found. */
  alerts: SecurityAlerts;
  /** By default nothing is known of updates, and they do not count. */
  updatesOf?: UpdatesOf;
}

export interface Security extends Pick<Watch, "observe"> {
  insights: InsightService;
  postures: Postures;
  acknowledgments: Acknowledgments;
  routes: Route[];
  /** The events that tell of all that is bad now. */
  announce(): Event[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

const ALERTS_LOOKED_AT_EVERY_MS = 30_000;
const HISTORY_EVERY_MS = 5_000;
const RETENTION_EVERY_MS = 3_600_000;

/** Security: how exposed containers are, what people know and accept of it, and how safe that leaves things. */
export function createSecurity(dependencies: SecurityDependencies): Security {
  const { database, containers, bus, clock, scheduler, log, alerts, updatesOf = () => undefined } = dependencies;
  const { present } = containers;
  const store = createSecurityStore(database);
  const known = createKnownAcknowledgments();
  const register = createRegister({ present, known });
  const care = createAlertCare({ register, alerts, bus, clock, log });
  const history = createPostureHistory(store, (now) => daysOf(register, updatesOf, now));
  const insights = createInsightService({ register, containers });
  const postures = createPostures({ register, containers, history, updatesOf, clock });
  const acknowledgments = createAcknowledgments({
    store,
    known,
    register,
    containers,
    bus,
    clock,
    async onChange() {
      history.touch();
      await care.look();
    },
  });
  const watch = createWatch({
    present,
    register,
    bus,
    clock,
    onChange() {
      history.touch();
      care.lookSoon();
    },
  });

  return {
    observe: watch.observe,
    insights,
    postures,
    acknowledgments,
    routes: [...insightRoutes(insights), ...postureRoutes(postures), ...acknowledgmentRoutes(acknowledgments)],
    announce: care.announce,
    async start() {
      await acknowledgments.load();
      watch.begin();
      scheduler.every({ name: "security alerts", everyMs: ALERTS_LOOKED_AT_EVERY_MS, run: care.look });
      scheduler.every({ name: "security posture history", everyMs: HISTORY_EVERY_MS, run: () => history.keep(clock.now()) });
      scheduler.every({
        name: "security retention",
        everyMs: RETENTION_EVERY_MS,
        firstAfterMs: 110_000,
        async run(signal) {
          await acknowledgments.prune();
          await history.prune(clock.now(), signal);
        },
      });
    },
    async stop() {
      care.stop();
    },
  };
}
