import type { Kysely } from "kysely";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { Route } from "../../http/route.ts";
import type { Clock } from "../../platform/clock.ts";
import { Dispatcher } from "../../platform/dispatcher.ts";
import type { Log } from "../../platform/log.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import type { AlertNotification } from "../alerts/api.ts";
import type { SendOutcome, Target } from "../vocabulary.ts";
import type { DeliveryRecord } from "./answers.ts";
import { deliveryRoutes } from "./routes.ts";
import { createDeliveryService } from "./service.ts";
import { createDeliveryStore } from "./store.ts";
import {
  type DeliveryTables,
  CHANNEL_GONE,
  CHANNEL_OFF,
  FIRING_NOT_SENT,
  OFF_PATIENCE_MS,
  type Settled,
  settledBy,
  type Step,
  type WaitingDelivery,
} from "./rows.ts";

export type { Settled } from "./rows.ts";

/** What deliveries need from channels. */
export interface Receivers {
  get(channelId: number): { enabled: boolean; updatedAt: Date } | undefined;
  send(channelId: number, notification: AlertNotification, options: { idempotencyKey: string; signal: AbortSignal }): Promise<SendOutcome>;
  noteOutcome(channelId: number, outcome: SendOutcome, at: Date): void;
}

export interface DeliveriesDependencies {
  database: Database;
  channels: Receivers;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  /** The display name of a host. */
  hostName?: ((agentId: string | null) => string | null) | undefined;
  /** How long a program keeps its channels after its last sign of life, where several share a database. */
  leaseMs?: number;
}

/** A notification of an alert, and the channels that it goes to, each once. */
export interface DeliveryOrder {
  notification: AlertNotification;
  alertId: number;
  targets: readonly Target[];
  escalation: Step | null;
  at: Date;
}

/** Notifications as rows: written together with what they report, sent after the commit, and retried until they are settled. */
export interface Outbox {
  routes: Route[];
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Writes one delivery for each channel, in the caller's unit. */
  put<Schema>(tx: Kysely<Schema>, order: DeliveryOrder): Promise<{ id: number; channelId: number }[]>;
  /** Deletes the deliveries of alerts, in the caller's unit; those that wait are sent first. */
  purgeAlerts(unit: Kysely<object>, alertIds: readonly number[]): Promise<void>;
  /** To be called after the commit: sends what is due. */
  wake(): void;
  /** Channels to which alert.fired was sent or still waits, and that want to be notified of the end. */
  notified(alertId: number): Promise<number[]>;
  /** Oldest first. */
  of(alertId: number): Promise<DeliveryRecord[]>;
  /** What became of deliveries, by id; one that does not exist is left out. */
  outcomes(ids: readonly number[]): Promise<Map<number, "pending" | Settled>>;
  /** Called for deliveries that are over, after that was saved. The process may end in between. */
  onSettled(listener: (settled: Settled) => void): void;
}

const KEPT_MS = 90 * DAY_MS;
const GONE_EVERY_MS = 30_000;
/** A unit that orders a delivery is committed within this time; until then every wake looks at its channel. */
const FRESH_MS = MINUTE_MS;

export function createDeliveries({ database, channels, clock, scheduler, log, hostName, leaseMs }: DeliveriesDependencies): Outbox {
  const store = createDeliveryStore(database);
  const listeners: ((settled: Settled) => void)[] = [];
  /** When something was last ordered for a channel, by the monotonic clock. */
  const fresh = new Map<number, number>();

  const dispatcher = new Dispatcher<WaitingDelivery>({
    name: "deliveries",
    outbox: store.outbox,
    standing(channelId) {
      const channel = channels.get(channelId);
      if (channel === undefined) return { patienceMs: 0, error: CHANNEL_GONE };
      return channel.enabled ? "open" : { patienceMs: OFF_PATIENCE_MS, error: CHANNEL_OFF };
    },
    revisionOf: (channelId) => channels.get(channelId)?.updatedAt.getTime(),
    async attempt({ id, channelId, body, isFiringUnsent }, signal) {
      if (isFiringUnsent) return { refused: FIRING_NOT_SENT };
      // The column was written from a notification of this type.
      const notification = JSON.parse(body) as AlertNotification;
      return channels.send(channelId, notification, { idempotencyKey: String(id), signal });
    },
    onKept(marks) {
      // All at once, so that channels save them together.
      for (const { item, attempt, at } of marks) if (attempt !== null) channels.noteOutcome(item.channelId, attempt, at);
      for (const { item, ...verdict } of marks) {
        const settled = settledBy(item, verdict);
        if (settled !== undefined) publish(settled);
      }
    },
    clock,
    scheduler,
    log,
    ...(leaseMs === undefined ? {} : { leaseMs }),
  });
  const service = createDeliveryService({ store, channelOf: channels.get, poke: (channelId) => dispatcher.poke(channelId), clock });

  function publish(settled: Settled): void {
    for (const listener of listeners) {
      try {
        listener(settled);
      } catch (error) {
        log.error({ delivery: settled.id, err: error }, "a listener to deliveries failed");
      }
    }
  }

  async function prune(signal: AbortSignal): Promise<void> {
    const nowMs = clock.now().getTime();
    while (!signal.aborted && (await store.prune({ beforeMs: nowMs - KEPT_MS, nowMs })));
  }

  async function pruneGone(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await store.pruneGone()));
  }

  return {
    routes: deliveryRoutes(service),
    async start() {
      dispatcher.start();
      scheduler.every({ name: "deliveries of what was deleted", everyMs: GONE_EVERY_MS, firstAfterMs: GONE_EVERY_MS, run: pruneGone });
      scheduler.every({ name: "delivery retention", everyMs: HOUR_MS, firstAfterMs: 110_000, run: prune });
    },
    stop: () => dispatcher.stop(),
    async put(tx, { notification, alertId, targets, escalation, at }) {
      if (targets.length === 0) return [];
      const nowMs = clock.monotonicMs();
      for (const { channelId } of targets) fresh.set(channelId, nowMs);
      const host = hostName?.(notification.alert.agent_id) ?? null;
      const body = JSON.stringify(host === null ? notification : { ...notification, host });
      // The caller's unit with the types of this feature's tables: they are in the same database.
      const unit = tx as unknown as Kysely<DeliveryTables>;
      return store.put(unit, { event: notification.event, body, alertId, targets, escalation, at });
    },
    wake() {
      const nowMs = clock.monotonicMs();
      for (const [channelId, putMs] of fresh) {
        if (nowMs - putMs > FRESH_MS) fresh.delete(channelId);
        dispatcher.poke(channelId);
      }
    },
    purgeAlerts: store.purgeAlerts,
    notified: store.notified,
    of: store.of,
    outcomes: store.outcomes,
    onSettled: (listener) => void listeners.push(listener),
  };
}
