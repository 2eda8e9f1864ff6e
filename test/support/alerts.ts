import { type Alerts, createAlerts, type Watches } from "../../src/alerting/alerts/index.ts";
import type { AlertNotification, AlertRecord, ListQuery } from "../../src/alerting/alerts/api.ts";
import type { AlertList } from "../../src/alerting/alerts/answers.ts";
import type { DeliveryRecord } from "../../src/alerting/deliveries/answers.ts";
import type { AlertSource, Problem, Target } from "../../src/alerting/vocabulary.ts";
import type { Event, EventData, EventName } from "../../src/events.ts";
import { createBus } from "../../src/platform/bus.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { Database } from "../../src/storage/database.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createHeldScheduler } from "./held-scheduler.ts";

export const NOTHING_ELSE = { limit: 1000, offset: 0 };

/** What was given out for channels, and what alerts ask of other parts, as the test says. Outlives the program. */
export function createAlertContext() {
  const put: { alertId: number; notification: AlertNotification; channels: number[] }[] = [];
  const escalated: string[] = [];
  const purged: number[] = [];
  const listeners: (() => void)[] = [];
  return {
    put,
    /** Which channels were notified that an alert began. */
    notified: new Map<number, Set<number>>(),
    escalated,
    /** Whether a policy matches the alerts. */
    isEscalated: true,
    /** The hosts whose messages of alerts were deleted. */
    purged,
    hostNames: new Map<string, string>(),
    /** Sent to channel 1 unless the test says otherwise. */
    targets: [{ channelId: 1, notifyOnResolve: true, because: "rule 1 of this channel" }] as Target[],
    silence: undefined as { id: number; reason: string; until: Date } | undefined,
    window: undefined as { title: string; until: Date } | undefined,
    watches: undefined as Watches | undefined,
    bad: new Map<AlertSource, readonly Event[]>(),
    /** Throws in the unit that saves the alert. */
    fault: undefined as Error | undefined,
    suppressionChanged: () => listeners.forEach((listener) => listener()),
    listeners,
    /** `fired 3`, in order. */
    sent: () => put.map(({ notification, alertId }) => `${notification.event.replace("alert.", "")} ${alertId}`),
  };
}

export type AlertContext = ReturnType<typeof createAlertContext>;

/** The feature as after a start of the program; its periodic work is done when the test says so. */
export async function openAlerts(
  database: Database,
  clock: FakeClock,
  around: AlertContext = createAlertContext(),
  { settled = true } = {},
) {
  const events: Event[] = [];
  const bus = createBus<Event>(silentLog);
  bus.subscribe("test", (event) => void events.push(event));
  const { scheduler, run } = createHeldScheduler();
  let wakes = 0;
  let escalationWakes = 0;
  around.listeners.length = 0;
  const alerts: Alerts = createAlerts({
    database,
    bus,
    clock,
    scheduler,
    log: silentLog,
    baseUrl: "https://watch.example",
    channels: { get: (id) => ({ name: `channel-${id}` }) },
    suppression: {
      silencing: () => around.silence,
      maintaining: () => around.window,
      onChange: (listener) => void around.listeners.push(listener),
    },
    routing: { route: () => ({ targets: around.targets, disabled: [], unknown: [] }) },
    outbox: {
      async put(_tx, { notification, alertId, targets }) {
        if (around.fault !== undefined) throw around.fault;
        if (notification.event === "alert.fired") {
          around.notified.set(alertId, new Set([...(around.notified.get(alertId) ?? []), ...targets.map(({ channelId }) => channelId)]));
        }
        around.put.push({ alertId, notification, channels: targets.map(({ channelId }) => channelId) });
      },
      purgeAlerts: async (_unit, alertIds) => void around.purged.push(...alertIds),
      wake: () => void (wakes += 1),
      notified: async (alertId) => [...(around.notified.get(alertId) ?? [])],
      of: async (alertId) => around.put.filter((each) => each.alertId === alertId).flatMap(deliveryRecords),
    },
    watches: around.watches,
    hostName: (agentId) => (agentId === null ? null : (around.hostNames.get(agentId) ?? null)),
    announcers: (["agent", "container", "endpoint", "heartbeat", "certificate", "resource", "update"] as const).map((source) => ({
      source,
      announce: () => around.bad.get(source) ?? [],
    })),
  });
  await alerts.start({
    async begin(_tx, alert) {
      around.escalated.push(`begin ${alert.id}`);
      return around.isEscalated;
    },
    async end(_tx, alert, how) {
      around.escalated.push(`${how} ${alert.id}`);
      return around.isEscalated;
    },
    purgeAlerts: async () => undefined,
    forgetAlerts: () => undefined,
    wake: () => void (escalationWakes += 1),
  });

  /** Until all that was published is processed. */
  async function quiesce(): Promise<void> {
    for (let turn = 0; turn < 10; turn += 1)
      await alerts.clear({ source: "swarm", event: "none", entity: { type: "none", id: "0" } }, "for the test");
  }

  if (settled) {
    alerts.settle();
    await quiesce();
  }
  const list = async (query: Partial<ListQuery> = {}): Promise<AlertList> => alerts.service.list({ ...NOTHING_ELSE, ...query });
  return {
    alerts,
    service: alerts.service,
    bus,
    events,
    around,
    quiesce,
    wakes: () => wakes,
    escalationWakes: () => escalationWakes,
    run: async (name: string): Promise<void> => {
      await run(name);
      await quiesce();
    },
    async publish<Name extends EventName>(type: Name, data: EventData[Name]): Promise<void> {
      bus.publish({ type, data } as unknown as Event);
      await quiesce();
    },
    list,
    /** The newest one. */
    last: async (): Promise<AlertRecord> => {
      const [newest] = (await list()).alerts;
      if (newest === undefined) throw new Error("there is no alert");
      return newest;
    },
    published: (type: EventName): unknown[] => events.filter((event) => event.type === type).map(({ data }) => data),
  };
}

