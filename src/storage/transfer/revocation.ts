import type { Table } from "./table.ts";

/** From when on nothing counts that a backup still lets in. */
export interface Revocation {
  at: Date;
  /** When the last cookie of a session that began until then ends. */
  sessionsEndAt: Date;
}

/**
 * SQL of both databases that takes back what was perhaps used up, ended or deleted since a backup was taken: sessions of the login form, connections of
 * assistants, and open enrollment tokens. Tables that the backup is too old to have are left out.
 */
export function revocationStatements(tables: readonly Table[], { at, sessionsEndAt }: Revocation): string[] {
  const nowMs = at.getTime();
  const statements = {
    ended_sessions: [
      "DELETE FROM ended_sessions WHERE id = '*'",
      `INSERT INTO ended_sessions (id, ended_at, expires_at) VALUES ('*', ${nowMs}, ${sessionsEndAt.getTime()})`,
    ],
    mcp_connections: [`UPDATE mcp_connections SET revoked_at = ${nowMs} WHERE revoked_at IS NULL AND expires_at > ${nowMs}`],
    mcp_tokens: ["DELETE FROM mcp_tokens"],
    mcp_codes: ["DELETE FROM mcp_codes"],
    enrollment_tokens: [`UPDATE enrollment_tokens SET expires_at = ${nowMs} WHERE consumed_at IS NULL AND expires_at > ${nowMs}`],
  };
  return Object.entries(statements).flatMap(([name, texts]) => (tables.some((table) => table.name === name) ? texts : []));
}
