import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/015-status-subscribers.ts for their meaning. */
export interface SubscriberTables {
  status_subscribe_requests: RequestRow;
  status_subscribers: SubscriberRow;
  status_subscriber_tokens: TokenRow;
  status_notices: NoticeRow;
  status_mails: MailRow;
  status_works_told: ToldWorkRow;
}

interface RequestRow {
  id: Generated<number>;
  email: string;
  components: string;
  created_at: number;
}

export interface SubscriberRow {
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

export interface TokenRow {
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
  told_at: number | null;
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

export interface ToldWorkRow {
  window_id: number;
  status: string;
  title: string;
  starts_at: number;
  ends_at: number;
  components: string;
  version: number;
  told_at: number;
}
