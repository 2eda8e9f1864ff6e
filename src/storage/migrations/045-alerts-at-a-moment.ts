import type { Migration } from "./migration.ts";

/** Which alerts were active at a moment is found in the index alone: rows are wide, and most that were resolved since then had not fired yet. */
export const alertsAtAMoment: Migration = {
  name: "045-alerts-at-a-moment",
  statements: () => [
    "DROP INDEX alerts_resolved",
    "CREATE INDEX alerts_resolved ON alerts (resolved_at, fired_at, severity, id, agent_id) WHERE resolved_at IS NOT NULL",
  ],
};
