import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { Mailer } from "../../platform/mailer.ts";
import { type Outbound, OutboundError, type OutboundRequest } from "../../platform/outbound.ts";
import { WorkQueue } from "../../platform/queues.ts";
import type { AlertNotification } from "../alerts/api.ts";
import type { SendOutcome } from "../vocabulary.ts";
import { type Register, type SavedChannel, stateAfter } from "./channel.ts";
import type { HttpKind, MailKind, PushKind } from "./kinds/kind.ts";
import { KINDS } from "./kinds/kinds.ts";
import { encryptPush, readSubscription, type Vapid } from "./push/index.ts";
import { channelData } from "./settings.ts";
import type { ChannelStore } from "./store.ts";

export interface SendOptions {
  /** Lets the receiver recognise a repeated delivery. */
  idempotencyKey: string;
  signal: AbortSignal;
}

/** Makes one attempt to notify a channel. Never throws: failures are in the outcome. Source: contract, section 6. */
export type Send = (channel: SavedChannel, notification: AlertNotification, options: SendOptions) => Promise<SendOutcome>;

export const ATTEMPT_MS = 10_000;

/** The note of a channel that was disabled for this reason. */
export const UNSUBSCRIBED = "The push service no longer knows this browser. Subscribe it again.";

export interface SendDependencies {
  outbound: Outbound;
  /** Undefined without a mail server. */
  mailer: Mailer | undefined;
  vapid: Vapid;
  clock: Clock;
  log: Log;
}

export function createSend({ outbound, mailer, vapid, clock, log }: SendDependencies): Send {
  async function post(kind: HttpKind, channel: SavedChannel, notification: AlertNotification, options: SendOptions): Promise<SendOutcome> {
    const { url, headers, body } = kind.message(notification, new URL(channel.url));
    const sent = {
      ...lowerCased(channel.headers),
      ...headers,
      "content-type": "application/json",
      "idempotency-key": options.idempotencyKey,
    };
    return exchange({ url, headers: sent, body: JSON.stringify(body) }, options);
  }

  async function push(kind: PushKind, channel: SavedChannel, notification: AlertNotification, options: SendOptions): Promise<SendOutcome> {
    const url = URL.parse(channel.url);
    const subscription = url === null ? undefined : readSubscription(url);
    if (subscription === undefined) return failed("The browser is not subscribed.");
    const { topic, urgency, ttlSeconds, body } = kind.message(notification);
    const headers = {
      authorization: await vapid.authorizationFor(subscription.endpoint),
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
      ttl: String(ttlSeconds),
      topic,
      urgency,
    };
    const message = encryptPush(Buffer.from(JSON.stringify(body)), subscription);
    const outcome = await exchange({ url: subscription.endpoint, headers, body: message }, options);
    return outcome.statusCode === 404 || outcome.statusCode === 410 ? { ...outcome, error: UNSUBSCRIBED, isGone: true } : outcome;
  }

  async function exchange(
    { url, headers, body }: Pick<OutboundRequest, "url" | "headers" | "body">,
    { signal }: SendOptions,
  ): Promise<SendOutcome> {
    const startMs = clock.monotonicMs();
    const durationMs = (): number => Math.round(clock.monotonicMs() - startMs);
    try {
      const { status, retryAfterMs } = await outbound.send({
        url,
        method: "POST",
        headers: { "user-agent": "Binnacle", ...headers },
        body,
        signal,
        timeoutMs: ATTEMPT_MS,
      });
      const isTaken = status >= 200 && status < 300;
      return {
        status: isTaken ? "delivered" : "failed",
        statusCode: status,
        durationMs: durationMs(),
        error: isTaken ? null : `${new URL(url).hostname} answered ${status}.`,
        retryAfterMs,
      };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return failed(error.message, durationMs());
    }
  }

  async function mail(kind: MailKind, channel: SavedChannel, notification: AlertNotification, options: SendOptions): Promise<SendOutcome> {
    if (mailer === undefined) return failed("No mail server is configured: set SERVICE_SMTP_HOST and SERVICE_SMTP_FROM.");
    const message = kind.message(notification);
    const recipients = kind.recipients(new URL(channel.url));
    // Databases count from 1, and one mailbox may get mail from several of them.
    const key = `${options.idempotencyKey}-${Date.parse(notification.timestamp).toString(36)}`;
    return mailer.send({ ...message, recipients, key, signal: options.signal, timeoutMs: ATTEMPT_MS });
  }

  return async (channel, notification, options) => {
    const kind = KINDS[channel.type];
    try {
      if (kind.transport === "mail") return await mail(kind, channel, notification, options);
      if (kind.transport === "push") return await push(kind, channel, notification, options);
      return await post(kind, channel, notification, options);
    } catch (error) {
      // A defect. The delivery still needs an outcome.
      log.error({ err: error, channel_id: channel.id, type: channel.type }, "message could not be made");
      return failed("The message could not be made; see the log.");
    }
  };
}

export function failed(error: string, durationMs = 0): SendOutcome {
  return { status: "failed", statusCode: null, durationMs, error, retryAfterMs: null };
}

/** Tracks the outcomes of deliveries: visible at once, saved soon after, in batches. */
export interface Health {
  note(channelId: number, outcome: SendOutcome, at: Date): void;
  /** Waits until everything noted is saved, or failed to be saved. */
  settle(): Promise<void>;
}

interface HealthDependencies {
  store: ChannelStore;
  register: Register;
  bus: Bus<Event>;
  log: Log;
}

export function createHealth({ store, register, bus, log }: HealthDependencies): Health {
  const unsaved = new Set<number>();
  const saves = new WorkQueue(save);

  async function save(): Promise<void> {
    if (unsaved.size === 0) return;
    const ids = [...unsaved];
    unsaved.clear();
    try {
      await store.saveStates(ids.flatMap((id) => register.get(id) ?? []));
    } catch (error) {
      // Saved with the next outcome; the delivery itself is kept elsewhere.
      for (const id of ids) unsaved.add(id);
      log.debug({ reason: messageOf(error) }, "health of channels not saved");
    }
  }

  return {
    note(channelId, outcome, at) {
      const channel = register.get(channelId);
      if (channel === undefined) return;
      const next = { ...channel, ...stateAfter(channel, outcome, at) };
      register.set(channelId, next);
      unsaved.add(channelId);
      void saves.ask();
      if (next.health !== channel.health) bus.publish({ type: "channel.updated", data: { ...channelData(next, at), change: "health" } });
    },
    // What could not be saved before may be saved now.
    settle: () => saves.ask(),
  };
}

/** The message of a test: an alert that does not exist. */
export function testNotification(channelName: string, { baseUrl, now }: { baseUrl: string; now: Date }): AlertNotification {
  const timestamp = now.toISOString();
  return {
    event: "test",
    alert: {
      id: 0,
      agent_id: null,
      source: "container",
      event: "test",
      severity: "info",
      status: "active",
      message: `This is a test of the channel "${channelName}". Nothing is wrong.`,
      cause: null,
      entity_type: "channel",
      entity_id: "0",
      entity_name: channelName,
      labels: {},
      tags: [],
      details: {},
      suppressed_by: null,
      fired_at: timestamp,
      last_raised_at: timestamp,
      acknowledged_at: null,
      acknowledged_by: null,
      acknowledged_note: null,
      resolved_at: null,
      resolved_by: null,
      resolution: null,
      url: baseUrl,
    },
    escalation: null,
    timestamp,
  };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
