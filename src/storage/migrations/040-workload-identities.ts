import type { Migration } from "./migration.ts";

const OF_KUBERNETES = "runtime = 'kubernetes' AND unit IS NOT NULL";

/**
 * Workloads of one namespace and name but different kinds are different containers, as src/monitoring/containers/container.ts has it. Those that were kept
 * beside each other for their name each get an identity of their own.
 */
export const workloadIdentities: Migration = {
  name: "040-workload-identities",
  statements: () => [
    `UPDATE containers SET identity = 'kubernetes:' || name || '/' || unit ||
        CASE WHEN identity = 'name:' || name || '#' || external_id THEN '#' || external_id ELSE '' END
      WHERE ${OF_KUBERNETES}`,
    // The newest of those that no other holds the place of.
    `UPDATE containers SET identity = 'kubernetes:' || name || '/' || unit
      WHERE ${OF_KUBERNETES} AND id IN (
        SELECT MAX(beside.id) FROM containers AS beside
        WHERE beside.runtime = 'kubernetes' AND beside.identity = 'kubernetes:' || beside.name || '/' || beside.unit || '#' || beside.external_id
          AND NOT EXISTS (
            SELECT 1 FROM containers AS holder
            WHERE COALESCE(holder.agent_id, '') = COALESCE(beside.agent_id, '')
              AND holder.identity = 'kubernetes:' || beside.name || '/' || beside.unit
          )
        GROUP BY COALESCE(beside.agent_id, ''), beside.name, beside.unit
      )`,
  ],
};
