import { SUBSCRIBER_BOUNDS } from "../../../contract/status-page.ts";
import type { Event } from "../../../events.ts";
import type { Bus } from "../../../platform/bus.ts";
import type { Clock } from "../../../platform/clock.ts";
import { type Fault, ServiceError } from "../../../platform/errors.ts";
import type { z } from "zod";
import type { SubscribeBody, subscriberQuery } from "./api.ts";
import type { SubscriberList } from "./answers.ts";
import { subscriberRecord } from "./rows.ts";
import type { SubscriberStore } from "./store.ts";
import { type LinkState, linkState, hashOf, type TokenPurpose, readAddress } from "./subscriber.ts";

/** What can be asked of subscribers. */
export interface SubscriberService {
  /** Throws `unusable_values` with every fault, `conflict` when the list is full, `mail_unavailable`, `not_found` when there is no page. */
  subscribe(body: SubscribeBody): Promise<void>;
  /** What a link is good for; changes nothing. */
  look(purpose: TokenPurpose, token: string): Promise<LinkState>;
  /** Does what the link is for, if it is valid; answers what it was good for. */
  follow(purpose: TokenPurpose, token: string): Promise<LinkState>;
  list(query: z.infer<typeof subscriberQuery>): Promise<SubscriberList>;
  /** Throws `not_found`. */
  remove(id: number): Promise<void>;
}

export interface SubscriberServiceDependencies {
  store: SubscriberStore;
  countWaiting(): Promise<number>;
  hasMailer: boolean;
  isPublished(): boolean;
  isOnPage(component: number): boolean;
  /** A request or a mail waits. */
  wake(): void;
  bus: Bus<Event>;
  clock: Clock;
}

type LifeEvent = Extract<Event["type"], `subscriber.${string}`>;

/** Never the address: events go to streams and webhooks. */
export function subscriberEvent(type: LifeEvent, id: number, at: Date): Event<LifeEvent> {
  return { type, data: { id, agent_id: null, timestamp: at.toISOString() } };
}

export function createSubscriberService(dependencies: SubscriberServiceDependencies): SubscriberService {
  const { store, countWaiting, hasMailer, isPublished, isOnPage, wake, bus, clock } = dependencies;

  return {
    async subscribe(body) {
      if (!isPublished()) throw new ServiceError("not_found", "There is no status page.");
      if (!hasMailer) throw new ServiceError("mail_unavailable", "This status page does not send emails.");
      const { chosen, faults } = chosenIn(body, isOnPage);
      const address = readAddress(body.email);
      if ("fault" in address) faults.unshift({ path: "email", message: address.fault });
      if ("fault" in address || faults.length > 0) {
        const sentences = faults.slice(0, 5).map(({ path, message }) => `${path}: ${message}`);
        throw new ServiceError("unusable_values", `The body cannot be used: ${sentences.join("; ")}.`, faults);
      }
      const { pending, confirmed } = await store.count();
      if (pending + confirmed >= SUBSCRIBER_BOUNDS.subscribers)
        throw new ServiceError("conflict", "This page has reached its subscriber limit.");
      // The address is looked up after the answer, so that the answer cannot reveal whether it is known.
      await store.request(address, chosen, clock.now());
      wake();
    },

    async look(purpose, token) {
      const { token: found, subscriber } = await store.token(hashOf(token));
      return linkState(purpose, found, subscriber, clock.now());
    },

    async follow(purpose, token) {
      const now = clock.now();
      const followed = await store.use(
        hashOf(token),
        ({ token: found, subscriber }) => {
          const state = linkState(purpose, found, subscriber, now);
          const act = state !== "valid" ? null : purpose === "confirm" ? ("confirm" as const) : ("remove" as const);
          return { result: { state, id: subscriber?.id, wasConfirmed: subscriber?.confirmedAt !== null }, act };
        },
        now,
      );
      const { state, id, wasConfirmed } = followed;
      if (state === "valid" && id !== undefined) {
        if (purpose === "unsubscribe") bus.publish(subscriberEvent("subscriber.deleted", id, now));
        else if (!wasConfirmed) bus.publish(subscriberEvent("subscriber.confirmed", id, now));
      }
      return state;
    },

    async list({ status, q, limit, offset }) {
      const [{ subscribers, total }, counts, mailsWaiting] = await Promise.all([
        store.list({ status, q, limit, offset }),
        store.count(),
        countWaiting(),
      ]);
      return {
        subscribers: subscribers.map(subscriberRecord),
        total,
        has_more: offset + subscribers.length < total,
        counts,
        mail: hasMailer,
        mails_waiting: mailsWaiting,
      };
    },

    async remove(id) {
      if (!(await store.remove(id))) throw new ServiceError("not_found", `There is no subscriber ${id}.`);
      bus.publish(subscriberEvent("subscriber.deleted", id, clock.now()));
    },
  };
}

/** The components that a body chooses, and what is wrong with them. One that is hidden is as unknown as one that is not there. */
function chosenIn(
  { email: _email, components = [], ...fields }: SubscribeBody,
  isOnPage: (id: number) => boolean,
): { chosen: number[]; faults: Fault[] } {
  const faults: Fault[] = [];
  const chosen = new Set<number>();
  const choose = (id: number, path: string): void => {
    if (isOnPage(id)) chosen.add(id);
    else faults.push({ path, message: "There is no such component on the page" });
  };
  for (const [index, id] of components.entries()) choose(id, `components.${index}`);
  for (const key of Object.keys(fields).slice(0, SUBSCRIBER_BOUNDS.components + 1)) {
    const [, id] = /^component-(\d{1,15})$/.exec(key) ?? [];
    if (id === undefined) faults.push({ path: key.slice(0, 100), message: "Unknown key" });
    else choose(Number(id), key);
  }
  return { chosen: [...chosen].sort((a, b) => a - b), faults };
}
