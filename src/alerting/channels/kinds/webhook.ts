import type { AlertRecord } from "../../alerts/api.ts";
import { fit } from "../summary.ts";
import { hostAlone, type HttpKind } from "./kind.ts";

/** In bytes. In a longer message the alert has no labels and details, and its texts are cut. */
const LONGEST_BODY = 262_144;
const LONGEST_TEXT = 4000;

/** Any program that takes JSON. Source: specification, Outbound alert webhooks; contract, section 6. */
export const webhook: HttpKind = {
  title: "Webhook",
  capability: "channel_webhook",
  transport: "http",
  takesHeaders: true,
  validate: () => [],
  shown: hostAlone,
  message(notification, url) {
    const isLong = Buffer.byteLength(JSON.stringify(notification)) > LONGEST_BODY;
    const body = isLong ? { ...notification, alert: shortened(notification.alert) } : notification;
    return { url: url.href, body };
  },
};

function shortened(alert: AlertRecord): object {
  const texts = Object.entries(alert).map(([name, value]) => [name, typeof value === "string" ? fit(value, LONGEST_TEXT) : value]);
  return { ...Object.fromEntries(texts), labels: {}, tags: [], details: {} };
}
