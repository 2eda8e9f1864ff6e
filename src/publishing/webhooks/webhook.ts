import { createHmac } from "node:crypto";
import { type Event, EVENTS, SUPERSEDED_EVENTS, type EventName } from "../../events.ts";
import type { OutboxMessage } from "../../platform/dispatcher.ts";
import type { Attempt, Verdict } from "../../platform/delivery-schedule.ts";
import type { Fault } from "../../platform/errors.ts";
import { MASK } from "../../platform/secrets.ts";
import { cleanName } from "../../platform/text.ts";

/** So many deliveries in a row fail, and the subscription is switched off. Source: contract, section 7. */
export const MOST_FAILURES = 20;
/** Deliveries that wait for one subscription; beyond that the oldest are given up. */
export const MOST_PENDING = 10_000;
/** What the next one supersedes is not added to so many that wait. */
export const MOST_PENDING_FREQUENT = 100;

export const GONE = "The webhook was deleted before this could be sent.";
export const OFF = "The webhook was disabled before this could be sent.";
export const CROWDED_OUT = `Dropped: more than ${MOST_PENDING} newer deliveries were queued.`;

export interface Webhook extends Settings, State {
  id: number;
  createdAt: Date;
}

export interface Settings {
  name: string;
  url: string;
  secret: string;
  eventTypes: readonly string[];
  updatedAt: Date;
}

export interface State {
  active: boolean;
  /** Why the service switched it off. */
  disabledReason: string | null;
  lastDeliveryAt: Date | null;
  lastStatus: "sent" | "failed" | null;
  lastStatusCode: number | null;
  lastError: string | null;
  /** Deliveries in a row that failed after all attempts. */
  failureCount: number;
}

/** By the service, not by a user. */
export function isSwitchedOff({ active, disabledReason }: State): boolean {
  return !active && disabledReason !== null;
}

/** A delivery that waits. */
export interface WaitingDelivery extends OutboxMessage {
  webhookId: number;
  type: string;
  body: string;
}

/** The state after outcomes of deliveries, in order. */
export function afterVerdicts(state: State, verdicts: readonly Verdict[]): State {
  return verdicts.reduce(afterVerdict, state);
}

function afterVerdict(state: State, { status, attemptedAt, statusCode, error }: Verdict): State {
  // What was never tried shows nothing about the receiver.
  if (attemptedAt === null) return state;
  const failureCount = status === "sent" ? 0 : state.failureCount + (status === "failed" ? 1 : 0);
  const lastError = error === null ? null : cleanName(error, 500);
  const isOver = state.active && failureCount >= MOST_FAILURES;
  return {
    active: state.active && !isOver,
    disabledReason: isOver ? `${MOST_FAILURES} deliveries in a row failed. Last error: ${lastError ?? "unknown"}` : state.disabledReason,
    lastDeliveryAt: attemptedAt,
    lastStatus: status === "sent" ? "sent" : "failed",
    lastStatusCode: statusCode,
    lastError,
    failureCount,
  };
}

/** Switched on or off by a user; on starts afresh. */
export function switched({ active: before, disabledReason, failureCount }: State, active: boolean) {
  if (active === before) return { active, disabledReason, failureCount };
  return { active, disabledReason: null, failureCount: active ? 0 : failureCount };
}

/** What goes with a body; the signature is of exactly the bytes that are sent. Source: contract, section 7. */
export function signedHeaders({ secret, type, key, body, at }: { secret: string; type: string; key: string; body: string; at: Date }) {
  const timestamp = at.toISOString();
  return {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Binnacle",
    "idempotency-key": key,
    "x-service-event": type,
    "x-service-delivery": key,
    "x-service-timestamp": timestamp,
    "x-service-signature": `sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`, "utf8").digest("hex")}`,
  };
}

/** What an answer means. */
export function attemptOf(answer: { status: number; retryAfterMs: number | null }, durationMs: number): Attempt {
  const { status: statusCode, retryAfterMs } = answer;
  if (statusCode >= 200 && statusCode < 300) return { status: "delivered", statusCode, durationMs, error: null, retryAfterMs: null };
  return { status: "failed", statusCode, durationMs, error: `The receiver answered ${statusCode}.`, retryAfterMs };
}

/** The host alone: any part after it may be a credential. */
export function shownUrl(text: string): string {
  const { origin, pathname, search } = new URL(text);
  return pathname === "/" && search === "" ? `${origin}/` : `${origin}/${MASK}`;
}

type WebhookEvent = Event<"webhook.created" | "webhook.updated" | "webhook.deleted">;

export function lifeEvent(type: WebhookEvent["type"], webhook: Webhook, at: Date): WebhookEvent {
  return { type, data: dataOf(webhook, at) };
}

export function disabledEvent(webhook: Webhook, at: Date): Event<"webhook.disabled"> {
  return { type: "webhook.disabled", data: { ...dataOf(webhook, at), reason: webhook.disabledReason ?? "" } };
}

function dataOf({ id, name, eventTypes, active, failureCount }: Webhook, at: Date): WebhookEvent["data"] {
  return { id, agent_id: null, name, event_types: eventTypes, active, failure_count: failureCount, timestamp: at.toISOString() };
}

/** What comes all the time, and is superseded by the next: `*` and `prefix.*` do not mean it, only its name does. */
export function isFrequent(type: EventName): boolean {
  return SUPERSEDED_EVENTS.has(type);
}

/** Whether a subscription to these wants that event. */
export function wants(eventTypes: readonly string[], type: EventName): boolean {
  if (eventTypes.includes(type)) return true;
  return !isFrequent(type) && (eventTypes.includes("*") || eventTypes.includes(`${type.slice(0, type.indexOf("."))}.*`));
}

/** Every name that is neither an event's, nor the beginning of one with `.*`, nor `*`. */
export function faultsOf(eventTypes: readonly string[]): Fault[] {
  const names = Object.keys(EVENTS);
  const known = new Set(["*", ...names, ...names.map((name) => `${name.slice(0, name.indexOf("."))}.*`)]);
  return eventTypes.flatMap((type, index) =>
    known.has(type) ? [] : [{ path: `event_types.${index}`, message: "Must be the name of an event, `prefix.*` or `*`" }],
  );
}
