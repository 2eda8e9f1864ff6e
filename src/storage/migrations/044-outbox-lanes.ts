import type { Migration } from "./migration.ts";

/**
 * Which program sends to a receiver, for all outboxes: several programs may share a database, and a lane of an outbox belongs to its `owner` until
 * `leased_until`. An outbox is named by its table. Nothing is moved here: a lease ends by itself. Times as in 001.
 */
export const outboxLanes: Migration = {
  name: "044-outbox-lanes",
  statements: () => [
    `CREATE TABLE outbox_lanes (
      outbox TEXT NOT NULL,
      lane BIGINT NOT NULL,
      owner TEXT NOT NULL,
      leased_until BIGINT NOT NULL,
      PRIMARY KEY (outbox, lane)
    )`,
    "DROP TABLE delivery_lanes",
    "DROP TABLE status_mail_lanes",
    "ALTER TABLE webhooks DROP COLUMN leased_by",
    "ALTER TABLE webhooks DROP COLUMN leased_until",
  ],
};
