import type { WebhookDeliveryRecord, WebhookRecord } from "../../../../../src/publishing/webhooks/answers.ts";
import { countOf } from "../../../format/number.ts";
import type { Status } from "../../../format/status.ts";

/** How a subscription is, with its shape and word. */
export function healthOf({
  active,
  disabled_reason,
  last_status,
  failure_count,
}: Pick<WebhookRecord, "active" | "disabled_reason" | "last_status" | "failure_count">): { status: Status; word: string } {
  if (!active)
    return disabled_reason === null ? { status: "idle", word: "Disabled" } : { status: "degraded", word: "Disabled after failures" };
  if (failure_count > 0) return { status: "degraded", word: "Failing" };
  if (last_status === null) return { status: "idle", word: "Nothing sent yet" };
  // The message is still tried again.
  return last_status === "failed" ? { status: "degraded", word: "Last attempt failed" } : { status: "ok", word: "Healthy" };
}

/** What waits, failed in a row, and was given up, as far as there is any. */
export function queueWords({ pending, dropped, failure_count }: Pick<WebhookRecord, "pending" | "dropped" | "failure_count">): string {
  return [
    ...(failure_count === 0 ? [] : [`${countOf(failure_count, "delivery", "deliveries")} failed in a row; disabled after 20`]),
    ...(pending === 0 ? [] : [`${countOf(pending, "delivery queued", "deliveries queued")}`]),
    ...(dropped === 0 ? [] : [`${countOf(dropped, "delivery was", "deliveries were")} dropped because too many were queued`]),
  ].join("; ");
}

/** How a delivery stands, with its shape and words. */
export function deliveryStatus({
  status,
  attempts,
  last_status_code,
}: Pick<WebhookDeliveryRecord, "status" | "attempts" | "last_status_code">): {
  status: Status;
  word: string;
} {
  const code = last_status_code === null ? "" : `, HTTP ${last_status_code}`;
  if (status === "sent") return { status: "ok", word: `Sent${code}` };
  if (status === "failed") return { status: "degraded", word: `Failed after ${countOf(attempts, "attempt")}${code}` };
  return attempts === 0
    ? { status: "idle", word: "Queued" }
    : { status: "degraded", word: `Retrying, ${countOf(attempts, "attempt")} so far${code}` };
}
