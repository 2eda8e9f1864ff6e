import type { MaintenanceRecord } from "../../../alerting/suppression/answers.ts";
import type { Event } from "../../../events.ts";
import type { Bus } from "../../../platform/bus.ts";
import type { Clock } from "../../../platform/clock.ts";
import { isServiceError } from "../../../platform/errors.ts";
import type { Serial } from "../../../platform/queues.ts";
import { createAbsences } from "./absence.ts";
import { oldestDay } from "./account.ts";
import { CountedTime } from "./counted-time.ts";
import { pageEvent, stateEvents } from "./records.ts";
import { differs, isWithoutData, type SavedComponent, saysNew, type Settings, type State, stateAfter } from "./component.ts";
import { monitorOf, type Monitors } from "./monitors.ts";
import type { ComponentStatus, Impact } from "../vocabulary.ts";
import type { Projection } from "./projection.ts";
import type { ComponentStore } from "./store.ts";
import { Succession } from "./succession.ts";
import { type RunningWorks, runningWorks, statusByWorks } from "./derivation.ts";

/** How often monitors are looked at, and time is counted. */
export const LOOK_EVERY_MS = 1000;
/** All that changes components is done one after another. */
export const ONE_BY_ONE = "components";
/** Report something that appeared under a name. */
const MAY_BRING_SUCCESSORS: ReadonlySet<Event["type"]> = new Set(["container.discovered", "container.updated", "endpoint.created"]);

const REMOVALS: ReadonlySet<Event["type"]> = new Set(["container.removed", "endpoint.removed"]);

/** Keeps components as their monitors, maintenance and time make them. */
export interface Updater {
  load(): Promise<void>;
  /** Counts what passed since the last time, unless nobody was there. Answers in how many milliseconds to count again. */
  countTime(): number;
  /** One after another with everything that changes components; what passed until then is counted. */
  inLine<Result>(work: () => Promise<Result>): Promise<Result>;
  /** What becomes of a component with these settings; the id undefined for one that is yet to be made. */
  stateOf(settings: Settings & Partial<State>, id?: number): State;
  /** Publishes what was saved and put into the projection, and the status of the page if that changed. */
  publish(events: readonly Event[]): void;
  onEvent(event: Event): Promise<void> | undefined;
  /** Open incidents have changed. */
  onIncidentsChanged(): Promise<void>;
  /** Looks at all monitors and windows. Answers in how many milliseconds to look again. Throws `storage_unavailable`; then it is as before, and the next look finds it again. */
  look(): Promise<number>;
  /** Saves the accounts. Throws `storage_unavailable`; then they wait. */
  saveDays(): Promise<void>;
  prune(): Promise<void>;
  onChange(listener: () => void): void;
}

export interface UpdaterParts {
  store: ComponentStore;
  projection: Projection;
  serial: Serial;
  monitors: Monitors;
  windows: () => readonly MaintenanceRecord[];
  /** The impact of open incidents on a component. */
  impactOn: (componentId: number) => Impact | null;
  bus: Bus<Event>;
  clock: Clock;
}

