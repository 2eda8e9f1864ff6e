import type { Alert } from "../../../alerting/index.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/time.ts";
import type { Event } from "../../../events.ts";
import type { Route } from "../../../http/route.ts";
import type { Tool } from "../../../mcp/tool.ts";
import type { Bus } from "../../../platform/bus.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { PastChanges } from "../../../platform/look-back.ts";
import type { Scheduler } from "../../../platform/scheduler.ts";
import { createSerial } from "../../../platform/queues.ts";
import type { Database } from "../../../storage/database.ts";
import type { Components, Incidents, Notices } from "../seams.ts";
import { type Impact, impactOf, impactOnPage, IMPACTS } from "../vocabulary.ts";
import { Automation } from "./automation.ts";
import { shownIncident } from "./incident.ts";
import { createRepository } from "./repository.ts";
import { createRegister, RECENT } from "./register.ts";
import { incidentRoutes } from "./routes.ts";
import { createIncidentService } from "./service.ts";
import { createIncidentStore, createPastStore, type IncidentChange } from "./store.ts";

export interface IncidentsDependencies {
  database: Database;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  components: Pick<Components, "find" | "automaticFor">;
  notices: Notices;
  /** All that is wrong now, held back or not; known before this is started. */
  activeAlerts: () => readonly Alert[];
  /** Whether it is known which alerts are held back; no incident is opened before. */
  isSettled: () => boolean;
}

export interface StatusIncidents extends Incidents {
  /** Their past updates. */
  past: PastChanges<IncidentChange>;
  routes: Route[];
  /** For assistants; made when they are asked for. */
  tools(): Promise<Tool[]>;
  /** The worst impact of open incidents on a component; null: none. */
  impactOn(componentId: number): Impact | null;
  /** The impact on the page of those that name no component. */
  impactOnPage(): Impact | null;
  /** Reads what is saved, before components are started. */
  load(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = MINUTE_MS;
/** Of those that are resolved. */
const KEPT = { days: 400, most: 10_000 };
const MOST_WITHIN = 500;

/** Public incidents: written by users, or opened for alerts and ended with them. Source: specification, Status page records; contract, section 8. */
export function createIncidents(dependencies: IncidentsDependencies): StatusIncidents {
  const { database, bus, clock, scheduler, log, components, notices, activeAlerts, isSettled } = dependencies;
  const store = createIncidentStore(database);
  const register = createRegister();
  const listeners: (() => void)[] = [];
  const serial = createSerial();
  const repository = createRepository({ store, register, components, notices, bus, clock, changed });
  const service = createIncidentService({ store, register, repository, components, oneByOne, clock });
  const automation = new Automation({ register, repository, components, activeAlerts, isSettled, oneByOne, clock, log });
  let unsubscribe = (): void => undefined;

  function changed(): void {
    for (const listener of listeners) {
      try {
        listener();
      } catch (error) {
        log.error({ err: error }, "a listener to incidents failed");
      }
    }
  }

  /** One change after another, each made of what is saved. */
  function oneByOne<Result>(work: () => Promise<Result>): Promise<Result> {
    return serial("incidents", async () => {
      if (register.isDoubtful()) await reload();
      return work();
    });
  }

  async function load(): Promise<void> {
    const since = new Date(clock.now().getTime() - RECENT.forMs);
    const incidents = [...(await store.open()), ...(await store.resolvedSince(since, RECENT.most))];
    register.load({ incidents, links: await store.links() });
  }

  async function reload(): Promise<void> {
    await load();
    changed();
  }

  async function prune(signal: AbortSignal): Promise<void> {
    const before = new Date(clock.now().getTime() - KEPT.days * DAY_MS);
    while (!signal.aborted && (await store.prune(before, KEPT.most)));
  }

  return {
    routes: incidentRoutes(service),
    tools: async () => (await import("./tools.ts")).incidentTools({ service, components }),
    past: createPastStore(database),
    impactOn: (componentId) =>
      worstImpact(
        register
          .open()
          .filter(({ components: ids }) => ids.includes(componentId))
          .map((incident) => impactOf(incident, componentId)),
      ),
    impactOnPage: () =>
      worstImpact(
        register
          .open()
          .filter(({ components: ids }) => ids.length === 0)
          .map(impactOnPage),
      ),
    load,
    async start() {
      await reload();
      unsubscribe = bus.subscribe("incidents", (event) => automation.onEvent(event));
      await automation.look();
      scheduler.every({
        name: "incidents",
        everyMs: LOOK_EVERY_MS,
        async run() {
          if (register.forget(clock.now())) changed();
          await automation.look();
        },
      });
      scheduler.every({ name: "incident retention", everyMs: HOUR_MS, firstAfterMs: 160_000, run: prune });
    },
    async stop() {
      unsubscribe();
      await automation.stop();
    },
    current: () => register.current(clock.now()).map(shownIncident),
    within: async (span) => (await store.within(span, MOST_WITHIN)).map(shownIncident),
    latest: async (count) => (await store.latest(count)).map(shownIncident),
    async find(id) {
      const incident = register.byId(id) ?? (await store.find(id));
      return incident === undefined ? undefined : shownIncident(incident);
    },
    oldest: () => store.oldest(),
    onChange: (listener) => void listeners.push(listener),
  };
}

function worstImpact(impacts: readonly Impact[]): Impact | null {
  return IMPACTS.find((impact) => impacts.includes(impact)) ?? null;
}
