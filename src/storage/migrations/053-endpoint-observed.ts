import type { Migration } from "./migration.ts";

/** When endpoints were last observed: the last check by a host that had a network and a resolver. Times as in 001; null: never. */
export const endpointObserved: Migration = {
  name: "053-endpoint-observed",
  statements: () => [
    "ALTER TABLE endpoints ADD COLUMN last_observed_at BIGINT",
    "UPDATE endpoints SET last_observed_at = last_check_at WHERE last_response_time_ms IS NOT NULL OR last_failure_class IS NOT NULL",
  ],
};
