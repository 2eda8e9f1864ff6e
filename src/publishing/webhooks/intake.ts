import { randomUUID } from "node:crypto";
import type { Event } from "../../events.ts";
import { type Clock, pause } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { isFrequent, wants } from "./event-types.ts";
import type { NewDelivery, WebhookStore } from "./store.ts";
import { MOST_PENDING, type Webhook } from "./webhook.ts";

/** Saved in one unit. */
const BATCH = 500;
const AGAIN_MS = 1000;

/** Makes deliveries of events: in memory until they are saved, as many at once as came meanwhile. */
export interface EventIntake {
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
  const stopping = new AbortController();
  let working: Promise<void> | undefined;
  let lost = 0;

  async function work(): Promise<void> {
    while (waiting.length > 0 && (await save()));
    working = undefined;
  }

  /** Answers whether to go on. */
  async function save(): Promise<boolean> {
    const some = waiting.slice(0, BATCH);
    try {
      await store.add(some);
    } catch (error) {
      if (!isServiceError(error, "storage_unavailable")) {
        log.error({ err: error, count: some.length }, "events for webhooks could not be saved");
        waiting.splice(0, some.length);
        return true;
      }
      if (stopping.signal.aborted) return false;
      await pause(clock, AGAIN_MS, stopping.signal);
      return true;
    }
    waiting.splice(0, some.length);
    for (const webhookId of new Set(some.map((each) => each.webhookId))) poke(webhookId);
    if (lost > 0) log.warn({ count: lost }, "events for webhooks were dropped while the database was gone");
    lost = 0;
    return true;
  }

  return {
    take(event) {
      let made: Pick<NewDelivery, "eventId" | "type" | "body" | "at" | "isFrequent"> | undefined;
      for (const webhook of webhooks()) {
        if (!webhook.active || !wants(webhook.eventTypes, event.type)) continue;
        made ??= bodyOf(event, clock.now());
        waiting.push({ webhookId: webhook.id, ...made });
      }
      if (made === undefined) return;
      // What is being saved stands first and stays.
      const excess = waiting.length - MOST_PENDING - BATCH;
      if (excess > 0) {
        waiting.splice(BATCH, excess);
        lost += excess;
      }
      working ??= work();
    },
    async stop() {
      stopping.abort();
      await working;
    },
  };
}

function bodyOf(event: Event, at: Date) {
  const eventId = randomUUID();
  const body = JSON.stringify({ id: eventId, type: event.type, timestamp: at.toISOString(), data: event.data });
  return { eventId, type: event.type, body, at, isFrequent: isFrequent(event.type) };
}
