import { KEPT_DAYS } from "../../contract/retention.ts";
import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import type { Event } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { Dispatcher, type Mark } from "../../platform/dispatcher.ts";
import type { Attempt } from "../../platform/delivery-schedule.ts";
import type { Log } from "../../platform/log.ts";
import { type Outbound, OutboundError } from "../../platform/outbound.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import { createSerial } from "../../platform/queues.ts";
import type { Database } from "../../storage/database.ts";
import type { StoredSecrets } from "../../platform/stored-secrets.ts";
import { createEventIntake } from "./intake.ts";
import { webhookRoutes } from "./routes.ts";
import { createWebhookService, type Message } from "./service.ts";
import { createWebhookStore } from "./store.ts";
import {
  afterVerdicts,
  attemptOf,
  GONE,
  isSwitchedOff,
  OFF,
  signedHeaders,
  type WaitingDelivery,
  type Webhook,
  disabledEvent,
} from "./webhook.ts";

export interface WebhooksDependencies {
  database: Database;
  secrets: StoredSecrets;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  outbound: Pick<Outbound, "check" | "send">;
}

export interface Webhooks {
  routes: Route[];
  /** Publishes those that the service switched off. */
  announce(): Event[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const MOST_DELIVERIES = 1000;

/** Webhook subscriptions: events are signed and sent to their subscribers, and kept as rows until then. */
export function createWebhooks({ database, secrets, bus, clock, scheduler, log, outbound }: WebhooksDependencies): Webhooks {
  const store = createWebhookStore(database, secrets);
  const known = new Map<number, Webhook>();
  const serial = createSerial();
  let unsubscribe = (): void => undefined;
  let endKeeping = (): void => undefined;

  async function post({ webhook, type, key, body }: Message, signal: AbortSignal): Promise<Attempt> {
    const startedMs = clock.monotonicMs();
    const headers = signedHeaders({ secret: webhook.secret, type, key, body, at: clock.now() });
    try {
      const answer = await outbound.send({ url: webhook.url, method: "POST", headers, body, signal, timeoutMs: TIMEOUT_MS });
      return attemptOf(answer, clock.monotonicMs() - startedMs);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const durationMs = clock.monotonicMs() - startedMs;
      return { status: "failed", statusCode: null, durationMs, error: error.message, retryAfterMs: null };
    }
  }

  /** Marks of one page are of one subscription. */
  function keep(marks: readonly Mark<WaitingDelivery>[]): Promise<ReadonlySet<number>> {
    const id = marks[0]?.item.webhookId ?? 0;
    return serial(String(id), async () => {
      const before = known.get(id);
      if (before === undefined) return store.outbox.keep(marks);
      const next = { ...before, ...afterVerdicts(before, marks) };
      const kept = await store.keepWith(marks, { id, state: next });
      known.set(id, next);
      if (before.active && !next.active) {
        log.warn({ webhook: id }, "a webhook subscription was switched off: its deliveries failed again and again");
        bus.publish(disabledEvent(next, clock.now()));
      }
      return kept;
    });
  }

  const dispatcher = new Dispatcher<WaitingDelivery>({
    name: "webhooks",
    outbox: { ...store.outbox, keep },
    standing(id) {
      const webhook = known.get(id);
      if (webhook === undefined) return { patienceMs: 0, error: GONE };
      return webhook.active ? "open" : { patienceMs: 0, error: OFF };
    },
    revisionOf: (id) => known.get(id)?.updatedAt.getTime(),
    async attempt({ id, webhookId, type, body }, signal) {
      const webhook = known.get(webhookId);
      return webhook === undefined ? { refused: GONE } : post({ webhook, type, key: String(id), body }, signal);
    },
    clock,
    scheduler,
    log,
  });
  const intake = createEventIntake({ store, webhooks: () => known.values(), poke: (webhookId) => dispatcher.poke(webhookId), clock, log });
  const service = createWebhookService({ store, known, serial, checkUrl: (url) => outbound.check(url), post, bus, clock });

  async function prune(signal: AbortSignal): Promise<void> {
    for (const id of await store.withDeliveries()) {
      const before = new Date(clock.now().getTime() - KEPT_DAYS.webhookDeliveries * DAY_MS);
      while (!signal.aborted && (await store.prune(id, { before, most: known.has(id) ? MOST_DELIVERIES : 0 })));
    }
  }

  return {
    routes: webhookRoutes(service),
    announce: () => [...known.values()].filter(isSwitchedOff).map((webhook) => disabledEvent(webhook, clock.now())),
    async start() {
      for (const webhook of await store.all()) known.set(webhook.id, webhook);
      endKeeping = bus.keepBy(intake.keep);
      unsubscribe = bus.subscribe("webhooks", intake.take);
      dispatcher.start();
      scheduler.every({ name: "webhook retention", everyMs: HOUR_MS, firstAfterMs: 130_000, run: prune });
    },
    async stop() {
      endKeeping();
      unsubscribe();
      await intake.stop();
      await dispatcher.stop();
    },
  };
}
