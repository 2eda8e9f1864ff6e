import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/008-routing.ts for their meaning. */
export interface SuppressionTables {
  silences: SilenceRow;
  maintenance_windows: WindowRow;
}

export interface SilenceRow {
  id: Generated<number>;
  reason: string;
  starts_at: number;
  ends_at: number;
  matchers: string;
  created_by: string | null;
  created_at: number;
  cancelled_at: number | null;
  told: string;
}

export interface WindowRow {
  id: Generated<number>;
  title: string;
  description: string;
  starts_at: number;
  ends_at: number;
  components: string;
  entities: string;
  created_at: number;
  updated_at: number;
  told: string;
}
