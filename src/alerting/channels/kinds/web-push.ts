import { isPublicKey, readSubscription } from "../push/index.ts";
import { type Tone, fit, summarize } from "../summary.ts";
import { hostAlone, type PushKind, type PushMessage, unless } from "./kind.ts";

/** Even if JSON escapes every character to six bytes, the message fits into 3,993 bytes. */
const LIMITS = { title: 120, body: 400 } as const;
const TTL_SECONDS = 86_400;

/** How urgently a phone is woken. */
const URGENCIES: Readonly<Record<Tone, PushMessage["urgency"]>> = {
  critical: "high",
  warning: "high",
  info: "normal",
  good: "normal",
  neutral: "normal",
};

/** A browser that was subscribed. Sources: RFC 8030 (push), RFC 8291 (encryption), RFC 8292 (VAPID). */
export const webPush: PushKind = {
  title: "Browser",
  capability: null,
  transport: "push",
  takesHeaders: false,
  validate(url) {
    const subscription = readSubscription(url);
    return unless(
      subscription !== undefined && isPublicKey(subscription.publicKey),
      "Must be the endpoint of a subscription with ?p256dh=KEY&auth=SECRET at its end; the channels page makes it",
    );
  },
  shown: hostAlone,
  message(notification) {
    const { event, alert, timestamp } = notification;
    const { tone, headline, message, cause, url } = summarize(notification);
    const tag = `alert-${alert.id}`;
    return {
      topic: tag,
      urgency: URGENCIES[tone],
      ttlSeconds: TTL_SECONDS,
      body: {
        title: fit(headline, LIMITS.title),
        body: fit(cause === null ? message : `${message}\n${cause}`, LIMITS.body),
        tag,
        url,
        stays: event === "alert.fired" && tone === "critical",
        quiet: event === "alert.resolved" || event === "alert.acknowledged",
        at: Date.parse(timestamp),
      },
    };
  },
};
