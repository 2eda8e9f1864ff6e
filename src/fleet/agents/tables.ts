/** The columns of this feature's table; see storage/migrations/023-agents.ts for their meaning. */
export interface AgentTables {
  agents: AgentRow;
}

export interface AgentRow {
  id: string;
  label: string;
  /** Base64. */
  public_key: string;
  hostname: string;
  os: string;
  arch: string;
  version: string;
  runtime: string;
  /** JSON. */
  capabilities: string;
  status: string;
  enrolled_at: number;
  revoked_at: number | null;
  last_seen_at: number;
  lost_since: number | null;
  clock_offset_ms: number | null;
  spool_dropped: number;
}
