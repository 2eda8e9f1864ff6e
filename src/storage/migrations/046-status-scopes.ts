import type { Migration } from "./migration.ts";

/** What a component of the status page stands for when it is no single monitor (`monitor_id` is 0 then): the name of a group, or `local` or the id of an agent. */
export const statusScopes: Migration = {
  name: "046-status-scopes",
  statements: () => ["ALTER TABLE status_components ADD COLUMN monitor_scope TEXT"],
};
