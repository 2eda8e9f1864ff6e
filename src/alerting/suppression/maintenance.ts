import { SUPPRESSION_BOUNDS } from "../../contract/suppression.ts";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { type Fault, refuseFaults, ServiceError } from "../../platform/errors.ts";
import { createSerial } from "../../platform/queues.ts";
import type { GroupOf } from "../scope.ts";
import type { Alert, Entity } from "../vocabulary.ts";
import type { MaintenanceBody, MaintenanceUpdate, WindowStatus } from "./api.ts";
import type { MaintenanceList, MaintenanceRecord } from "./answers.ts";
import { covers, type MaintenanceWindow, plannedStatus, readPlan, statusChange, windowStatus } from "./maintenance-window.ts";
import { maintenanceEvent, maintenanceRecord } from "./records.ts";
import { createRegister } from "./register.ts";
import type { WindowStore } from "./store.ts";

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
  /** Does what is due by now. Answers in how many milliseconds the next one begins or ends. Throws `storage_unavailable`. */
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
  const serial = createSerial();
  const oneByOne = <Result>(work: () => Promise<Result>): Promise<Result> => serial("maintenance", work);
  const register = createRegister({
    store,
    statusOf: windowStatus,
    isOver: (status) => status === "ended",
    overSince: ({ endsAt }: MaintenanceWindow) => endsAt,
    holds(window, alert, subjects) {
      const covered = window.components.length === 0 ? [] : named.coverOf(window.components);
      return covers(window, covered, [...subjects, ...alert.parents]);
    },
    answer: ({ id, title, endsAt }) => ({ id, title, until: endsAt }),
    publish: (window, from, now) => publish(undefined, from, window, now),
    changed,
    groupOf,
  });

  function find(id: number): MaintenanceWindow {
    const window = register.get(id);
    if (window === undefined) throw new ServiceError("not_found", `There is no maintenance window ${id}.`);
    return window;
  }

  /** Components that the window already names may have been deleted since. */
  function unknownComponents(plan: Pick<MaintenanceWindow, "components">, before?: MaintenanceWindow): Fault[] {
    const unknown = plan.components.filter((id) => before?.components.includes(id) !== true && !named.hasComponent(id));
    return unknown.length === 0 ? [] : [{ path: "components", message: `There is no component ${unknown.join(", ")}` }];
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

  return {
    async start(components = named) {
      named = components;
      for (const window of await store.load()) register.put(window);
    },

    list() {
      const now = clock.now();
      const rank = (window: MaintenanceWindow): number => LISTED_FIRST.indexOf(windowStatus(window, now));
      const windows = register.all().toSorted((a, b) => rank(a) - rank(b) || (rank(a) === 2 ? -1 : 1) * byStart(a, b));
      return { maintenance: windows.map((window) => maintenanceRecord(window, now)), total: windows.length };
    },

    create: (body) =>
      oneByOne(async () => {
        const now = clock.now();
        const { plan, faults } = readPlan(body, undefined, now);
        refuseFaults([...faults, ...unknownComponents(plan)]);
        refuseTooMany(register.standing().length);
        const created = await store.insert({ ...plan, createdAt: now, updatedAt: now, published: plannedStatus(plan, now) });
        register.put(created);
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
        if (before.published === "ended" && next.published !== "ended") refuseTooMany(register.standing().length);
        await store.update(next);
        register.put(next);
        publish("updated", before.published, next, now);
        changed();
        return maintenanceRecord(next, now);
      }),

    remove: (id) =>
      oneByOne(async () => {
        const window = find(id);
        await store.remove([id]);
        register.remove(id);
        publish("deleted", window.published, window, clock.now());
        changed();
      }),

    maintaining: register.holding,

    advance: () => oneByOne(() => register.advance(clock.now())),
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
