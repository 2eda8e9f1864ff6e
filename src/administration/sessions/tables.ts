/** The columns of this feature's table; see storage/migrations/033-ended-sessions.ts for their meaning. */
export interface SessionTables {
  ended_sessions: EndedSessionRow;
}

interface EndedSessionRow {
  id: string;
  ended_at: number;
  expires_at: number;
}
