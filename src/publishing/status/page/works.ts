import type { MaintenanceRecord } from "../../../alerting/suppression/answers.ts";
import type { Event } from "../../../events.ts";
import type { Bus } from "../../../platform/bus.ts";
import type { Works } from "../seams.ts";
import type { PlannedWork } from "../vocabulary.ts";

export interface WorksDependencies {
  bus: Bus<Event>;
  /** Running ones, then the next to begin, then those that are over. */
  windows: () => readonly MaintenanceRecord[];
}

/** Maintenance windows that name components of the page. What they cover besides is left out. */
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
        if (type.startsWith("maintenance.")) for (const tell of listeners) tell();
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
