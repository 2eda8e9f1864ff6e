import type { Generated, Insertable, Selectable } from "kysely";
import type { Comparison } from "./comparison.ts";
import type { Change } from "./verdict.ts";
import type { ImageRun } from "./image-run.ts";

/** The columns of this feature's tables; see storage/migrations/022-update-comparisons.ts for their meaning. */
export interface ComparisonTables {
  image_runs: RunRow;
  update_comparisons: ComparisonRow;
}

interface RunRow {
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

interface ComparisonRow {
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

export function runToRow(run: ImageRun): Insertable<RunRow> {
  return {
    host: run.host,
    name: run.name,
    container_id: run.containerId,
    container_ids: JSON.stringify(run.containerIds),
    image: run.image,
    image_digest: run.imageDigest,
    image_id: run.imageId,
    since: run.since.getTime(),
    started_at: run.startedAt.getTime(),
    gone_at: run.goneAt?.getTime() ?? null,
    comparison_id: run.comparisonId,
  };
}

export function runFromRow(row: Selectable<RunRow>): ImageRun {
  return {
    host: row.host,
    name: row.name,
    containerId: row.container_id,
    // This column holds what runToRow wrote.
    containerIds: JSON.parse(row.container_ids) as number[],
    image: row.image,
    imageDigest: row.image_digest,
    imageId: row.image_id,
    since: new Date(row.since),
    startedAt: new Date(row.started_at),
    goneAt: row.gone_at === null ? null : new Date(row.gone_at),
    comparisonId: row.comparison_id,
  };
}

export function comparisonToRow(comparison: Omit<Comparison, "id">): Insertable<ComparisonRow> {
  const { before, figures, changes } = comparison;
  return {
    host: comparison.host,
    name: comparison.name,
    before_ids: JSON.stringify(before.containerIds),
    before_image: before.image,
    before_digest: before.imageDigest,
    before_since: before.since.getTime(),
    before_until: before.until.getTime(),
    before_cpus: before.cpus,
    image: comparison.image,
    image_digest: comparison.imageDigest,
    changed_at: comparison.changedAt.getTime(),
    look: comparison.evaluation,
    due_at: comparison.dueAt?.getTime() ?? null,
    compared_at: comparison.comparedAt?.getTime() ?? null,
    window_ms: comparison.windowMs,
    verdict: comparison.verdict,
    figures: figures === null ? null : JSON.stringify(figures),
    changes: JSON.stringify(changes),
    alerting: Number(comparison.alerting),
  };
}

export function comparisonFromRow(row: Selectable<ComparisonRow>): Comparison {
  return {
    id: row.id,
    host: row.host,
    name: row.name,
    // These columns hold what comparisonToRow wrote, which is of these types.
    before: {
      containerIds: JSON.parse(row.before_ids) as number[],
      image: row.before_image,
      imageDigest: row.before_digest,
      since: new Date(row.before_since),
      until: new Date(row.before_until),
      cpus: row.before_cpus,
    },
    image: row.image,
    imageDigest: row.image_digest,
    changedAt: new Date(row.changed_at),
    evaluation: row.look,
    dueAt: row.due_at === null ? null : new Date(row.due_at),
    comparedAt: row.compared_at === null ? null : new Date(row.compared_at),
    windowMs: row.window_ms,
    verdict: row.verdict as Comparison["verdict"],
    figures: row.figures === null ? null : (JSON.parse(row.figures) as NonNullable<Comparison["figures"]>),
    changes: JSON.parse(row.changes) as Change[],
    alerting: row.alerting === 1,
  };
}
