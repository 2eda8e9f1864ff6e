import type { Migration } from "./migration.ts";

/**
 * Sessions of the login form that were ended before their time; `*` stands for all that began until `ended_at`. Times as in 001.
 * A row is of no use once no cookie of its session can be in force any more: `expires_at`.
 */
export const endedSessions: Migration = {
  name: "033-ended-sessions",
  statements: () => [
    `CREATE TABLE ended_sessions (
      id TEXT PRIMARY KEY,
      ended_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL
    )`,
  ],
};
