import { createHash, createHmac, randomBytes } from "node:crypto";
import { domainToASCII } from "node:url";
import { SUBSCRIBER_BOUNDS } from "../../../contract/status-page.ts";
import { DAY_MS, HOUR_MS } from "../../../contract/time.ts";

/** How long a confirmation can be given, and an unconfirmed address is kept. */
export const CONFIRM_MS = DAY_MS;
/** How long the link of a mail ends a subscription. */
export const UNSUBSCRIBE_MS = 400 * DAY_MS;
/** A link that is too old says so for as long. */
export const EXPIRED_KEPT_MS = 7 * DAY_MS;
/** Mails that are over, and their contents. */
export const MAILS_KEPT_MS = 30 * DAY_MS;
/** News that could not be sent in this time is dropped. */
export const NEWS_MS = 6 * HOUR_MS;
/** Confirmations are asked for by mail at most so often of one mailbox. */
export const ASKED = { most: 3, withinMs: HOUR_MS } as const;
/** Not confirmed yet; beyond that the oldest are forgotten, so that nobody keeps others out with invented addresses. */
export const MOST_PENDING = 5000;

export interface Subscriber {
  id: number;
  email: string;
  /** About which it gets mail; empty: about all. */
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

/** Whether somebody who chose these components gets mail about those. What concerns none in particular concerns all. */
export function wants(chosen: readonly number[], about: readonly number[]): boolean {
  return chosen.length === 0 || about.length === 0 || about.some((id) => chosen.includes(id));
}

/** What a link of a mail may do. */
export type TokenPurpose = "confirm" | "unsubscribe";

/** A token of a link; only its hash is ever stored. */
export interface NewToken {
  token: string;
  hash: string;
}

/** Makes tokens of a key that is never stored: one for each confirmation and one for each subscriber, so that their table stays small. */
export function createTokens(): (mail: { id: number; subscriberId: number; noticeId: number | null }) => NewToken {
  const key = randomBytes(32);
  return ({ id, subscriberId, noticeId }) => {
    const subject = noticeId === null ? `confirm ${id}` : `unsubscribe ${subscriberId}`;
    const token = createHmac("sha256", key).update(subject).digest("base64url");
    return { token, hash: hashOf(token) };
  };
}

export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** An address that mail can be sent to. */
export interface Address {
  /** As it was typed, but for its domain: ASCII, in lower case. */
  email: string;
  /** The same for each spelling of it. */
  key: string;
  /** The same for each address that leads to this box: without what follows a plus. */
  mailbox: string;
}

/** Source: RFC 5321, 4.5.3.1.1; RFC 5322, 3.2.3. */
const LOCAL_LENGTH = 64;
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Reads what somebody typed; answers the address, or what is wrong with it. */
export function readAddress(text: string): Address | { fault: string } {
  const typed = text.replace(/^ +| +$/g, "");
  if (typed === "") return { fault: "Must not be empty" };
  if (typed.length > SUBSCRIBER_BOUNDS.emailLength) return { fault: `Must not be longer than ${SUBSCRIBER_BOUNDS.emailLength} characters` };
  const at = typed.lastIndexOf("@");
  const local = typed.slice(0, Math.max(at, 0));
  const given = typed.slice(at + 1);
  if (at < 1 || given === "") return { fault: "Must be an e-mail address, such as ada@example.com" };
  if (local.length > LOCAL_LENGTH) return { fault: `Must not have more than ${LOCAL_LENGTH} characters before the @` };
  if (!LOCAL.test(local))
    return { fault: "Must have only emails from a to z, digits and !#$%&'*+-/=?^_`{|}~ before the @, and dots between them" };
  const domain = DOMAIN.test(given) ? domainToASCII(given.normalize("NFC")) : "";
  const labels = domain.split(".");
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? "");
  if (!isName) return { fault: "Must have the name of a mail domain after the @, such as example.com" };
  const email = `${local}@${domain}`;
  if (email.length > SUBSCRIBER_BOUNDS.emailLength) return { fault: `Must not be longer than ${SUBSCRIBER_BOUNDS.emailLength} characters` };
  const key = email.toLowerCase();
  return { email, key, mailbox: key.replace(/\+[^@]*@/, "@") };
}
