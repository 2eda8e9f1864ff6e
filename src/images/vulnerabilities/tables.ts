/** The columns of this feature's table; see storage/migrations/020-vulnerabilities.ts for their meaning. */
export interface VulnerabilityTables {
  osv_records: OsvRecordRow;
}

export interface OsvRecordRow {
  id: string;
  modified: string;
  record: Uint8Array | null;
  fetched_at: number;
  used_at: number;
}
