import type { Event } from "../../../events.ts";
import type { Bus } from "../../../platform/bus.ts";
import type { Clock } from "../../../platform/clock.ts";
import { ServiceError } from "../../../platform/errors.ts";
import type { Components, IncidentNotice, Notices } from "../seams.ts";
import type { Incident } from "../vocabulary.ts";
import { type KeptIncident, shownIncident, shownUpdate } from "./incident.ts";
import { deletedEvent, eventsOf } from "./records.ts";
import type { Register } from "./register.ts";
import type { IncidentStore, Tx } from "./store.ts";

/** What becomes of an incident. */
export interface Change {
  /** Undefined when it is opened. */
  before: KeptIncident | undefined;
  after: KeptIncident;
  /** Alerts. */
  joins?: readonly number[];
  leaves?: readonly number[];
}

/** Saves what becomes of incidents with all that follows from it in one unit, and then publishes it. Its caller makes sure that changes do not overtake each other. */
export interface Repository {
  /** Throws `not_found` when another process has deleted it, `conflict` when it has already handled one of the alerts. */
  keep(change: Change): Promise<KeptIncident>;
  /** The alerts alone. */
  tie(incidentId: number, alerts: { joins: readonly number[]; leaves: readonly number[] }): Promise<void>;
  remove(incident: KeptIncident): Promise<void>;
  /** As users see it: without components that are gone. */
  show(incident: KeptIncident): Incident;
}

export interface RepositoryDependencies {
  store: IncidentStore;
  register: Register;
  components: Pick<Components, "find">;
  notices: Notices;
  bus: Bus<Event>;
  clock: Clock;
  changed: () => void;
}

export function createRepository({ store, register, components, notices, bus, clock, changed }: RepositoryDependencies): Repository {
  const exists = (id: number): boolean => components.find(id) !== undefined;
  const show = (incident: KeptIncident): Incident => {
    const shown = shownIncident(incident);
    return { ...shown, components: shown.components.filter(exists) };
  };

  async function write<Result>(unit: (tx: Tx) => Promise<Result>): Promise<Result> {
    try {
      return await store.write(unit);
    } catch (error) {
      // It may still have been saved, or another process was faster.
      register.doubt();
      throw error;
    }
  }

  async function save(tx: Tx, { before, after, joins = [], leaves = [] }: Change): Promise<KeptIncident> {
    const saved = before === undefined ? await store.insert(tx, after) : await store.update(tx, before, after);
    if (saved === undefined) throw new ServiceError("not_found", `There is no incident ${after.id}.`);
    await saveLinks(tx, saved.id, joins, leaves);
    const notice = noticeOf(before, after, saved);
    if (notice !== undefined) await notices.put(tx, notice);
    return saved;
  }

  async function saveLinks(tx: Tx, incidentId: number, joins: readonly number[], leaves: readonly number[]): Promise<void> {
    const isOurs = (await store.unlink(tx, leaves)) && (await store.link(tx, joins, incidentId));
    if (!isOurs) throw new ServiceError("conflict", "Another process has already handled one of the alerts.");
  }

  function noticeOf(before: KeptIncident | undefined, after: KeptIncident, saved: KeptIncident): IncidentNotice | undefined {
    const update = hasUpdate(after) ? saved.updates.at(-1) : undefined;
    if (update === undefined || !update.notified) return undefined;
    const isOver = saved.resolvedAt !== null && (before === undefined || before.resolvedAt === null);
    const kind = isOver ? "incident_resolved" : before === undefined ? "incident_opened" : "incident_updated";
    return { kind, incident: shownIncident(saved), update: shownUpdate(update) };
  }

  return {
    show,

    async keep(change) {
      const { before, after, joins = [], leaves = [] } = change;
      const saved = await write((tx) => save(tx, change));
      const now = clock.now();
      register.put(saved);
      register.unlink(leaves);
      register.link(joins, saved.id);
      register.forget(now);
      changed();
      for (const event of eventsOf(before, show(saved), hasUpdate(after), now)) bus.publish(event);
      if (after.updates.some(({ id, notified }) => id === 0 && notified)) notices.wake();
      return saved;
    },

    async tie(incidentId, { joins, leaves }) {
      await write((tx) => saveLinks(tx, incidentId, joins, leaves));
      register.unlink(leaves);
      register.link(joins, incidentId);
    },

    async remove(incident) {
      await write((tx) => store.remove(tx, incident.id));
      register.remove(incident.id);
      changed();
      bus.publish(deletedEvent(show(incident), clock.now()));
    },
  };
}

/** An update was added that is not saved yet. */
function hasUpdate({ updates }: KeptIncident): boolean {
  return updates.at(-1)?.id === 0;
}
