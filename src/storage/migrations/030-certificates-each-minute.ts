import type { Migration } from "./migration.ts";

/** Certificates are looked at every minute unless somebody chose otherwise: whoever has the default of before follows. */
export const certificatesEachMinute: Migration = {
  name: "030-certificates-each-minute",
  statements: () => [
    "UPDATE certificates SET check_interval_ms = 60000, next_check_at = COALESCE(last_check_at, created_at) WHERE check_interval_ms = 43200000",
  ],
};
