import assert from "node:assert/strict";
import type { Event } from "../../src/events.ts";
import type { CreateBody } from "../../src/alerting/escalation/api.ts";
import { type RunDetail, runDetail } from "../../src/alerting/escalation/answers.ts";
import { createEscalation, type EscalationDependencies } from "../../src/alerting/escalation/index.ts";
import type { Settled } from "../../src/alerting/deliveries/index.ts";
import type { Alert, Notification } from "../../src/alerting/vocabulary.ts";
import { createBus } from "../../src/platform/bus.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { Scheduler } from "../../src/platform/scheduler.ts";
import type { Database } from "../../src/storage/database.ts";
import { alertRecord } from "./deliveries.ts";
import { declaredRoutes } from "./declared-routes.ts";
import { createHeldScheduler } from "./held-scheduler.ts";
import { createTestServer } from "./http-server.ts";
import type { FakeClock } from "./fake-clock.ts";

const NOON = new Date("2026-03-01T12:00:00Z");

/** A message as the outbox was given it. */
export interface Posted {
  id: number;
  channelId: number;
  alertId: number;
  event: Notification["event"];
  kind: string;
  level: number;
  at: Date;
}

export function createAlert(fields: Partial<Alert> = {}): Alert {
  const at = NOON;
  return {
    id: 1,
    source: "container",
    event: "restart_loop",
    entity: { type: "container", id: "42" },
    agentId: null,
    entityName: "web",
    severity: "critical",
    message: "web restarts again and again.",
    cause: null,
    parents: [],
    labels: {},
    channels: [],
    tags: [],
    details: {},
    status: "active",
    firedAt: at,
    lastRaisedAt: at,
    resolvedAt: null,
    resolvedBy: null,
    resolution: null,
    acknowledgedAt: null,
    acknowledgedBy: null,
    acknowledgedNote: null,
    suppressedBy: null,
    ...fields,
  };
}

/** What surrounds escalation and outlives a restart of it. */
export function createContext() {
  const posted: Posted[] = [];
  const outcomes = new Map<number, "pending" | Settled>();
  return {
    granted: true,
    settled: true,
    alerts: new Map<number, Alert>(),
    channels: new Map([1, 2, 3, 4].map((id) => [id, { name: `channel ${id}`, enabled: true }])),
    windows: [] as { from: Date; to: Date }[],
    silences: [] as { from: Date; to: Date }[],
    /** The channels that the ordinary path notifies of the end. */
    notified: [] as number[],
    posted,
    outcomes,
  };
}
export type Context = ReturnType<typeof createContext>;

