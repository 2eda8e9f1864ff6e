import { randomBytes, randomUUID } from "node:crypto";
import { WEBHOOK_BOUNDS } from "../../contract/notifications.ts";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Attempt } from "../../platform/delivery-schedule.ts";
import { type Fault, isServiceError, refuseFaults, ServiceError } from "../../platform/errors.ts";
import type { Serial } from "../../platform/queues.ts";
import type { CreateBody, DeliveriesQuery, UpdateBody } from "./api.ts";
import type { CreatedWebhook, WebhookDeliveryList, WebhookList, WebhookRecord, WebhookTest } from "./answers.ts";
import { type Counts, webhookRecord } from "./rows.ts";
import type { WebhookStore } from "./store.ts";
import { shownUrl, switched, type Webhook, lifeEvent, faultsOf } from "./webhook.ts";

/** What can be asked of webhook subscriptions. Those that take an id throw `not_found`. */
export interface WebhookService {
  list(): Promise<WebhookList>;
  detail(id: number): Promise<WebhookRecord>;
  /** Throws `unusable_values` with every fault, or what is wrong with the address alone; `conflict` when there are too many. */
  create(body: CreateBody): Promise<CreatedWebhook>;
  update(id: number, body: UpdateBody): Promise<WebhookRecord>;
  remove(id: number): Promise<void>;
  /** Sends a test now, once, switched on or not; its outcome is not counted. */
  test(id: number, signal: AbortSignal): Promise<WebhookTest>;
  deliveries(id: number, query: DeliveriesQuery): Promise<WebhookDeliveryList>;
}

/** A message to one subscription. */
export interface Message {
  webhook: Webhook;
  type: string;
  /** Names the delivery, the same at every attempt. */
  key: string;
  body: string;
}

export interface WebhookServiceDependencies {
  store: WebhookStore;
  /** The subscriptions as they were last saved. */
  known: Map<number, Webhook>;
  /** Changes of one subscription, one after another. */
  serial: Serial;
  checkUrl(url: string): Promise<unknown>;
  post(message: Message, signal: AbortSignal): Promise<Attempt>;
  bus: Bus<Event>;
  clock: Clock;
}

const NO_COUNTS: Counts = { pending: 0, dropped: 0 };

export function createWebhookService({ store, known, serial, checkUrl, post, bus, clock }: WebhookServiceDependencies): WebhookService {
  function find(id: number): Webhook {
    const webhook = known.get(id);
    if (webhook === undefined) throw new ServiceError("not_found", "There is no such webhook subscription.");
    return webhook;
  }

  /** Every fault at once, although the address has its own error. */
  async function check({ url, event_types: eventTypes }: UpdateBody): Promise<void> {
    const faults = faultsOf(eventTypes ?? []);
    try {
      if (url !== undefined) await checkUrl(url);
    } catch (error) {
      if (!isServiceError(error) || faults.length === 0) throw error;
      faults.push(...(Array.isArray(error.details) ? (error.details as Fault[]) : [{ path: "url", message: error.message }]));
    }
    refuseFaults(faults);
  }

  async function record(webhook: Webhook): Promise<WebhookRecord> {
    return webhookRecord(webhook, (await store.counts()).get(webhook.id) ?? NO_COUNTS);
  }

  return {
    async list() {
      const counts = await store.counts();
      const webhooks = [...known.values()].map((webhook) => webhookRecord(webhook, counts.get(webhook.id) ?? NO_COUNTS));
      return { webhooks, total: webhooks.length };
    },
    detail: async (id) => record(find(id)),
    async create(body) {
      await check(body);
      return serial("new", async () => {
        if (known.size >= WEBHOOK_BOUNDS.subscriptions) {
          throw new ServiceError(
            "conflict",
            `There are ${WEBHOOK_BOUNDS.subscriptions} webhook subscriptions, which is as many as there may be.`,
          );
        }
        const now = clock.now();
        const webhook = await store.create({
          name: body.name,
          url: body.url,
          secret: body.secret ?? randomBytes(32).toString("base64url"),
          eventTypes: [...new Set(body.event_types ?? ["*"])],
          active: body.active ?? true,
          disabledReason: null,
          lastDeliveryAt: null,
          lastStatus: null,
          lastStatusCode: null,
          lastError: null,
          failureCount: 0,
          createdAt: now,
          updatedAt: now,
        });
        // It does not receive its own creation.
        bus.publish(lifeEvent("webhook.created", webhook, now));
        known.set(webhook.id, webhook);
        return { ...webhookRecord(webhook, NO_COUNTS), secret: webhook.secret };
      });
    },
    async update(id, given) {
      // The address in its shown form is no change.
      const isShown = given.url !== undefined && given.url === shownUrl(find(id).url);
      const { url, ...others } = given;
      const body: UpdateBody = isShown || url === undefined ? others : given;
      await check(body);
      return serial(String(id), async () => {
        const before = find(id);
        const next: Webhook = {
          ...before,
          ...switched(before, body.active ?? before.active),
          name: body.name ?? before.name,
          url: body.url ?? before.url,
          secret: body.secret ?? before.secret,
          eventTypes: body.event_types === undefined ? before.eventTypes : [...new Set(body.event_types)],
          updatedAt: clock.now(),
        };
        await store.save(next);
        known.set(id, next);
        bus.publish(lifeEvent("webhook.updated", next, next.updatedAt));
        return record(next);
      });
    },
    remove: (id) =>
      serial(String(id), async () => {
        const webhook = find(id);
        await store.remove(id);
        known.delete(id);
        bus.publish(lifeEvent("webhook.deleted", webhook, clock.now()));
      }),
    async test(id, signal) {
      const webhook = find(id);
      const now = clock.now();
      const data = { webhook_id: id, name: webhook.name, message: "This is a test of a webhook subscription." };
      const eventId = randomUUID();
      const body = JSON.stringify({ id: eventId, type: "test", timestamp: now.toISOString(), data });
      const { status, statusCode, durationMs, error } = await post({ webhook, type: "test", key: eventId, body }, signal);
      return { status, status_code: statusCode, duration_ms: Math.round(durationMs), error };
    },
    async deliveries(id, query) {
      find(id);
      const { deliveries, total } = await store.deliveries(id, query);
      return { deliveries, total, has_more: query.offset + deliveries.length < total };
    },
  };
}
