import { SUPPRESSION_BOUNDS } from "../../contract/suppression.ts";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { type Fault, refuseFaults, ServiceError } from "../../platform/errors.ts";
import { createSerial } from "../../platform/queues.ts";
import { type GroupOf, subjectsOf } from "../scope.ts";
import type { Alert, Entity } from "../vocabulary.ts";
import type { MaintenanceBody, MaintenanceUpdate, WindowStatus } from "./api.ts";
import type { MaintenanceList, MaintenanceRecord } from "./answers.ts";
import { covers, type MaintenanceWindow, plannedStatus, readPlan, statusChange, windowStatus } from "./maintenance-window.ts";
import { maintenanceEvent, maintenanceRecord } from "./records.ts";
import { nextChangeMs, createForgetting, type Over } from "./period.ts";
import type { WindowStore } from "./store.ts";

/** How many changes are published in one unit. */
const BATCH = 500;

const LISTED_FIRST: readonly WindowStatus[] = ["active", "scheduled", "ended"];

export interface Maintenance {
  /** By default components cover nothing, and every id counts as existing. */
  start(components?: NamedComponents): Promise<void>;
  /** Running windows, then the next to begin, then past ones, latest first. */
  list(): MaintenanceList;
  /** Throws `unusable_values`, and `conflict` when there are too many. */
  create(body: MaintenanceBody): Promise<MaintenanceRecord>;
  /** Throws `not_found`, `unusable_values`. */
  update(id: number, body: MaintenanceUpdate): Promise<MaintenanceRecord>;
  /** Ends a window that is running. Throws `not_found`. */
  remove(id: number): Promise<void>;
  /** The window that covers an alert; of several, the one that lasts longest. */
  maintaining(alert: Alert, now: Date): { id: number; title: string; until: Date } | undefined;
  /**
   * Publishes windows that have begun or ended, and deletes those past their retention. Answers in how many milliseconds the next one begins or ends.
   * Throws `storage_unavailable`.
   */
  advance(): Promise<number>;
}

export interface MaintenanceDependencies {
  store: WindowStore;
  bus: Bus<Event>;
  clock: Clock;
  groupOf: GroupOf;
  changed: () => void;
}

/** The components of the status page that a window may name. */
export interface NamedComponents {
  /** The things that they stand for, without dependents. Called with every alert, so it must be quick. */
  coverOf(components: readonly number[]): readonly Entity[];
  hasComponent(id: number): boolean;
}

