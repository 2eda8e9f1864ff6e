import type { MaintenanceRecord } from "../../../alerting/suppression/answers.ts";
import { MINUTE_MS } from "../../../contract/time.ts";
import type { Event } from "../../../events.ts";
import type { Route } from "../../../http/route.ts";
import type { Bus } from "../../../platform/bus.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { Scheduler } from "../../../platform/scheduler.ts";
import type { Components, Incidents, Works } from "../seams.ts";
import type { Settings } from "../settings/index.ts";
import type { PlannedWork } from "../vocabulary.ts";
import { createArchive } from "./archive.ts";
import { PageCache } from "./page-cache.ts";
import { pageRoutes } from "./routes.ts";
import { createViewers } from "./viewers.ts";

export { INCIDENT_WORDS, SEVERITY_WORDS } from "./words.ts";
export { renderStatusShell, type ShellSettings } from "./shell.ts";

export interface PageDependencies {
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  /** The public origin. */
  baseUrl: string;
  components: Components;
  incidents: Incidents;
  works: Works;
  settings: Pick<Settings, "current" | "onChange">;
  /** Whether the page offers mails. */
  canSubscribe: () => boolean;
  /** Its data is made up, and the page says so. */
  isDemo: boolean;
}

export interface Page {
  routes: Route[];
  /** After the parts it is made of. */
  start(): void;
  stop(): void;
}

/** The public status page: a closed projection of what is known, rendered when it changes, and served from memory. Source: contract, section 8. */
export function createPage({
  clock,
  scheduler,
  log,
  baseUrl,
  components,
  incidents,
  works,
  settings,
  canSubscribe,
  isDemo,
}: PageDependencies): Page {
  const viewers = createViewers();
  const pageCache = new PageCache({ components, incidents, works, settings, canSubscribe, isDemo, viewers, clock, log, baseUrl });
  const archive = createArchive({ components, incidents, clock });

  function touch(): void {
    archive.clear();
    pageCache.touch();
  }

  return {
    routes: pageRoutes({ pageCache, archive, viewers, clock }),
    start() {
      for (const source of [components, incidents, works]) source.onChange(touch);
      // Whoever saved them looks at the page next.
      settings.onChange(() => {
        archive.clear();
        pageCache.render();
      });
      pageCache.render();
      // What the hour alone changes: the days, windows that are over.
      scheduler.every({ name: "status page", everyMs: MINUTE_MS, run: () => pageCache.render() });
    },
    stop() {
      pageCache.stop();
      viewers.dismiss();
    },
  };
}

interface WorksDependencies {
  bus: Bus<Event>;
  /** Running ones, then the next to begin, then those that are over. */
  windows: () => readonly MaintenanceRecord[];
}

/** Maintenance windows that name components of the page. Whatever else they cover is left out. */
export function createWorks({ bus, windows }: WorksDependencies): Works & { start(): void; stop(): void } {
  const listeners: (() => void)[] = [];
  let unsubscribe = (): void => undefined;
  return {
    list: () => windows().flatMap((window) => (window.components.length === 0 ? [] : [plannedWork(window)])),
    onChange(listener) {
      listeners.push(listener);
    },
    start() {
      unsubscribe = bus.subscribe("status page works", ({ type }) => {
        if (type.startsWith("maintenance.")) for (const listener of listeners) listener();
      });
    },
    stop: () => unsubscribe(),
  };
}

function plannedWork({ id, title, description, starts_at, ends_at, status, components }: MaintenanceRecord): PlannedWork {
  return {
    id,
    title,
    description,
    startsAt: new Date(starts_at),
    endsAt: new Date(ends_at),
    active: status === "active",
    components,
  };
}
