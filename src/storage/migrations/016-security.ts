import type { Migration } from "./migration.ts";

/**
 * Findings that people acknowledged, and the posture of each UTC day. Times as in 001; a day is `YYYY-MM-DD`.
 *
 * An acknowledgment holds for the container that it was given for, and for whichever has its name on its host. `host` is `local` or an agent's
 * UUID; of a day also `all`.
 */
export const security: Migration = {
  name: "016-security",
  statements: ({ generatedKey }) => [
    `CREATE TABLE security_acknowledgments (
      id ${generatedKey},
      host TEXT NOT NULL,
      container_id BIGINT NOT NULL,
      container_name TEXT NOT NULL,
      finding_type TEXT NOT NULL,
      finding_key TEXT NOT NULL,
      acknowledged_by TEXT NOT NULL,
      reason TEXT NOT NULL,
      acknowledged_at BIGINT NOT NULL,
      UNIQUE (host, container_name, finding_type, finding_key)
    )`,
    `CREATE TABLE security_posture_days (
      host TEXT NOT NULL,
      day TEXT NOT NULL,
      score BIGINT NOT NULL,
      containers BIGINT NOT NULL,
      critical BIGINT NOT NULL,
      high BIGINT NOT NULL,
      medium BIGINT NOT NULL,
      acknowledged BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      PRIMARY KEY (host, day)
    )`,
  ],
};
