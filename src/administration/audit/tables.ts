import type { Generated } from "kysely";

/** The columns of this feature's table; see storage/migrations/034-audit-entries.ts for their meaning. */
export interface AuditTables {
  audit_entries: AuditRow;
}

export interface AuditRow {
  id: Generated<number>;
  at: number;
  actor_kind: string;
  actor_name: string | null;
  address: string | null;
  operation: string;
  entity_type: string | null;
  entity_id: string | null;
  entity_name: string | null;
  outcome: string;
  error: string | null;
  before: string | null;
  after: string | null;
}
