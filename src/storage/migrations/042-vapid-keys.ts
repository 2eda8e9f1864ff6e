import type { Migration } from "./migration.ts";

/** The one pair of keys by which push services know this server again (RFC 8292), made at first use; the private key is sealed. Times as in 001. */
export const vapidKeys: Migration = {
  name: "042-vapid-keys",
  statements: () => [
    `CREATE TABLE vapid_keys (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      public_key TEXT NOT NULL,
      private_key TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
  ],
};
