import type { AlertNotification, AlertRecord } from "../../src/alerting/alerts/api.ts";
import { createDeliveries, type DeliveryOrder, type Receivers, type Settled } from "../../src/alerting/deliveries/index.ts";
import type { Notification, SendOutcome, Target } from "../../src/alerting/vocabulary.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import type { Database } from "../../src/storage/database.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createMemoryLog } from "./http-server.ts";
import { turnUntil } from "./turn-until.ts";

export const DELIVERED: SendOutcome = { status: "delivered", statusCode: 200, durationMs: 1, error: null, retryAfterMs: null };
export const REFUSED: SendOutcome = { ...DELIVERED, status: "failed", statusCode: 503, error: "It answered 503." };

/** A record of which only the id matters. */
export function alertRecord(id: number): AlertRecord {
  return {
    id,
    agent_id: null,
    source: "container",
    event: "restart_loop",
    severity: "warning",
    status: "active",
    message: `Container ${id} restarts again and again.`,
    cause: null,
    entity_type: "container",
    entity_id: String(id),
    entity_name: `container-${id}`,
    labels: {},
    tags: [],
    details: {},
    suppressed_by: null,
    fired_at: "2026-03-01T12:00:00.000Z",
    last_raised_at: "2026-03-01T12:00:00.000Z",
    acknowledged_at: null,
    acknowledged_by: null,
    acknowledged_note: null,
    resolved_at: null,
    resolved_by: null,
    resolution: null,
    url: `https://watch.example/alerts/${id}`,
  };
}

export function notification(alertId: number, event: Notification["event"], at: Date): AlertNotification {
  return { event, alert: alertRecord(alertId), escalation: null, timestamp: at.toISOString() };
}

export interface Sent {
  key: string;
  channelId: number;
  event: string;
  alertId: number;
  atMs: number;
}

/** The outbox with channels that do as the test says; each sends at once what is put. */
export async function openDeliveries(database: Database, clock: FakeClock, { leaseMs }: { leaseMs?: number } = {}) {
  const log = createMemoryLog();
  const scheduler = createScheduler(clock, log);
  const sent: Sent[] = [];
  const noted: [channelId: number, status: string][] = [];
  const settled: Settled[] = [];
  const channels = new Map([1, 2, 3].map((id) => [id, { enabled: true }]));
  const updatedAt = clock.now();
  const behaviour = { send: async (_sent: Sent): Promise<SendOutcome> => DELIVERED };
  const receivers: Receivers = {
    get(id) {
      const channel = channels.get(id);
      return channel === undefined ? undefined : { ...channel, updatedAt };
    },
    async send(channelId, { event, alert }, { idempotencyKey }) {
      const one = { key: idempotencyKey, channelId, event, alertId: alert.id, atMs: clock.now().getTime() };
      sent.push(one);
      return behaviour.send(one);
    },
    noteOutcome: (channelId, { status }) => void noted.push([channelId, status]),
  };
  const outbox = createDeliveries({ database, channels: receivers, clock, scheduler, log, ...(leaseMs === undefined ? {} : { leaseMs }) });
  outbox.onSettled((one) => void settled.push(one));
  await outbox.start();
  const tables = database.tables<object>();

  return {
    outbox,
    routes: outbox.routes,
    log,
    sent,
    noted,
    settled,
    channels,
    behaviour,
    /** As the owner of an alert does it: a unit, and a wake after the commit. */
    async put(
      alertId: number,
      event: Notification["event"],
      channelIds: readonly number[],
      { notifyOnResolve = true, escalation = null }: { notifyOnResolve?: boolean; escalation?: DeliveryOrder["escalation"] } = {},
    ): Promise<{ id: number; channelId: number }[]> {
      const at = clock.now();
      const targets = channelIds.map((channelId): Target => ({ channelId, notifyOnResolve, because: `rule ${channelId}` }));
      const made = await tables.write((tx) =>
        outbox.put(tx, { notification: notification(alertId, event, at), alertId, targets, escalation, at }),
      );
      outbox.wake();
      return made;
    },
    /** Lets time pass until something holds. */
    passUntil: (condition: () => unknown): Promise<void> => turnUntil(clock, condition, { stepMs: 1000, mostMs: 3_600_000, everyMs: 1 }),
    async stop(): Promise<void> {
      await Promise.all([outbox.stop(), clock.advance(5000)]);
      await scheduler.stop();
    },
  };
}

export type OpenedDeliveries = Awaited<ReturnType<typeof openDeliveries>>;
