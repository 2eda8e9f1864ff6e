import type { Insertable, Kysely, Selectable, Generated } from "kysely";
import type { AuditedOperation } from "../../http/audit.ts";
import type { Database } from "../../storage/database.ts";
import { keptRows } from "../../storage/statements.ts";
import type { AuditFilter } from "./api.ts";
import { type AuditEntry, auditEntry } from "./entry.ts";

/** The columns of this feature's table; see storage/migrations/034-audit-entries.ts for their meaning. */
interface AuditTables {
  audit_entries: AuditRow;
}

interface AuditRow {
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

/** Rows deleted in one unit: small enough not to hold up the writer. */
const DELETED_AT_ONCE = 500;

export type AuditStore = ReturnType<typeof createAuditStore>;

export function createAuditStore(database: Database) {
  const tables = database.tables<AuditTables>();
  const addRows = keptRows((tx: Kysely<AuditTables>, rows: readonly Insertable<AuditRow>[]) => tx.insertInto("audit_entries").values(rows));

  function matching({ actor, outcome, operation, entity_type: type, entity_id: id, since, until }: AuditFilter) {
    let query = tables.read.selectFrom("audit_entries");
    if (actor !== undefined) query = query.where("actor_kind", "=", actor);
    if (outcome !== undefined) query = query.where("outcome", "=", outcome);
    if (operation !== undefined) query = query.where("operation", "=", operation);
    if (type !== undefined) query = query.where("entity_type", "=", type);
    if (id !== undefined) query = query.where("entity_id", "=", id);
    if (since !== undefined) query = query.where("at", ">=", Date.parse(since));
    if (until !== undefined) query = query.where("at", "<", Date.parse(until));
    return query;
  }

  return {
    /** All of them or none. */
    async add(operations: readonly AuditedOperation[], at: Date): Promise<void> {
      const rows = operations.map((operation) => operationToRow(operation, at));
      await tables.write((tx) => addRows(tx, rows));
    },

    /** Newest first; those before the entry with the id `before`. */
    async list(filter: AuditFilter, { limit, before }: { limit: number; before?: number | undefined }): Promise<AuditEntry[]> {
      const query = before === undefined ? matching(filter) : matching(filter).where("id", "<", before);
      const rows = await query.selectAll().orderBy("id", "desc").limit(limit).execute();
      return rows.map(entryFromRow);
    },

    /** Deletes a bounded number of those before a time; true while there are more. */
    async purge(before: Date): Promise<boolean> {
      return tables.write(async (tx) => {
        const old = tx.selectFrom("audit_entries").select("id").where("at", "<", before.getTime()).limit(DELETED_AT_ONCE);
        const deleted = await tx.deleteFrom("audit_entries").where("id", "in", old).returning("id").execute();
        return deleted.length === DELETED_AT_ONCE;
      });
    },
  };
}

function operationToRow(operation: AuditedOperation, at: Date): Insertable<AuditRow> {
  const { actor, address, entity, outcome, error, before, after } = operation;
  return {
    at: at.getTime(),
    actor_kind: actor.kind,
    actor_name: actor.name,
    address,
    operation: operation.operation,
    entity_type: entity?.type ?? null,
    entity_id: entity?.id ?? null,
    entity_name: entity?.name ?? null,
    outcome,
    error,
    before: before === null ? null : JSON.stringify(before),
    after: after === null ? null : JSON.stringify(after),
  };
}

/** A row that does not fit was changed by another hand and is a defect. */
function entryFromRow(row: Selectable<AuditRow>): AuditEntry {
  return auditEntry.parse({
    id: row.id,
    at: new Date(row.at).toISOString(),
    actor: { kind: row.actor_kind, name: row.actor_name },
    address: row.address,
    operation: row.operation,
    entity: row.entity_type === null ? null : { type: row.entity_type, id: row.entity_id, name: row.entity_name },
    outcome: row.outcome,
    error: row.error,
    before: row.before === null ? null : JSON.parse(row.before),
    after: row.after === null ? null : JSON.parse(row.after),
  });
}