/** Escalation as after a start of the program; without a scheduler its periodic work is done when the test says so. */
export async function openEscalation(
  database: Database,
  clock: FakeClock,
  around: Context = createContext(),
  { outbox: realOutbox, scheduler: ownScheduler }: { outbox?: EscalationDependencies["outbox"]; scheduler?: Scheduler } = {},
) {
  const events: Event[] = [];
  const bus = createBus<Event>(silentLog);
  bus.subscribe("test", (event) => void events.push(event));
  const { scheduler, run } = createHeldScheduler();
  const settledListeners: ((settled: Settled) => void)[] = [];
  const suppressionListeners: (() => void)[] = [];
  const users: ((channelId: number) => string[])[] = [];
  const escalation = createEscalation({
    database,
    bus,
    clock,
    scheduler: ownScheduler ?? scheduler,
    log: silentLog,
    channels: { get: (id) => around.channels.get(id), useBy: (namesOf) => void users.push(namesOf) },
    outbox: realOutbox ?? {
      async put(_tx, { notification, alertId, targets, at }) {
        return targets.map(({ channelId }) => {
          const id = around.posted.length + 1;
          const { event, escalation: step } = notification;
          around.posted.push({ id, channelId, alertId, event, kind: step?.kind ?? "", level: step?.level ?? -1, at });
          around.outcomes.set(id, "pending");
          return { id, channelId };
        });
      },
      wake: () => undefined,
      notified: async () => around.notified,
      outcomes: async () => around.outcomes,
      onSettled: (listener) => void settledListeners.push(listener),
    },
    suppression: {
      maintaining: (_alert, at) => longest(around.windows, at),
      silencing: (_alert, at) => longest(around.silences, at),
      onChange: (listener) => void suppressionListeners.push(listener),
    },
    alerts: { get: async (id) => around.alerts.get(id), record: ({ id }) => alertRecord(id), isSettled: () => around.settled },
    editions: { grants: () => around.granted },
  });
  await escalation.start();
  const asked = declaredRoutes(createTestServer({ routes: escalation.routes }), escalation.routes);
  const look = async (): Promise<void> => {
    if (ownScheduler === undefined) await run("escalation");
  };

  async function runs(alertId = 1): Promise<RunDetail[]> {
    const { body } = await asked.ask("GET", `/api/v1/alerts/${alertId}/escalation-runs`);
    const found = runDetail.omit({ deliveries: true }).array().parse(body["runs"]);
    return Promise.all(found.map(async ({ id }) => runDetail.parse(await asked.check("GET", "/api/v1/escalation-runs/{id}", { id }))));
  }

  return {
    events,
    routes: escalation.routes,
    asked,
    async makePolicy(levels: CreateBody["levels"], body: object = {}): Promise<number> {
      const made = await asked.check("POST", "/api/v1/escalation-policies", {}, { name: "Nights", levels, ...body });
      return Number(made["id"]);
    },
    runs,
    async theRun(alertId = 1): Promise<RunDetail> {
      const [only, ...more] = await runs(alertId);
      assert.ok(only !== undefined && more.length === 0);
      return only;
    },
    /** What was sent: which channel, what, at which second from noon. */
    received: (): unknown[] =>
      around.posted.map(({ channelId, event, kind, level, at }) => [channelId, event, kind, level, (at.getTime() - NOON.getTime()) / 1000]),
    users: (channelId: number) => users.flatMap((namesOf) => namesOf(channelId)),
    escalation,
    around,
    look,
    stop: escalation.stop,
    keepBooks: () => run("escalation bookkeeping"),
    /** Something about maintenance or silences changed. */
    async suppressionChanged(): Promise<void> {
      for (const listener of suppressionListeners) listener();
      await look();
    },
    /** Lets time pass, looking every second. */
    async pass(seconds: number): Promise<void> {
      for (let left = seconds; left > 0; left -= 1) {
        clock.jump(new Date(clock.now().getTime() + 1000));
        await look();
      }
    },
    async fire(fields: Partial<Alert> = {}): Promise<Alert> {
      const alert = createAlert(fields);
      around.alerts.set(alert.id, alert);
      await database.tables<object>().write((tx) => escalation.begin(tx, alert, clock.now()));
      escalation.wake();
      await look();
      return alert;
    },
    async end(alert: Alert, how: "acknowledged" | "resolved"): Promise<void> {
      const before = around.alerts.get(alert.id) ?? alert;
      const now = clock.now();
      const after: Alert =
        how === "acknowledged"
          ? { ...before, acknowledgedAt: now, acknowledgedBy: "kim" }
          : { ...before, status: "resolved", resolvedAt: now };
      await database.tables<object>().write((tx) => escalation.end(tx, after, how, now));
      around.alerts.set(alert.id, after);
      escalation.wake();
      await look();
    },
    /** The outbox is done with a message. */
    async settle(id: number, status: "sent" | "failed", error: string | null = null, { notifies = true } = {}): Promise<void> {
      const settled: Settled = { id, channelId: 1, status, error, at: clock.now(), escalation: { runId: 1, level: 0 } };
      around.outcomes.set(id, settled);
      if (!notifies) return;
      for (const listener of settledListeners) listener(settled);
      // A unit that is queued now is saved after that of the listener.
      await database.tables<object>().write(async () => undefined);
    },
    published: (type: Event["type"]) => events.filter((event) => event.type === type),
  };
}
export type OpenedEscalation = Awaited<ReturnType<typeof openEscalation>>;

function longest(periods: readonly { from: Date; to: Date }[], at: Date): { until: Date } | undefined {
  return periods
    .filter(({ from, to }) => from <= at && at < to)
    .map(({ to }) => ({ until: to }))
    .toSorted((a, b) => b.until.getTime() - a.until.getTime())[0];
}

export function levelsOf(...levels: [delaySeconds: number, ...channelIds: number[]][]): CreateBody["levels"] {
  return levels.map(([delay_seconds, ...channel_ids]) => ({ delay_seconds, channel_ids }));
}
