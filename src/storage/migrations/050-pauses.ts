import type { Migration } from "./migration.ts";

/**
 * When endpoints and heartbeats were paused. Times as in 001; `resumed_at` is null while it lasts.
 *
 * Of an endpoint that is paused now only the last change of its definition is known, which is not before its pause.
 */
export const pauses: Migration = {
  name: "050-pauses",
  statements: ({ generatedKey }) => [
    ...(["endpoint", "heartbeat"] as const).flatMap((thing) => [
      `CREATE TABLE ${thing}_pauses (
        id ${generatedKey},
        ${thing}_id BIGINT NOT NULL REFERENCES ${thing}s (id) ON DELETE CASCADE,
        paused_at BIGINT NOT NULL,
        resumed_at BIGINT
      )`,
      `CREATE INDEX ${thing}_pauses_owner ON ${thing}_pauses (${thing}_id)`,
      `CREATE INDEX ${thing}_pauses_end ON ${thing}_pauses (resumed_at) WHERE resumed_at IS NOT NULL`,
    ]),
    "INSERT INTO endpoint_pauses (endpoint_id, paused_at) SELECT id, updated_at FROM endpoints WHERE paused = 1",
    `INSERT INTO heartbeat_pauses (heartbeat_id, paused_at)
      SELECT id, status_changed_at FROM heartbeats WHERE status = 'paused' AND deleted_at IS NULL`,
  ],
};
