/** The columns of this feature's table; see storage/migrations/023-agents.ts for their meaning. */
export interface EnrollmentTables {
  enrollment_tokens: TokenRow;
}

export interface TokenRow {
  id: string;
  token_hash: string;
  prefix: string;
  label: string | null;
  created_at: number;
  expires_at: number;
  consumed_at: number | null;
  agent_id: string | null;
}
