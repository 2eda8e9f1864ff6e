import { randomUUID } from "node:crypto";
import type { Event } from "../../events.ts";
import { type Clock, pause } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { WorkQueue } from "../../platform/queues.ts";
import type { NewDelivery, WebhookStore } from "./store.ts";
import { MOST_PENDING, type Webhook, isFrequent, wants } from "./webhook.ts";

/** Saved in one unit. */
const BATCH = 500;
const AGAIN_MS = 1000;

/** Between two looks at how many deliveries wait that were kept with their events. */
const KEPT_BETWEEN_BOUNDS = 100;

/** Makes deliveries of events: with what made them, or else in memory until they are saved, as many at once as came meanwhile. */
export interface EventIntake {
  /** Saves deliveries of events in the transaction that makes them true: they outlast a crash right after it. */
  keep(unit: object, events: readonly Event[]): Promise<void>;
  /** An event that is true now. Of one that was kept the deliveries are there, and are only begun. */
  take(event: Event): void;
  /** Saves what has come so far. */
  stop(): Promise<void>;
}

export function createEventIntake({
  store,
  webhooks,
  poke,
  clock,
  log,
}: {
  store: WebhookStore;
  webhooks: () => Iterable<Webhook>;
  poke: (webhookId: number) => void;
  clock: Clock;
  log: Log;
}): EventIntake {
  const waiting: NewDelivery[] = [];
  const saves = new WorkQueue((_key, signal) => saveWaiting(signal));
  let lost = 0;
  /** For whom events were kept. */
  const kept = new WeakMap<Event, readonly number[]>();
  const keptSince = new Map<number, number>();

  function deliveriesOf(event: Event): NewDelivery[] {
    let made: Pick<NewDelivery, "eventId" | "type" | "body" | "at" | "isFrequent"> | undefined;
    const deliveries: NewDelivery[] = [];
    for (const webhook of webhooks()) {
      if (!webhook.active || !wants(webhook.eventTypes, event.type)) continue;
      made ??= bodyOf(event, clock.now());
      deliveries.push({ webhookId: webhook.id, ...made });
    }
    return deliveries;
  }

  async function bound(webhookId: number): Promise<void> {
    try {
      await store.bound(webhookId);
    } catch (error) {
      if (!isServiceError(error, "storage_unavailable")) throw error;
    }
  }

  /** Their deliveries are saved. */
  function begin(webhookIds: readonly number[]): void {
    for (const id of webhookIds) {
      poke(id);
      const count = (keptSince.get(id) ?? 0) + 1;
      keptSince.set(id, count % KEPT_BETWEEN_BOUNDS);
      if (count === KEPT_BETWEEN_BOUNDS)
        bound(id).catch((error: unknown) => log.error({ err: error, webhook: id }, "deliveries that wait could not be bounded"));
    }
  }

  async function saveWaiting(signal: AbortSignal): Promise<void> {
    while (waiting.length > 0 && (await save(signal)));
  }

  /** Answers whether to continue. */
  async function save(signal: AbortSignal): Promise<boolean> {
    const some = waiting.slice(0, BATCH);
    try {
      await store.add(some);
    } catch (error) {
      if (!isServiceError(error, "storage_unavailable")) {
        log.error({ err: error, count: some.length }, "events for webhooks could not be saved");
        waiting.splice(0, some.length);
        return true;
      }
      if (signal.aborted) return false;
      await pause(clock, AGAIN_MS, signal);
      return true;
    }
    waiting.splice(0, some.length);
    for (const webhookId of new Set(some.map((each) => each.webhookId))) poke(webhookId);
    if (lost > 0) log.warn({ count: lost }, "events for webhooks were dropped while the database was gone");
    lost = 0;
    return true;
  }

  return {
    async keep(unit, events) {
      const deliveries: NewDelivery[] = [];
      for (const event of events) {
        // Of those only the next one counts.
        if (isFrequent(event.type)) continue;
        const mine = deliveriesOf(event);
        kept.set(
          event,
          mine.map(({ webhookId }) => webhookId),
        );
        deliveries.push(...mine);
      }
      if (deliveries.length > 0) await store.addIn(unit, deliveries);
    },
    take(event) {
      const keptFor = kept.get(event);
      if (keptFor !== undefined) return begin(keptFor);
      const deliveries = deliveriesOf(event);
      if (deliveries.length === 0) return;
      waiting.push(...deliveries);
      // What is being saved stands first and stays.
      const excess = waiting.length - MOST_PENDING - BATCH;
      if (excess > 0) {
        waiting.splice(BATCH, excess);
        lost += excess;
      }
      void saves.ask();
    },
    stop: () => saves.stop(),
  };
}

function bodyOf(event: Event, at: Date) {
  const eventId = randomUUID();
  const body = JSON.stringify({ id: eventId, type: event.type, timestamp: at.toISOString(), data: event.data });
  return { eventId, type: event.type, body, at, isFrequent: isFrequent(event.type) };
}
