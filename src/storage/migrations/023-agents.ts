import type { Migration } from "./migration.ts";

/**
 * Hosts that agents watch, and the tokens by which they enroll. Times as in 001.
 *
 * Of a token only its hash is kept, and the beginning of its text for showing. `lost_since` is when an agent was last seen before it was
 * found to be disconnected; null while it is connected. `last_seen_at` is written now and then, not with every message.
 */
export const agents: Migration = {
  name: "023-agents",
  statements: () => [
    `CREATE TABLE agents (
      id TEXT PRIMARY KEY,
      label TEXT NOT NULL,
      public_key TEXT NOT NULL,
      hostname TEXT NOT NULL,
      os TEXT NOT NULL,
      arch TEXT NOT NULL,
      version TEXT NOT NULL,
      runtime TEXT NOT NULL,
      capabilities TEXT NOT NULL,
      status TEXT NOT NULL,
      enrolled_at BIGINT NOT NULL,
      revoked_at BIGINT,
      last_seen_at BIGINT NOT NULL,
      lost_since BIGINT,
      clock_offset_ms BIGINT,
      spool_dropped BIGINT NOT NULL
    )`,
    `CREATE TABLE enrollment_tokens (
      id TEXT PRIMARY KEY,
      token_hash TEXT NOT NULL UNIQUE,
      prefix TEXT NOT NULL,
      label TEXT,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      consumed_at BIGINT,
      agent_id TEXT
    )`,
    "CREATE INDEX enrollment_tokens_expiry ON enrollment_tokens (expires_at)",
  ],
};
