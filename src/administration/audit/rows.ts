import type { Insertable, Selectable } from "kysely";
import type { AuditedOperation } from "../../http/audit.ts";
import { type AuditEntry, auditEntry } from "./api.ts";
import type { AuditRow } from "./tables.ts";

export function operationToRow(operation: AuditedOperation, at: Date): Insertable<AuditRow> {
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
export function entryFromRow(row: Selectable<AuditRow>): AuditEntry {
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
