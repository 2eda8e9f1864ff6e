import type { Selectable, Generated } from "kysely";
import { toDate } from "../../../contract/time.ts";
import type { OutboxMessage } from "../../../platform/dispatcher.ts";
import type { SubscriberRecord } from "./answers.ts";
import type { Subscriber, Token, TokenPurpose } from "./subscriber.ts";
import type { AnnouncedWork, WorkStatus } from "./notice.ts";

/** The columns of this feature's tables; see storage/migrations/015-status-subscribers.ts for their meaning. */
export interface SubscriberTables {
  status_subscribe_requests: RequestRow;
  status_subscribers: SubscriberRow;
  status_subscriber_tokens: TokenRow;
  status_notices: NoticeRow;
  status_mails: MailRow;
  status_works_announced: AnnouncedWorkRow;
}

interface RequestRow {
  id: Generated<number>;
  email: string;
  components: string;
  created_at: number;
}

interface SubscriberRow {
  id: Generated<number>;
  email: string;
  email_key: string;
  mailbox: string;
  components: string;
  created_at: number;
  confirmed_at: number | null;
  expires_at: number | null;
  last_mail_at: number | null;
  last_error: string | null;
}

interface TokenRow {
  hash: string;
  purpose: string;
  subscriber_id: number;
  components: string | null;
  expires_at: number;
  used_at: number | null;
}

interface NoticeRow {
  id: Generated<number>;
  notice_key: string;
  body: string;
  components: string;
  created_at: number;
  last_subscriber_id: number;
  sent_at: number | null;
}

interface MailRow extends NewMailRow {
  id: Generated<number>;
  last_attempt_at: number | null;
  last_status_code: number | null;
  last_error: string | null;
  sent_at: number | null;
}

export interface NewMailRow {
  subscriber_id: number;
  notice_id: number | null;
  components: string | null;
  lane: number;
  status: string;
  attempts: number;
  next_attempt_at: number | null;
  created_at: number;
}

interface AnnouncedWorkRow {
  window_id: number;
  status: string;
  title: string;
  starts_at: number;
  ends_at: number;
  components: string;
  version: number;
  announced_at: number;
}

export function subscriberFromRow(row: Omit<Selectable<SubscriberRow>, "email_key" | "mailbox" | "expires_at">): Subscriber {
  return {
    id: row.id,
    email: row.email,
    components: idsFrom(row.components),
    createdAt: new Date(row.created_at),
    confirmedAt: toDate(row.confirmed_at),
    lastMailAt: toDate(row.last_mail_at),
    lastError: row.last_error,
  };
}

export function subscriberRecord({ id, email, components, ...rest }: Subscriber): SubscriberRecord {
  return {
    id,
    email,
    status: rest.confirmedAt === null ? "pending" : "confirmed",
    components: [...components],
    created_at: rest.createdAt.toISOString(),
    confirmed_at: rest.confirmedAt?.toISOString() ?? null,
    last_mail_at: rest.lastMailAt?.toISOString() ?? null,
    last_error: rest.lastError,
  };
}

export function tokenFromRow(row: Omit<TokenRow, "hash">): Token {
  return {
    // Only these are written.
    purpose: row.purpose as TokenPurpose,
    subscriberId: row.subscriber_id,
    components: row.components === null ? [] : idsFrom(row.components),
    expiresAt: new Date(row.expires_at),
    usedAt: toDate(row.used_at),
  };
}

export function announcedFromRow(row: AnnouncedWorkRow): AnnouncedWork {
  return {
    id: row.window_id,
    status: row.status as WorkStatus,
    title: row.title,
    startsAt: new Date(row.starts_at),
    endsAt: new Date(row.ends_at),
    components: idsFrom(row.components),
    version: row.version,
  };
}

export function announcedToRow({ id, status, title, startsAt, endsAt, components, version }: AnnouncedWork, at: Date): AnnouncedWorkRow {
  return {
    window_id: id,
    status,
    title,
    starts_at: startsAt.getTime(),
    ends_at: endsAt.getTime(),
    components: idsToText(components),
    version,
    announced_at: at.getTime(),
  };
}

/** These columns hold what idsToText wrote. */
export function idsFrom(text: string): number[] {
  return JSON.parse(text) as number[];
}

export function idsToText(ids: readonly number[]): string {
  return JSON.stringify(ids);
}

/** Confirmations have their own lane: somebody waits for them. */
export const CONFIRMATION_LANE = 1;
/** So many mails with news are sent at once. */
const NEWS_LANES = 4;

export const LEFT = "The subscription ended before this could be sent.";
export const TOO_LATE = "The mail server could not be reached while this was news.";
export const NO_MAIL_SERVER = "There is no mail server any more.";

/** A mail that waits. */
export interface WaitingMail extends OutboxMessage {
  subscriberId: number;
  /** null: it asks for confirmation. */
  noticeId: number | null;
  createdAt: Date;
}

/** One subscriber's mails have one lane, where they keep their order. */
function laneOf(subscriberId: number): number {
  return CONFIRMATION_LANE + 1 + (subscriberId % NEWS_LANES);
}

export function newConfirmation(subscriberId: number, components: string, at: number): NewMailRow {
  return { ...newMail(subscriberId, at), notice_id: null, components, lane: CONFIRMATION_LANE };
}

export function newNews(subscriberId: number, noticeId: number, at: number): NewMailRow {
  return { ...newMail(subscriberId, at), notice_id: noticeId, components: null, lane: laneOf(subscriberId) };
}

function newMail(subscriberId: number, at: number) {
  return { subscriber_id: subscriberId, status: "pending", attempts: 0, next_attempt_at: at, created_at: at };
}
