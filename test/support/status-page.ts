import { DAY_MS } from "../../src/contract/time.ts";
import { type Page, createPage } from "../../src/publishing/status/page/index.ts";
import type { Components, Incidents, Works } from "../../src/publishing/status/seams.ts";
import type { PageSettings } from "../../src/publishing/status/settings/index.ts";
import type { Board, Component, ComponentStatus, Day, Group, Incident, PlannedWork } from "../../src/publishing/status/vocabulary.ts";
import type { Clock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";

export const NOW = new Date("2026-11-21T04:12:00Z");

/** Ninety days until `NOW`; `worst` names those that were not all well, by how many days ago. */
export function days(worst: Record<number, ComponentStatus | null> = {}): Day[] {
  return Array.from({ length: 90 }, (_, index) => {
    const back = 89 - index;
    const status = back in worst ? (worst[back] ?? null) : "operational";
    const isOut = status === "major_outage" || status === "partial_outage";
    return {
      date: new Date(NOW.getTime() - back * DAY_MS).toISOString().slice(0, 10),
      worst: status,
      uptime: status === null ? null : isOut ? 0.99 : 1,
      outageSeconds: isOut ? 840 : 0,
    };
  });
}

export function aComponent(change: Partial<Component> & { id: number }): Component {
  return {
    groupId: null,
    name: `Service ${change.id}`,
    description: "",
    visible: true,
    status: "operational",
    observed: true,
    healthy: true,
    since: new Date("2026-11-01T00:00:00Z"),
    trackedSince: new Date("2026-01-01T00:00:00Z"),
    knownMs: 90 * DAY_MS,
    days: days(),
    uptime: 1,
    ...change,
  };
}

export function anIncident(change: Partial<Incident> & { id: number }): Incident {
  const createdAt = change.createdAt ?? new Date("2026-11-21T04:06:00Z");
  return {
    title: `Incident ${change.id}`,
    severity: "major",
    status: "investigating",
    components: [],
    impacts: new Map(),
    automatic: false,
    createdAt,
    updatedAt: createdAt,
    resolvedAt: null,
    updates: [{ id: change.id * 100, status: "investigating", message: "We are looking into it.", at: createdAt, editedAt: null }],
    ...change,
  };
}

export function aWork(change: Partial<PlannedWork> & { id: number }): PlannedWork {
  return {
    title: `Work ${change.id}`,
    description: "",
    startsAt: new Date("2026-11-22T01:00:00Z"),
    endsAt: new Date("2026-11-22T03:00:00Z"),
    active: false,
    components: [],
    ...change,
  };
}

export const SETTINGS: PageSettings = {
  title: "Shop status",
  description: "",
  accent: "#2257c5",
  logo: null,
  homepageUrl: null,
  supportUrl: null,
  domain: null,
  published: true,
  showUptime: true,
  updatedAt: null,
  feedId: "1f4c5e9a-9f5b-4e0e-9c53-0d8a3a6f7b21",
};

/** What the page is made of, for tests to change; `changed` notifies the page of it. */
export interface World {
  groups: Group[];
  components: Component[];
  incidents: Incident[];
  works: PlannedWork[];
  settings: PageSettings;
  canSubscribe: boolean;
  /** How often the page asked for the board, which it does to print. */
  boardsRead: number;
  /** How often it asked for what only the database knows. */
  lookups: number;
  changed(): void;
  /** The settings were saved. */
  settingsChanged(): void;
}

/** The page over a world in memory. */
export function openStatusPage(start?: Partial<World>): { world: World; page: Page; clock: FakeClock };
export function openStatusPage<Of extends Clock>(start: Partial<World> | undefined, clock: Of): { world: World; page: Page; clock: Of };
export function openStatusPage(
  start: Partial<World> = {},
  clock: Clock = createFakeClock(NOW),
): { world: World; page: Page; clock: Clock } {
  const listeners: (() => void)[] = [];
  const settingsListeners: (() => void)[] = [];
  const world: World = {
    groups: [],
    components: [],
    incidents: [],
    works: [],
    settings: SETTINGS,
    canSubscribe: false,
    boardsRead: 0,
    lookups: 0,
    changed: () => {
      for (const listener of listeners) listener();
    },
    settingsChanged: () => {
      for (const listener of settingsListeners) listener();
    },
    ...start,
  };
  const onChange = (listener: () => void): void => void listeners.push(listener);
  const components: Components = {
    board(): Board {
      world.boardsRead += 1;
      return { groups: world.groups, components: world.components };
    },
    find: (id) => world.components.find((each) => each.id === id),
    automaticFor: () => [],
    onChange,
  };
  const sorted = (): Incident[] => world.incidents.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  const incidents: Incidents = {
    current: () => [
      ...sorted().filter(({ resolvedAt }) => resolvedAt === null),
      ...sorted().filter(({ resolvedAt }) => resolvedAt !== null),
    ],
    async within({ from, until }) {
      world.lookups += 1;
      return sorted().filter(({ createdAt }) => createdAt >= from && createdAt < until);
    },
    latest: async (count) => sorted().slice(0, count),
    async find(id) {
      world.lookups += 1;
      return world.incidents.find((each) => each.id === id);
    },
    oldest: async () => sorted().at(-1)?.createdAt,
    onChange: () => undefined,
  };
  const works: Works = { list: () => world.works, onChange: () => undefined };
  const page = createPage({
    clock,
    scheduler: createScheduler(clock, silentLog),
    log: silentLog,
    baseUrl: "https://status.example.org",
    isDemo: false,
    components,
    incidents,
    works,
    settings: { current: () => world.settings, onChange: (listener) => void settingsListeners.push(listener) },
    canSubscribe: () => world.canSubscribe,
  });
  return { world, page, clock };
}

/** A shop with one service out, an incident, maintenance, and a past. */
export function theShop(): Partial<World> {
  return {
    groups: [
      { id: 1, name: "Shop" },
      { id: 2, name: "Back office" },
    ],
    components: [
      aComponent({ id: 1, groupId: 1, name: "Storefront", description: "What customers see first", days: days({ 40: "degraded" }) }),
      aComponent({
        id: 2,
        groupId: 1,
        name: "Checkout",
        status: "major_outage",
        since: new Date("2026-11-21T04:04:00Z"),
        days: days({ 0: "major_outage", 12: "partial_outage", 13: "degraded" }),
        uptime: 0.99812,
      }),
      aComponent({ id: 3, groupId: 1, name: "Search", days: days({ 3: "degraded" }) }),
      aComponent({
        id: 4,
        groupId: 2,
        name: "Customer mail",
        status: "maintenance",
        since: new Date("2026-11-21T04:00:00Z"),
        days: days({ 0: "maintenance" }),
      }),
      aComponent({
        id: 5,
        groupId: 2,
        name: "Reports",
        days: days(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [89 - at, null]))),
      }),
      aComponent({
        id: 6,
        groupId: 2,
        name: "Imports",
        status: "degraded",
        since: new Date("2026-11-21T03:00:00Z"),
        days: days({ 0: "degraded" }),
      }),
    ],
    incidents: [
      anIncident({
        id: 7,
        title: "Payments fail at checkout",
        status: "identified",
        components: [2],
        updates: [
          {
            id: 1,
            status: "investigating",
            message: "Payments fail for some customers.",
            at: new Date("2026-11-21T04:06:00Z"),
            editedAt: null,
          },
          {
            id: 2,
            status: "identified",
            message: "The release of 04:04 needs more memory than it has.\nWe are rolling back.",
            at: new Date("2026-11-21T04:11:00Z"),
            editedAt: null,
          },
        ],
        updatedAt: new Date("2026-11-21T04:11:00Z"),
      }),
      anIncident({
        id: 5,
        title: "Slow search",
        severity: "minor",
        status: "resolved",
        components: [3],
        createdAt: new Date("2026-11-18T10:00:00Z"),
        updatedAt: new Date("2026-11-18T11:20:00Z"),
        resolvedAt: new Date("2026-11-18T11:20:00Z"),
        updates: [
          {
            id: 3,
            status: "investigating",
            message: "Searches take longer than usual.",
            at: new Date("2026-11-18T10:00:00Z"),
            editedAt: null,
          },
          {
            id: 4,
            status: "resolved",
            message: "An index was missing. It is back, and searches are quick again.",
            at: new Date("2026-11-18T11:20:00Z"),
            editedAt: null,
          },
        ],
      }),
    ],
    works: [
      aWork({
        id: 1,
        title: "Mail server upgrade",
        active: true,
        startsAt: new Date("2026-11-21T04:00:00Z"),
        endsAt: new Date("2026-11-21T06:00:00Z"),
        components: [4],
      }),
      aWork({ id: 2, title: "Database maintenance", description: "Reports may be late by an hour.", components: [5, 6] }),
    ],
    settings: {
      ...SETTINGS,
      description: "How the shop and its services are doing.",
      homepageUrl: "https://shop.example.org",
      supportUrl: "https://shop.example.org/help",
    },
    canSubscribe: true,
  };
}
