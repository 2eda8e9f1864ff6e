import type { Migration } from "./migration.ts";

/** What the health check of a container printed when the container turned unhealthy, as JSON: exit code, output, and when it ended. */
export const healthFailures: Migration = {
  name: "043-health-failures",
  statements: () => ["ALTER TABLE transitions ADD COLUMN health_failure TEXT"],
};
