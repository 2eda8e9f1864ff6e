import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Mailer } from "../../platform/mailer.ts";
import { type Outbound, OutboundError } from "../../platform/outbound.ts";
import type { AlertRecord } from "../alerts/api.ts";
import type { Notification, SendOutcome } from "../vocabulary.ts";
import type { SavedChannel } from "./channel.ts";
import type { HttpKind, MailKind } from "./kinds/kind.ts";
import { KINDS } from "./kinds/kinds.ts";
import { summarize } from "./summary.ts";

export interface SendOptions {
  /** Tells the receiver that it has seen the same before. */
  idempotencyKey: string;
  signal: AbortSignal;
}

/** One attempt to tell a channel. Never throws: what went wrong is in the outcome. Source: contract, section 6. */
export type Send = (channel: SavedChannel, notification: Notification<AlertRecord>, options: SendOptions) => Promise<SendOutcome>;

export const ATTEMPT_MS = 10_000;

export interface SendDependencies {
  outbound: Outbound;
  /** Undefined without a mail server. */
  mailer: Mailer | undefined;
  clock: Clock;
  log: Log;
}

export function createSend({ outbound, mailer, clock, log }: SendDependencies): Send {
  async function post(
    kind: HttpKind,
    channel: SavedChannel,
    notification: Notification<AlertRecord>,
    options: SendOptions,
  ): Promise<SendOutcome> {
    const { url, headers, body } = kind.message({ notification, summary: summarize(notification) }, new URL(channel.url));
    const startMs = clock.monotonicMs();
    const durationMs = (): number => Math.round(clock.monotonicMs() - startMs);
    try {
      const { status, retryAfterMs } = await outbound.send({
        url,
        method: "POST",
        headers: {
          "user-agent": "Binnacle",
          ...lowerCased(channel.headers),
          ...headers,
          "content-type": "application/json",
          "idempotency-key": options.idempotencyKey,
        },
        body: JSON.stringify(body),
        signal: options.signal,
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

  async function mail(
    kind: MailKind,
    channel: SavedChannel,
    notification: Notification<AlertRecord>,
    options: SendOptions,
  ): Promise<SendOutcome> {
    if (mailer === undefined) return failed("No mail server is configured: set SERVICE_SMTP_HOST and SERVICE_SMTP_FROM.");
    const message = kind.message({ notification, summary: summarize(notification) });
    const recipients = kind.recipients(new URL(channel.url));
    // Databases count from 1, and one mailbox may hear of several.
    const key = `${options.idempotencyKey}-${Date.parse(notification.timestamp).toString(36)}`;
    return mailer.send({ ...message, recipients, key, signal: options.signal, timeoutMs: ATTEMPT_MS });
  }

  return async (channel, notification, options) => {
    const kind = KINDS[channel.type];
    try {
      return await (kind.transport === "mail" ? mail(kind, channel, notification, options) : post(kind, channel, notification, options));
    } catch (error) {
      // A defect; but the delivery must end in an outcome like all others.
      log.error({ err: error, channel_id: channel.id, type: channel.type }, "message could not be made");
      return failed("The message could not be made; see the log.");
    }
  };
}

export function failed(error: string, durationMs = 0): SendOutcome {
  return { status: "failed", statusCode: null, durationMs, error, retryAfterMs: null };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
