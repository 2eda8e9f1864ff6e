import type { CertificateSource } from "../../../src/contract/certificate.ts";
import type { CertificateStatus } from "../../../src/events.ts";
import { countOf } from "./number.ts";
import type { Status } from "./status.ts";

/** A certificate's status with its shape and word. */
export const CERTIFICATE_WORDS: Readonly<Record<CertificateStatus, { status: Status; word: string }>> = {
  valid: { status: "ok", word: "Valid" },
  expiring: { status: "degraded", word: "Expiring" },
  expired: { status: "down", word: "Expired" },
  chain_invalid: { status: "down", word: "Chain invalid" },
  unreachable: { status: "degraded", word: "Unreachable" },
  unknown: { status: "idle", word: "Not checked yet" },
};

/** `62 days left`, `less than a day left`, `expired 3 days ago`; undefined while none was seen. */
export function daysWords(days: number | null): string | undefined {
  if (days === null) return undefined;
  if (days === 0) return "less than a day left";
  // Below 0 the days are whole ones that have begun: -1 is within the first day.
  if (days === -1) return "expired within the last day";
  return days < 0 ? `expired ${countOf(-days - 1, "day")} ago` : `${countOf(days, "day")} left`;
}

/** How much of the bar is full: the thirty days that one plans with are the most that a short bar shows, ninety fill it. */
export function daysShare(days: number | null): number {
  if (days === null) return 0;
  return Math.min(Math.max(days / 90, 0), 1) * 100;
}

/** Why it is watched. */
export const SOURCE_WORDS: Readonly<Record<CertificateSource, string>> = {
  standalone: "Added manually",
  endpoint: "Endpoint",
  label: "Label",
};
