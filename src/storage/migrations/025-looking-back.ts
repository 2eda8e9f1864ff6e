import type { Migration } from "./migration.ts";

/** Indexes for looking back at what changed: at acknowledgments, and at the first check that showed a certificate. */
export const lookingBack: Migration = {
  name: "025-looking-back",
  statements: () => [
    "CREATE INDEX alerts_acknowledged ON alerts (acknowledged_at) WHERE acknowledged_at IS NOT NULL",
    "DROP INDEX certificate_checks_facts",
    "CREATE INDEX certificate_checks_facts ON certificate_checks (facts_id, id)",
  ],
};
