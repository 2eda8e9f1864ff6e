import type { Database } from "../../storage/database.ts";
import type { Policy } from "./policy.ts";
import { policyFromRow, policyToRow } from "./rows.ts";
import type { EscalationTables } from "./tables.ts";

export type PolicyStore = ReturnType<typeof createPolicyStore>;

/** The policies; their runs are in runs/store.ts. */
export function createPolicyStore(database: Database) {
  const tables = database.tables<EscalationTables>();
  return {
    async all(): Promise<Policy[]> {
      const rows = await tables.read.selectFrom("escalation_policies").selectAll().orderBy("id").execute();
      return rows.map(policyFromRow);
    },

    async create(policy: Omit<Policy, "id">): Promise<Policy> {
      const { id } = await tables.write((tx) =>
        tx.insertInto("escalation_policies").values(policyToRow(policy)).returning("id").executeTakeFirstOrThrow(),
      );
      return { ...policy, id };
    },

    async save(policy: Policy): Promise<void> {
      await tables.write((tx) => tx.updateTable("escalation_policies").set(policyToRow(policy)).where("id", "=", policy.id).execute());
    },
  };
}
