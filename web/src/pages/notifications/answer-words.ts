import { formatDuration } from "../../format/duration.ts";

/** What came of a test, as its receiver answered. */
export interface Answer {
  status: "delivered" | "failed";
  status_code: number | null;
  duration_ms: number;
  error: string | null;
}

/** `Delivered: answered 200 after 214 ms`, `Not delivered: answered 404 after 80 ms. Unknown Webhook.` */
export function answerWords({ status, status_code, duration_ms, error }: Answer): string {
  const after = `after ${formatDuration(duration_ms)}`;
  const answered = status_code === null ? `no response ${after}` : `HTTP ${status_code} ${after}`;
  return `${status === "delivered" ? "Delivered" : "Not delivered"}: ${answered}${error === null ? "" : `. ${error}`}`;
}
