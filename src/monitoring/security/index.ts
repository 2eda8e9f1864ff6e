import { HOUR_MS } from "../../contract/time.ts";
import type { Event, EventName } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { DueTimer, Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import type { Containers, SavedContainer } from "../containers/index.ts";
import type { HostData } from "../hosts/index.ts";
import { type Acknowledgments, createAcknowledgments } from "./acknowledgments.ts";
import { createAlertCare, type SecurityAlerts } from "./alert-care.ts";
import { createKnownAcknowledgments } from "./acknowledgment.ts";
import { type ConfigEcosystemOf, ecosystemOf } from "./ecosystem.ts";
import { createGrace } from "./grace.ts";
import { createPostureWatch } from "./posture-watch.ts";
import {
  createPostures,
  daysOf,
  hostPosturesOf,
  type NewerImageOf,
  type Postures,
  type UpdatesOf,
  createPostureHistory,
} from "./postures.ts";
import { overEvent } from "./changes.ts";
import { createRegister, type ExposureOf, type NodePortsOf } from "./register.ts";
import { acknowledgmentRoutes, insightRoutes, postureRoutes } from "./routes.ts";
import { createInsightService, type InsightService } from "./service.ts";
import { createSecurityStore } from "./store.ts";
import { createWatch, type Watch } from "./watch.ts";

export type { SecurityAlert, SecurityAlerts } from "./alert-care.ts";
export { ecosystemOfConfig } from "./ecosystem.ts";
export type { ConfigEcosystemOf } from "./ecosystem.ts";
export { publishedPorts, type Reach, reachOf } from "./insight.ts";
export type { NewerImageOf, UpdatesOf } from "./postures.ts";

export interface SecurityDependencies {
  database: Database;
  /** Started before this, and given observations before this. */
  containers: Pick<Containers, "present" | "service">;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  /** By default nothing is known of updates, and they do not count. */
  updatesOf?: UpdatesOf;
  /** By default there is none, and updating is no step. */
  newerImageOf?: NewerImageOf;
  /** What the configuration of a container's image says that it is made of. */
  ecosystemOf?: ConfigEcosystemOf;
  /** By default nothing is known of swarms. Asked after each refresh of one. */
  nodePortsOf?: NodePortsOf;
  /** By default nothing is known of Kubernetes. Asked after what changes it. */
  exposureOf?: ExposureOf;
  /** The score below which a host raises an alert; undefined: never. */
  postureThreshold?: number | undefined;
  /** Of the edition in force; by default it grants nothing. */
  grants?: (capability: "security_posture") => boolean;
}

export interface Security extends Pick<Watch, "observe">, HostData {
  insights: InsightService;
  postures: Postures;
  acknowledgments: Acknowledgments;
  routes: Route[];
  /** For assistants; made when they are asked for. */
  tools(): Promise<Tool[]>;
  /** The events of every problem that is open now. */
  announce(): Event[];
  /** `alerts` are those about what is found. */
  start(alerts: SecurityAlerts): Promise<void>;
  stop(): Promise<void>;
}

/** Events after which something else may be known against the images of containers. */
const CHANGES_UPDATES: ReadonlySet<EventName> = new Set(["update.scan_completed", "update.changed", "update.pinned", "update.unpinned"]);
const ALERTS_CHECKED_EVERY_MS = 30_000;
/** After a change; what else changes by then is saved with it. */
const HISTORY_WITHIN_MS = 5_000;
const POSTURE_CHECKED_EVERY_MS = 15_000;
const RETENTION_EVERY_MS = HOUR_MS;

/** Security: how exposed containers are, what people know and accept of it, and how safe that leaves things. */
export function createSecurity(dependencies: SecurityDependencies): Security {
  const { database, containers, bus, clock, scheduler, log, postureThreshold: threshold } = dependencies;
  const { updatesOf = () => undefined, newerImageOf = () => undefined, grants = () => false } = dependencies;
  const { present } = containers;
  const ecosystem = (container: SavedContainer) => ecosystemOf(container, dependencies.ecosystemOf?.(container));
  let unsubscribe: (() => void) | undefined;
  const store = createSecurityStore(database);
  const known = createKnownAcknowledgments();
  const register = createRegister({
    present,
    known,
    nodePortsOf: dependencies.nodePortsOf ?? (() => []),
    exposureOf: dependencies.exposureOf ?? (() => undefined),
  });
  const grace = createGrace({
    clock,
    onOver(assessment) {
      // One that was removed may be re-created: it is over when it is given up.
      if (containers.present.get(assessment.container.id)?.archivedAt instanceof Date) grace.wait(assessment);
      else bus.publish(overEvent(assessment, clock.now()));
    },
  });
  const care = createAlertCare({ register, grace, bus, clock, log });
  const history = createPostureHistory(store, (now) => daysOf(register, updatesOf, now));
  let saving: DueTimer | undefined;
  const insights = createInsightService({ register, containers, ecosystemOf: ecosystem });
  const postures = createPostures({ register, containers, history, updatesOf, newerImageOf, ecosystemOf: ecosystem, clock });
  const postureWatch =
    threshold === undefined
      ? undefined
      : createPostureWatch({
          postures: () => hostPosturesOf(register, updatesOf),
          threshold,
          isGranted: () => grants("security_posture"),
          bus,
          clock,
        });
  const acknowledgments = createAcknowledgments({
    store,
    known,
    register,
    containers,
    bus,
    clock,
    async onChange() {
      touchHistory();
      await care.sync();
    },
  });
  function touchHistory(): void {
    history.touch();
    saving?.within(HISTORY_WITHIN_MS);
  }

  const watch = createWatch({
    present,
    register,
    grace,
    bus,
    clock,
    onChange() {
      touchHistory();
      care.syncSoon();
    },
  });

  return {
    observe: watch.observe,
    insights,
    postures,
    acknowledgments,
    routes: [...insightRoutes(insights), ...postureRoutes(postures), ...acknowledgmentRoutes(acknowledgments)],
    tools: async () =>
      (await import("./tools.ts")).securityTools({ insights, postures, isPostureGranted: () => grants("security_posture") }),
    async holdHost() {
      const releases = [await acknowledgments.hold(), await history.hold()];
      return () => releases.forEach((release) => release());
    },
    purgeHost: store.purgeHost,
    forgetHost(agentId) {
      acknowledgments.forgetHost(agentId);
      grace.forgetHost(agentId);
      register.forgetHost(agentId);
      postureWatch?.forgetHost(agentId);
      touchHistory();
    },
    announce: () => [...care.announce(), ...(postureWatch?.announce() ?? [])],
    async start(alerts) {
      care.start(alerts);
      unsubscribe = bus.subscribe("security", ({ type }) => {
        if (CHANGES_UPDATES.has(type)) touchHistory();
      });
      await acknowledgments.load();
      watch.begin();
      scheduler.every({ name: "security alerts", everyMs: ALERTS_CHECKED_EVERY_MS, run: care.sync });
      saving = scheduler.whenDue({
        name: "security posture history",
        firstAfterMs: HISTORY_WITHIN_MS,
        run: () => history.keep(clock.now()),
      });
      if (postureWatch !== undefined)
        scheduler.every({ name: "security posture threshold", everyMs: POSTURE_CHECKED_EVERY_MS, run: postureWatch.evaluate });
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
      unsubscribe?.();
      care.stop();
      grace.stop();
    },
  };
}
