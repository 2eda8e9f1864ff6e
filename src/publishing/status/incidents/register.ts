import { DAY_MS } from "../../../contract/time.ts";
import { compareIncidents, type KeptIncident } from "./incident.ts";

/** Of those that are resolved. */
export const RECENT = { forMs: 15 * DAY_MS, most: 500 } as const;

/** What everybody looks at, in memory: the open incidents, those resolved of late, and the active alerts of incidents. It changes only after a commit. */
export interface Register {
  load(saved: { incidents: readonly KeptIncident[]; links: ReadonlyMap<number, number> }): void;
  byId(id: number): KeptIncident | undefined;
  put(incident: KeptIncident): void;
  remove(id: number): void;
  open(): readonly KeptIncident[];
  openCount(): number;
  /** Open ones first, then the latest. */
  current(now: Date): KeptIncident[];
  /** Forgets those resolved long ago; answers whether there were any. */
  forget(now: Date): boolean;
  /** Incidents by their active alerts. */
  links(): ReadonlyMap<number, number>;
  link(alertIds: readonly number[], incidentId: number): void;
  unlink(alertIds: readonly number[]): void;
  hasAlerts(incidentId: number): boolean;
  /** What is here may not be what is saved. */
  doubt(): void;
  isDoubtful(): boolean;
}

export function createRegister(): Register {
  const incidents = new Map<number, KeptIncident>();
  const links = new Map<number, number>();
  let doubtful = false;

  const open = (): KeptIncident[] => [...incidents.values()].filter(({ resolvedAt }) => resolvedAt === null);
  const isRecent = ({ resolvedAt }: KeptIncident, now: Date): boolean =>
    resolvedAt === null || now.getTime() - resolvedAt.getTime() <= RECENT.forMs;

  return {
    load(saved) {
      incidents.clear();
      links.clear();
      for (const incident of saved.incidents) incidents.set(incident.id, incident);
      for (const [alertId, incidentId] of saved.links) links.set(alertId, incidentId);
      doubtful = false;
    },
    byId: (id) => incidents.get(id),
    put: (incident) => void incidents.set(incident.id, incident),
    remove: (id) => void incidents.delete(id),
    open,
    openCount: () => open().length,
    current: (now) => [...incidents.values()].filter((incident) => isRecent(incident, now)).toSorted(compareIncidents),
    forget(now) {
      const resolved = [...incidents.values()]
        .filter(({ resolvedAt }) => resolvedAt !== null)
        .toSorted((a, b) => Number(b.resolvedAt) - Number(a.resolvedAt));
      const old = resolved.filter((incident, index) => index >= RECENT.most || !isRecent(incident, now));
      for (const { id } of old) incidents.delete(id);
      return old.length > 0;
    },
    links: () => links,
    link(alertIds, incidentId) {
      for (const id of alertIds) links.set(id, incidentId);
    },
    unlink(alertIds) {
      for (const id of alertIds) links.delete(id);
    },
    hasAlerts: (incidentId) => [...links.values()].includes(incidentId),
    doubt: () => void (doubtful = true),
    isDoubtful: () => doubtful,
  };
}
