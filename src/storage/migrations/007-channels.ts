import type { Migration } from "./migration.ts";

/**
 * Where alerts are sent, and the rules that send them there. Times as in 001.
 *
 * `url` and `headers` (a JSON object, names to values) hold secrets. `name_key` is the name as it is compared: in one case. A rule's null is "any".
 */
export const channels: Migration = {
  name: "007-channels",
  statements: ({ generatedKey }) => [
    `CREATE TABLE channels (
      id ${generatedKey},
      name TEXT NOT NULL,
      name_key TEXT NOT NULL UNIQUE,
      type TEXT NOT NULL,
      url TEXT NOT NULL,
      headers TEXT NOT NULL,
      enabled BIGINT NOT NULL,
      health TEXT NOT NULL,
      last_error TEXT,
      last_delivery_at BIGINT,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL
    )`,
    `CREATE TABLE channel_rules (
      id ${generatedKey},
      channel_id BIGINT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
      source TEXT,
      severity TEXT,
      entity_type TEXT,
      entity_id TEXT
    )`,
    "CREATE INDEX channel_rules_channel ON channel_rules (channel_id)",
  ],
};
