import type { Insertable, Kysely } from "kysely";
import type { AuditedOperation } from "../../http/audit.ts";
import type { Database } from "../../storage/database.ts";
import { keptRows } from "../../storage/kept-rows.ts";
import type { AuditEntry, AuditFilter } from "./api.ts";
import { entryFromRow, operationToRow } from "./rows.ts";
import type { AuditRow, AuditTables } from "./tables.ts";

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
