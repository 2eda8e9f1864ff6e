import type { Migration } from "./migration.ts";

/**
 * Who did what through the API, the web app and assistants, and what was refused. Times as in 001; `before` and `after` are records in short as JSON,
 * without secrets: of a change only the fields that differ. `operation` is an operationId of the OpenAPI document, or the name of a tool.
 */
export const auditEntries: Migration = {
  name: "034-audit-entries",
  statements: ({ generatedKey }) => [
    `CREATE TABLE audit_entries (
      id ${generatedKey},
      at BIGINT NOT NULL,
      actor_kind TEXT NOT NULL,
      actor_name TEXT,
      address TEXT,
      operation TEXT NOT NULL,
      entity_type TEXT,
      entity_id TEXT,
      entity_name TEXT,
      outcome TEXT NOT NULL,
      error TEXT,
      before TEXT,
      after TEXT
    )`,
    "CREATE INDEX audit_entries_at ON audit_entries (at)",
    "CREATE INDEX audit_entries_entity ON audit_entries (entity_type, entity_id, id)",
  ],
};
