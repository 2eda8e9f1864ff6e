import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/022-update-comparisons.ts for their meaning. */
export interface ComparisonTables {
  image_runs: RunRow;
  update_comparisons: ComparisonRow;
}

export interface RunRow {
  host: string;
  name: string;
  container_id: number;
  container_ids: string;
  image: string;
  image_digest: string | null;
  image_id: string | null;
  since: number;
  started_at: number;
  gone_at: number | null;
  comparison_id: number | null;
}

export interface ComparisonRow {
  id: Generated<number>;
  host: string;
  name: string;
  before_ids: string;
  before_image: string;
  before_digest: string | null;
  before_since: number;
  before_until: number;
  before_cpus: number | null;
  image: string;
  image_digest: string | null;
  changed_at: number;
  look: number;
  due_at: number | null;
  compared_at: number | null;
  window_ms: number;
  verdict: string;
  figures: string | null;
  changes: string;
  alerting: number;
}
