import type { Event } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { DueTimer, Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import type { GroupOf } from "../scope.ts";
import type { Alert } from "../vocabulary.ts";
import type { MaintenanceRecord } from "./answers.ts";
import { createMaintenance, type NamedComponents } from "./maintenance.ts";
import { maintenanceRoutes, silenceRoutes } from "./routes.ts";
import { createSilences, type Silences } from "./silences.ts";
import { createSilenceStore, createWindowStore } from "./store.ts";

export interface SuppressionDependencies {
  database: Database;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  /** The active alerts, for previews; read on demand. */
  alerts: () => Iterable<Alert> | AsyncIterable<Alert>;
  groupOf: GroupOf;
}

export type { NamedComponents } from "./maintenance.ts";

/** When alerts are recorded but not sent: silences and maintenance windows. */
export interface Suppression extends Pick<Silences, "holdHost" | "purgeHost" | "forgetHost"> {
  routes: Route[];
  /** By default components of the status page cover nothing, and every id counts as existing. */
  start(components?: NamedComponents): Promise<void>;
  /** The silence that suppresses an alert; of several, the one that lasts longest. */
  silencing(alert: Alert, now: Date): { id: number; reason: string; until: Date } | undefined;
  /** The running window that covers the subject of an alert, or something that it depends on. */
  maintaining(alert: Alert, now: Date): { id: number; title: string; until: Date } | undefined;
  /** Running windows, then the next to begin, then past ones. */
  windows(): readonly MaintenanceRecord[];
  /** Called when a silence or window began, ended, or was created, changed or cancelled. */
  onChange(listener: () => void): void;
}

export function createSuppression({ database, bus, clock, scheduler, log, alerts, groupOf }: SuppressionDependencies): Suppression {
  const listeners: (() => void)[] = [];
  const shared = { bus, clock, groupOf, changed };
  const silences = createSilences({ ...shared, store: createSilenceStore(database), alerts });
  const maintenance = createMaintenance({ ...shared, store: createWindowStore(database) });
  let timer: DueTimer | undefined;

  function changed(): void {
    timer?.within(0);
    for (const listener of listeners) {
      try {
        listener();
      } catch (error) {
        log.error({ err: error }, "a listener to silences and maintenance failed");
      }
    }
  }

  /** What could not be published is published the next time. */
  async function advance(): Promise<number> {
    return Math.min(await maintenance.advance(), await silences.advance());
  }

  return {
    routes: [...silenceRoutes(silences), ...maintenanceRoutes(maintenance)],
    async start(components) {
      await silences.load();
      await maintenance.start(components);
      timer = scheduler.whenDue({ name: "silences and maintenance", run: advance });
    },
    holdHost: silences.holdHost,
    purgeHost: silences.purgeHost,
    forgetHost: silences.forgetHost,
    silencing: silences.silencing,
    maintaining: maintenance.maintaining,
    windows: () => maintenance.list().maintenance,
    onChange: (listener) => void listeners.push(listener),
  };
}
