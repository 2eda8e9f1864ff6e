import type { Selectable } from "kysely";
import { toDate } from "../../../contract/time.ts";
import type { SubscriberRecord } from "./answers.ts";
import type { Subscriber, Token } from "./subscriber.ts";
import type { SubscriberRow, TokenRow, ToldWorkRow } from "./tables.ts";
import type { TokenPurpose } from "./tokens.ts";
import type { ToldWork, WorkStatus } from "./work.ts";

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

export function toldFromRow(row: ToldWorkRow): ToldWork {
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

export function toldToRow({ id, status, title, startsAt, endsAt, components, version }: ToldWork, at: Date): ToldWorkRow {
  return {
    window_id: id,
    status,
    title,
    starts_at: startsAt.getTime(),
    ends_at: endsAt.getTime(),
    components: idsToText(components),
    version,
    told_at: at.getTime(),
  };
}

/** These columns hold what idsToText wrote. */
export function idsFrom(text: string): number[] {
  return JSON.parse(text) as number[];
}

export function idsToText(ids: readonly number[]): string {
  return JSON.stringify(ids);
}
