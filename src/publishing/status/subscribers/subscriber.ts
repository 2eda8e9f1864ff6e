import { DAY_MS, HOUR_MS } from "../../../contract/time.ts";
import type { TokenPurpose } from "./tokens.ts";

/** How long a confirmation can be given, and an unconfirmed address is kept. */
export const CONFIRM_MS = DAY_MS;
/** How long the link of a mail ends a subscription. */
export const UNSUBSCRIBE_MS = 400 * DAY_MS;
/** A link that is too old says so for as long. */
export const EXPIRED_KEPT_MS = 7 * DAY_MS;
/** Mails that are over, and what they told. */
export const MAILS_KEPT_MS = 30 * DAY_MS;
/** News that could not be told in this time is none any more. */
export const NEWS_MS = 6 * HOUR_MS;
/** Confirmations are asked for by mail at most so often of one mailbox. */
export const ASKED = { most: 3, withinMs: HOUR_MS } as const;
/** Not confirmed yet; beyond that the oldest are forgotten, so that nobody keeps others out with invented addresses. */
export const MOST_PENDING = 5000;

export interface Subscriber {
  id: number;
  email: string;
  /** Of which it wants to hear; empty: of all. */
  components: readonly number[];
  createdAt: Date;
  confirmedAt: Date | null;
  lastMailAt: Date | null;
  lastError: string | null;
}

export interface Token {
  purpose: TokenPurpose;
  subscriberId: number;
  /** What is chosen by confirming. */
  components: readonly number[];
  expiresAt: Date;
  usedAt: Date | null;
}

/** What a link is good for: `done` means that what it asks for is so already. */
export type LinkState = "valid" | "done" | "used" | "expired" | "gone" | "unknown" | "other";

/** What a token allows now. `subscriber` is the one that it names, if it is still there. */
export function linkState(
  purpose: TokenPurpose,
  token: Token | undefined,
  subscriber: { confirmedAt: Date | null } | undefined,
  now: Date,
): LinkState {
  if (token === undefined) return "unknown";
  if (token.purpose !== purpose) return "other";
  if (purpose === "unsubscribe") return subscriber === undefined ? "done" : token.expiresAt > now ? "valid" : "expired";
  if (token.usedAt !== null) return subscriber !== undefined && subscriber.confirmedAt !== null ? "done" : "used";
  if (token.expiresAt <= now) return "expired";
  return subscriber === undefined ? "gone" : "valid";
}

/** Whether somebody who chose these components wants to hear of those. What concerns none in particular concerns all. */
export function wants(chosen: readonly number[], about: readonly number[]): boolean {
  return chosen.length === 0 || about.length === 0 || about.some((id) => chosen.includes(id));
}
