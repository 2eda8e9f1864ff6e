import { MOST_ATTEMPTS } from "../../../../../src/contract/notifications.ts";
import type { DeliveryRecord } from "../../../../../src/alerting/deliveries/answers.ts";
import { countOf } from "../../../format/number.ts";
import type { Status } from "../../../format/status.ts";

/** At most so many attempts are made. Source: contract, section 6. */

/** How a delivery stands, with its shape and word. */
export function deliveryStatus({ status, attempts }: DeliveryRecord): { status: Status; word: string } {
  switch (status) {
    case "sent":
      return { status: "ok", word: "Sent" };
    case "failed":
      return { status: "degraded", word: "Failed" };
    case "pending":
      return attempts === 0 ? { status: "idle", word: "Queued" } : { status: "degraded", word: "Retrying" };
  }
}

/** The event that the channel was notified of. */
export function eventWords({ event, escalation }: DeliveryRecord): string {
  const words = EVENT_WORDS[event];
  return escalation === null ? words : `${words}, level ${escalation.level + 1} of an escalation`;
}

const EVENT_WORDS: Readonly<Record<DeliveryRecord["event"], string>> = {
  "alert.fired": "Fired",
  "alert.resolved": "Resolved",
  "alert.acknowledged": "Acknowledged",
  test: "Test",
};

/** `1 attempt, answered 200`, `3 of 5 attempts, the last: the receiver answered 503`; nothing was tried yet is the empty text. */
export function attemptWords({ status, attempts, last_status_code: code, last_error: error }: DeliveryRecord): string {
  if (attempts === 0) return "";
  const count = status === "pending" ? `${attempts} of ${countOf(MOST_ATTEMPTS, "attempt")}` : countOf(attempts, "attempt");
  if (status === "sent" && error === null) return code === null ? count : `${count}, HTTP ${code}`;
  return error === null ? count : `${count}, last error: ${error}`;
}
