import type { Migration } from "./migration.ts";

/**
 * Who gets mails of the status page, and what is to be told them. Times as in 001; lists are JSON.
 *
 * A request is written for everyone who asks and settled afterwards, so that the answer does not tell who is known. `email` is as it was typed but for its domain;
 * `email_key` is in lower case, `mailbox` besides without what follows a plus: whose box it is. A subscriber without `confirmed_at` is forgotten at `expires_at`.
 * Tokens are kept as SHA-256. They outlive their subscriber, so that a link that was used or is too old can say so.
 * A notice is told to all who want to hear it, in order of their ids: `last_subscriber_id` has its mail already, `told_at` is set when all have.
 * A mail without a notice asks for confirmation of `components`. A lane belongs to the `owner` in `status_mail_lanes` until `leased_until`.
 * `status_works_told` holds what was last told of each maintenance window; whoever raises `version` tells it.
 */
export const statusSubscribers: Migration = {
  name: "015-status-subscribers",
  statements: ({ generatedKey }) => [
    `CREATE TABLE status_subscribe_requests (
      id ${generatedKey},
      email TEXT NOT NULL,
      components TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    `CREATE TABLE status_subscribers (
      id ${generatedKey},
      email TEXT NOT NULL,
      email_key TEXT NOT NULL UNIQUE,
      mailbox TEXT NOT NULL,
      components TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      confirmed_at BIGINT,
      expires_at BIGINT,
      last_mail_at BIGINT,
      last_error TEXT
    )`,
    "CREATE INDEX status_subscribers_mailbox ON status_subscribers (mailbox)",
    "CREATE INDEX status_subscribers_confirmed ON status_subscribers (id) WHERE confirmed_at IS NOT NULL",
    "CREATE INDEX status_subscribers_pending ON status_subscribers (expires_at) WHERE confirmed_at IS NULL",
    `CREATE TABLE status_subscriber_tokens (
      hash TEXT PRIMARY KEY,
      purpose TEXT NOT NULL,
      subscriber_id BIGINT NOT NULL,
      components TEXT,
      expires_at BIGINT NOT NULL,
      used_at BIGINT
    )`,
    "CREATE INDEX status_subscriber_tokens_expiry ON status_subscriber_tokens (expires_at)",
    `CREATE TABLE status_notices (
      id ${generatedKey},
      notice_key TEXT NOT NULL UNIQUE,
      body TEXT NOT NULL,
      components TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      last_subscriber_id BIGINT NOT NULL,
      told_at BIGINT
    )`,
    "CREATE INDEX status_notices_waiting ON status_notices (id) WHERE told_at IS NULL",
    `CREATE TABLE status_mails (
      id ${generatedKey},
      subscriber_id BIGINT NOT NULL REFERENCES status_subscribers (id) ON DELETE CASCADE,
      notice_id BIGINT,
      components TEXT,
      lane BIGINT NOT NULL,
      status TEXT NOT NULL,
      attempts BIGINT NOT NULL,
      next_attempt_at BIGINT,
      last_attempt_at BIGINT,
      last_status_code BIGINT,
      last_error TEXT,
      sent_at BIGINT,
      created_at BIGINT NOT NULL,
      UNIQUE (notice_id, subscriber_id)
    )`,
    "CREATE INDEX status_mails_due ON status_mails (lane, next_attempt_at, id) WHERE status = 'pending'",
    "CREATE INDEX status_mails_subscriber ON status_mails (subscriber_id, id)",
    `CREATE TABLE status_mail_lanes (
      lane BIGINT PRIMARY KEY,
      owner TEXT NOT NULL,
      leased_until BIGINT NOT NULL
    )`,
    `CREATE TABLE status_works_told (
      window_id BIGINT PRIMARY KEY,
      status TEXT NOT NULL,
      title TEXT NOT NULL,
      starts_at BIGINT NOT NULL,
      ends_at BIGINT NOT NULL,
      components TEXT NOT NULL,
      version BIGINT NOT NULL,
      told_at BIGINT NOT NULL
    )`,
  ],
};
