import { createBus } from "../../src/platform/bus.ts";
import type { Event } from "../../src/events.ts";
import { createSuppression, type NamedComponents } from "../../src/alerting/suppression/index.ts";
import { createRouting, type RoutedChannels } from "../../src/alerting/routing/index.ts";
import type { GroupOf } from "../../src/alerting/scope.ts";
import type { Alert } from "../../src/alerting/vocabulary.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { Scheduler } from "../../src/platform/scheduler.ts";
import type { Database } from "../../src/storage/database.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createHeldScheduler } from "./held-scheduler.ts";

/** An active alert about container 42, which runs on the local host. */
export function anAlert(change: Partial<Alert> = {}): Alert {
  const firedAt = new Date("2026-03-01T11:59:00Z");
  return {
    id: 1,
    source: "container",
    event: "restart_loop",
    entity: { type: "container", id: "42" },
    agentId: null,
    entityName: "web",
    severity: "warning",
    message: "web restarted 5 times in 10 minutes",
    cause: null,
    parents: [],
    labels: {},
    channels: [],
    tags: [],
    details: {},
    status: "active",
    firedAt,
    lastRaisedAt: firedAt,
    resolvedAt: null,
    resolvedBy: null,
    resolution: null,
    acknowledgedAt: null,
    acknowledgedBy: null,
    acknowledgedNote: null,
    suppressedBy: null,
    ...change,
  };
}

function openBus() {
  const events: Event[] = [];
  const bus = createBus<Event>(silentLog);
  bus.subscribe("test", (event) => void events.push(event));
  return { bus, events };
}

/** Silences and maintenance as after a start of the program. */
export async function openSuppression(
  database: Database,
  clock: FakeClock,
  {
    active = [],
    components,
    groupOf = () => undefined,
    scheduler,
  }: {
    active?: readonly Alert[];
    components?: NamedComponents;
    groupOf?: GroupOf;
    /** By default they move on when the test says so. */
    scheduler?: Scheduler;
  } = {},
) {
  const { bus, events } = openBus();
  const held = createHeldScheduler();
  let changes = 0;
  const alerts = (): readonly Alert[] => active;
  const suppression = createSuppression({ database, bus, clock, scheduler: scheduler ?? held.scheduler, log: silentLog, alerts, groupOf });
  suppression.onChange(() => void (changes += 1));
  await suppression.start(components);
  return {
    ...suppression,
    events,
    changes: () => changes,
    published: () => events.map(({ type }) => type),
    /** The periodic work. */
    look: held.runAll,
  };
}

export type OpenedSuppression = Awaited<ReturnType<typeof openSuppression>>;

export interface TestChannel {
  id: number;
  name: string;
  enabled: boolean;
  rules: { id: number; source: string | null; severity: string | null; entityType: string | null; entityId: string | null }[];
}

export function aChannel(id: number, change: Partial<TestChannel> = {}): TestChannel {
  return { id, name: `channel ${id}`, enabled: true, rules: [], ...change };
}

/** Routing as after a start of the program, over channels that the test holds and a history that it wrote. */
export async function openRouting(
  database: Database,
  clock: FakeClock,
  { channels = [], past = [], groupOf = () => undefined }: { channels?: TestChannel[]; past?: Iterable<Alert>; groupOf?: GroupOf } = {},
) {
  const { bus, events } = openBus();
  let users: (channelId: number) => string[] = () => [];
  const routed: RoutedChannels = {
    all: () => channels,
    get: (id) => channels.find((each) => each.id === id),
    useBy: (asked) => void (users = asked),
  };
  const history = {
    async *since(from: Date): AsyncGenerator<Alert> {
      for (const alert of past) if (alert.firedAt >= from) yield alert;
    },
  };
  const routing = createRouting({ database, bus, clock, channels: routed, history, groupOf });
  await routing.start();
  return { ...routing, events, usersOf: (channelId: number) => users(channelId) };
}

export type OpenedRouting = Awaited<ReturnType<typeof openRouting>>;