export function createMaintenance({ store, bus, clock, groupOf, changed }: MaintenanceDependencies): Maintenance {
  let named: NamedComponents = { coverOf: () => [], hasComponent: () => true };
  const known = new Map<number, MaintenanceWindow>();
  /** Windows that are not over by their published status: every alert is matched against these few. */
  const standing = new Map<number, MaintenanceWindow>();
  const forget = createForgetting(store.remove);
  const serial = createSerial();
  const oneByOne = <Result>(work: () => Promise<Result>): Promise<Result> => serial("maintenance", work);

  function find(id: number): MaintenanceWindow {
    const window = known.get(id);
    if (window === undefined) throw new ServiceError("not_found", `There is no maintenance window ${id}.`);
    return window;
  }

  /** Components that the window already names may have been deleted since. */
  function unknownComponents(plan: Pick<MaintenanceWindow, "components">, before?: MaintenanceWindow): Fault[] {
    const unknown = plan.components.filter((id) => before?.components.includes(id) !== true && !named.hasComponent(id));
    return unknown.length === 0 ? [] : [{ path: "components", message: `There is no component ${unknown.join(", ")}` }];
  }

  function put(window: MaintenanceWindow): void {
    known.set(window.id, window);
    if (window.published === "ended") standing.delete(window.id);
    else standing.set(window.id, window);
  }

  /** Publishes how the window was changed, and whether it began or ended by that. */
  function publish(
    what: "created" | "updated" | "deleted" | undefined,
    before: WindowStatus | undefined,
    after: MaintenanceWindow,
    now: Date,
  ): void {
    const change = statusChange(before, what === "deleted" ? undefined : after.published);
    if (what !== undefined) bus.publish(maintenanceEvent(what, after, now));
    if (change !== undefined) bus.publish(maintenanceEvent(change, after, now));
  }

  async function advanceAll(now: Date): Promise<void> {
    const transitions = [...standing.values()]
      .map((window) => ({ id: window.id, from: window.published, to: windowStatus(window, now) }))
      .filter(({ from, to }) => from !== to)
      .slice(0, BATCH);
    if (transitions.length === 0) return;
    const ours = await store.claim(transitions);
    for (const { id, from, to } of transitions) {
      const window = known.get(id);
      if (window === undefined) continue;
      const next = { ...window, published: to };
      put(next);
      if (ours.has(id)) publish(undefined, from, next, now);
    }
    changed();
  }

  async function forgetSome(now: Date): Promise<void> {
    const over = (): Over[] => [...known.values()].filter(({ id }) => !standing.has(id)).map(({ id, endsAt }) => ({ id, since: endsAt }));
    for (const id of await forget(known.size - standing.size, over, now)) known.delete(id);
  }

  return {
    async start(components = named) {
      named = components;
      for (const window of await store.load()) put(window);
    },

    list() {
      const now = clock.now();
      const rank = (window: MaintenanceWindow): number => LISTED_FIRST.indexOf(windowStatus(window, now));
      const windows = [...known.values()].toSorted((a, b) => rank(a) - rank(b) || (rank(a) === 2 ? -1 : 1) * byStart(a, b));
      return { maintenance: windows.map((window) => maintenanceRecord(window, now)), total: windows.length };
    },

    create: (body) =>
      oneByOne(async () => {
        const now = clock.now();
        const { plan, faults } = readPlan(body, undefined, now);
        refuseFaults([...faults, ...unknownComponents(plan)]);
        refuseTooMany(standing.size);
        const created = await store.insert({ ...plan, createdAt: now, updatedAt: now, published: plannedStatus(plan, now) });
        put(created);
        publish("created", undefined, created, now);
        changed();
        return maintenanceRecord(created, now);
      }),

    update: (id, body) =>
      oneByOne(async () => {
        const before = find(id);
        const now = clock.now();
        const { plan, faults } = readPlan(body, before, now);
        refuseFaults([...faults, ...unknownComponents(plan, before)]);
        const next: MaintenanceWindow = { ...before, ...plan, updatedAt: now, published: plannedStatus(plan, now) };
        if (before.published === "ended" && next.published !== "ended") refuseTooMany(standing.size);
        await store.update(next);
        put(next);
        publish("updated", before.published, next, now);
        changed();
        return maintenanceRecord(next, now);
      }),

    remove: (id) =>
      oneByOne(async () => {
        const window = find(id);
        await store.remove([id]);
        known.delete(id);
        standing.delete(id);
        publish("deleted", window.published, window, clock.now());
        changed();
      }),

    maintaining(alert, now) {
      const things = [...subjectsOf(alert, groupOf), ...alert.parents];
      let longest: MaintenanceWindow | undefined;
      for (const window of standing.values()) {
        if (longest !== undefined && window.endsAt <= longest.endsAt) continue;
        if (windowStatus(window, now) !== "active") continue;
        const covered = window.components.length === 0 ? [] : named.coverOf(window.components);
        if (covers(window, covered, things)) longest = window;
      }
      return longest === undefined ? undefined : { id: longest.id, title: longest.title, until: longest.endsAt };
    },

    advance: () =>
      oneByOne(async () => {
        const now = clock.now();
        await advanceAll(now);
        await forgetSome(now);
        return nextChangeMs(standing.values(), now);
      }),
  };
}

function byStart(a: MaintenanceWindow, b: MaintenanceWindow): number {
  return a.startsAt.getTime() - b.startsAt.getTime() || a.id - b.id;
}

function refuseTooMany(standing: number): void {
  if (standing < SUPPRESSION_BOUNDS.records) return;
  throw new ServiceError(
    "conflict",
    `There are ${SUPPRESSION_BOUNDS.records} maintenance windows running or planned already; delete some.`,
  );
}
