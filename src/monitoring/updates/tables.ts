import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/018-updates.ts for their meaning. */
export interface UpdateTables {
  update_images: ImageRow;
  update_enrichments: EnrichmentRow;
  update_pins: PinRow;
  update_exclusions: ExclusionRow;
  update_scans: ScanRow;
  update_scan_claim: ClaimRow;
}

export interface ImageRow {
  subject: string;
  facts: Uint8Array;
  checked_at: number;
}

export interface EnrichmentRow {
  subject: string;
  outline: string;
  details: Uint8Array;
  checked_at: number;
}

export interface PinRow {
  id: Generated<number>;
  host: string;
  container_id: number;
  container_name: string;
  reason: string | null;
  tag: string | null;
  digest: string | null;
  pinned_at: number;
}

export interface ExclusionRow {
  id: Generated<number>;
  image: string;
  created_at: number;
}

export interface ScanRow {
  id: Generated<number>;
  scan_id: string;
  started_by: string;
  status: string;
  failure: string | null;
  started_at: number;
  completed_at: number | null;
  total: number;
  scanned: number;
  updates_found: number;
  errors: string;
}

export interface ClaimRow {
  id: number;
  scan_id: string | null;
  alive_at: number;
}