export function createUpdater({ store, projection, serial, monitors, windows, impactOn, bus, clock }: UpdaterParts): Updater {
  const listeners: (() => void)[] = [];
  let planned: readonly MaintenanceRecord[] = [];
  let publishedStatus: ComponentStatus = "operational";
  let isLookWanted = false;
  /** Pieces of work that wait or run. */
  let inHand = 0;
  /** Components that show missing data which could not be saved, as they were saved. */
  const withoutSaving = new Map<number, SavedComponent>();
  const time = new CountedTime({ projection, clock });
  const succession = new Succession(monitors);
  const absences = createAbsences({ mayReturn: monitors.mayReturn, monotonicMs: clock.monotonicMs });

  async function inLine<Result>(work: () => Promise<Result>): Promise<Result> {
    inHand += 1;
    try {
      return await serial(ONE_BY_ONE, () => {
        time.count();
        return work();
      });
    } finally {
      inHand -= 1;
    }
  }

  /** Without components nothing is looked at. */
  function nextLookMs(): number {
    return projection.components().length > 0 ? LOOK_EVERY_MS : Infinity;
  }

  function stateNow(component: Settings & Partial<State>, works: RunningWorks, id: number | undefined): State {
    const now = clock.now();
    const { monitor, agentId = null, needsAttention = false, status = "operational", since = now } = component;
    const look = monitors.look(monitor);
    const standsFor = look?.entities ?? [
      { type: monitor.type, id: String(monitor.id) },
      { type: "agent", id: agentId ?? "local" },
    ];
    const isGone = absences.isGone({ monitor, agentId, needsAttention }, look);
    const inMaintenance = statusByWorks(works, id ?? 0, { standsFor, members: look?.members });
    return stateAfter({ ...component, status, since }, { look, isGone, inMaintenance, impact: impactOn(id ?? 0), now });
  }

  /** Components that were observed since that was saved. */
  function lastObserved(): SavedComponent[] {
    const works = runningWorks(planned, clock.now());
    return projection.components().flatMap((component) => {
      const { lastObservedAt } = stateNow(component, works, component.id);
      return lastObservedAt.getTime() === component.lastObservedAt.getTime() ? [] : [{ ...component, lastObservedAt }];
    });
  }

  async function lookNow(): Promise<void> {
    const now = clock.now();
    const works = runningWorks(planned, now);
    const before = projection.components();
    const changes: { before: SavedComponent; after: SavedComponent }[] = [];
    for (const [index, component] of succession.follow(before).entries()) {
      const known = before[index] ?? component;
      const saved = withoutSaving.get(component.id) ?? known;
      const state = stateNow(component, works, component.id);
      if (component !== known || differs(known, state) || differs(saved, state))
        changes.push({ before: saved, after: { ...component, ...state } });
    }
    if (changes.length === 0) return;
    const days = projection.unsavedDays(new Set(changes.map(({ after }) => after.id)));
    try {
      await store.save({ components: changes.map(({ after }) => after), days });
    } catch (error) {
      succession.search();
      showMissingData(changes);
      throw error;
    }
    withoutSaving.clear();
    projection.daysSaved(days);
    for (const { after } of changes) projection.put(after);
    publish(changes.flatMap((change) => stateEvents(change.before, change.after, now)));
  }

  /** While nothing can be saved nothing is observed either, and the page must not keep showing it as operational. */
  function showMissingData(changes: readonly { before: SavedComponent; after: SavedComponent }[]): void {
    const missing = changes.filter(({ after }) => isWithoutData(after) && !withoutSaving.has(after.id));
    for (const { before, after } of missing) {
      withoutSaving.set(after.id, before);
      projection.put(after);
    }
    if (missing.length > 0) changed();
  }

  function publish(events: readonly Event[]): void {
    const status = projection.pageStatus();
    for (const event of events) bus.publish(event);
    if (status !== publishedStatus) bus.publish(pageEvent(publishedStatus, status, clock.now()));
    publishedStatus = status;
    changed();
  }

  function changed(): void {
    for (const listener of listeners) listener();
  }

  /** All that comes until it is this one's turn is found by the same look. */
  async function lookSoon(): Promise<void> {
    if (isLookWanted) return;
    isLookWanted = true;
    try {
      await inLine(() => {
        isLookWanted = false;
        return lookNow();
      });
    } catch (error) {
      // That there is no database is logged elsewhere, once; the look of the next second finds it again.
      if (!isServiceError(error, "storage_unavailable")) throw error;
    }
  }

  return {
    async load() {
      const { groups, components, days } = await store.load(clock.now());
      for (const group of groups) projection.putGroup(group);
      for (const component of components) projection.put(component);
      for (const day of days) projection.putDay(day);
      planned = windows();
      publishedStatus = projection.pageStatus();
      time.start();
    },
    countTime() {
      time.count();
      return nextLookMs();
    },
    inLine,
    stateOf: (settings, id) => stateNow(settings, runningWorks(planned, clock.now()), id),
    publish,
    async onIncidentsChanged() {
      await lookSoon();
      // One that names no component changes the page alone.
      publish([]);
    },
    onEvent(event) {
      if (event.type.startsWith("maintenance.")) {
        planned = windows();
        return lookSoon();
      }
      if (succession.isAnyLost() && MAY_BRING_SUCCESSORS.has(event.type)) {
        succession.search();
        return lookSoon();
      }
      const monitor = monitorOf(event);
      if (monitor !== undefined && REMOVALS.has(event.type)) absences.removed(monitor);
      // What stands for a group or a host would be looked at whole for each event: the look of each second finds it.
      const standing = monitor === undefined ? [] : projection.standFor(monitor);
      if (standing.length === 0) return undefined;
      // What is being saved is not in the projection yet.
      return inHand > 0 || standing.some((component) => saysNew(component, monitors.look(component.monitor))) ? lookSoon() : undefined;
    },
    look: () =>
      inLine(async () => {
        planned = windows();
        await lookNow();
        if (time.isNewDay()) changed();
        return Math.min(nextLookMs(), time.untilMidnightMs());
      }),
    saveDays: () =>
      inLine(async () => {
        const days = projection.unsavedDays();
        const observed = lastObserved();
        if (days.length + observed.length > 0) await store.save({ days, observed });
        projection.daysSaved(days);
        projection.observed(observed);
        if (projection.refreshBars()) changed();
        // No event reports what is ignored.
        succession.search();
      }),
    prune: () =>
      inLine(async () => {
        await store.prune(oldestDay(clock.now()));
        projection.forgetDays();
      }),
    onChange: (listener) => void listeners.push(listener),
  };
}
