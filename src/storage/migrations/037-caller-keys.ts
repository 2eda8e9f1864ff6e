import type { Migration } from "./migration.ts";

/**
 * What the programs that set up many records call them, unique within each kind; null for records that were made one by one. A heartbeat that waits for
 * its rows to be deleted no longer has a claim to its key.
 */
export const callerKeys: Migration = {
  name: "037-caller-keys",
  statements: () => [
    "ALTER TABLE endpoints ADD COLUMN caller_key TEXT",
    "CREATE UNIQUE INDEX endpoints_caller_key ON endpoints (caller_key) WHERE caller_key IS NOT NULL",
    "ALTER TABLE heartbeats ADD COLUMN caller_key TEXT",
    "CREATE UNIQUE INDEX heartbeats_caller_key ON heartbeats (caller_key) WHERE caller_key IS NOT NULL AND deleted_at IS NULL",
    "ALTER TABLE certificates ADD COLUMN caller_key TEXT",
    "CREATE UNIQUE INDEX certificates_caller_key ON certificates (caller_key) WHERE caller_key IS NOT NULL",
  ],
};