export type OpenedAlerts = Awaited<ReturnType<typeof openAlerts>>;

function deliveryRecords({ alertId, notification, channels }: AlertContext["put"][number]): DeliveryRecord[] {
  return channels.map((channelId) => ({
    id: 1,
    alert_id: alertId,
    channel_id: channelId,
    event: notification.event,
    escalation: null,
    because: "rule 1 of this channel",
    replay_of: null,
    status: "sent",
    attempts: 1,
    next_attempt_at: null,
    last_attempt_at: notification.timestamp,
    last_status_code: 200,
    last_error: null,
    sent_at: notification.timestamp,
    created_at: notification.timestamp,
  }));
}

export function problem(of: Partial<Problem> = {}): Problem {
  return {
    source: "endpoint",
    event: "consecutive_failure",
    entity: { type: "endpoint", id: "7" },
    agentId: null,
    entityName: "shop",
    severity: "critical",
    message: "shop failed 3 checks in a row.",
    cause: null,
    parents: [],
    labels: {},
    channels: [],
    tags: [],
    details: {},
    ...of,
  };
}

/** A container in events. */
export function aboutContainer(of: Partial<EventData["container.updated"]> = {}): EventData["container.updated"] {
  return {
    id: 42,
    agent_id: null,
    name: "web",
    runtime: "docker",
    image: "shop/web:1",
    group: "shop",
    labels: {},
    alert_severity: "warning",
    alert_channels: [],
    alert_tags: [],
    timestamp: "2026-03-01T12:00:00.000Z",
    ...of,
  };
}

/** An endpoint of container 42 in events. */
export function aboutEndpoint(of: Partial<EventData["endpoint.created"]> = {}): EventData["endpoint.created"] {
  return {
    id: 7,
    agent_id: null,
    name: "shop",
    container_id: 42,
    container_name: "web",
    source: "label",
    type: "http",
    target: "http://shop.example/",
    status: "down",
    alerting: true,
    labels: {},
    alert_severity: "critical",
    alert_channels: ["ops"],
    alert_tags: ["shop"],
    timestamp: "2026-03-01T12:00:00.000Z",
    ...of,
  };
}

/** That endpoint failed. */
export function endpointAlert(of: Partial<EventData["endpoint.alert"]> = {}): EventData["endpoint.alert"] {
  return {
    ...aboutEndpoint(),
    previous_status: "up",
    consecutive_failures: 3,
    failure_threshold: 3,
    error: "Connection refused.",
    failure_class: "connect",
    http_status: null,
    failing_since: "2026-03-01T11:59:50.000Z",
    ...of,
  };
}
