import type { ComparisonRecord } from "../answers.ts";
import { type Comparison, comparisonRecord } from "./comparison.ts";
import type { ImageRun } from "./image-run.ts";

/** What runs under which name, with the latest comparison of each, in memory: the rows as they were last saved. */
export interface ComparisonProjection {
  get(host: string, name: string): ImageRun | undefined;
  all(): Iterable<ImageRun>;
  /** Those that nothing has any more. */
  gone(): Iterable<ImageRun>;
  size(): number;
  put(run: ImageRun): void;
  remove(run: ImageRun): void;
  comparison(id: number | null): Comparison | undefined;
  putComparison(comparison: Comparison): void;
  /** Of a container: of the run that it is of, while that has one. */
  latestOf(containerId: number): ComparisonRecord | undefined;
}

export function createComparisonProjection(): ComparisonProjection {
  const runs = new Map<string, ImageRun>();
  const gone = new Map<string, ImageRun>();
  const comparisons = new Map<number, Comparison>();
  /** Runs with a comparison, by their containers. */
  const byContainer = new Map<number, string>();

  function forget(run: ImageRun): void {
    for (const id of run.containerIds) if (byContainer.get(id) === keyOf(run)) byContainer.delete(id);
  }

  return {
    get: (host, name) => runs.get(keyOf({ host, name })),
    all: () => runs.values(),
    gone: () => gone.values(),
    size: () => runs.size,
    put(run) {
      const key = keyOf(run);
      const before = runs.get(key);
      if (before !== undefined) forget(before);
      if (before !== undefined && before.comparisonId !== null && before.comparisonId !== run.comparisonId)
        comparisons.delete(before.comparisonId);
      runs.set(key, run);
      if (run.goneAt === null) gone.delete(key);
      else gone.set(key, run);
      if (run.comparisonId !== null) for (const id of run.containerIds) byContainer.set(id, key);
    },
    remove(run) {
      forget(run);
      runs.delete(keyOf(run));
      gone.delete(keyOf(run));
      if (run.comparisonId !== null) comparisons.delete(run.comparisonId);
    },
    comparison: (id) => (id === null ? undefined : comparisons.get(id)),
    putComparison: (comparison) => void comparisons.set(comparison.id, comparison),
    latestOf(containerId) {
      const key = byContainer.get(containerId);
      const run = key === undefined ? undefined : runs.get(key);
      const comparison = run?.comparisonId == null ? undefined : comparisons.get(run.comparisonId);
      return run === undefined || comparison === undefined ? undefined : comparisonRecord(comparison, run);
    },
  };
}

/** A name of a container has no line break. */
export function keyOf({ host, name }: Pick<ImageRun, "host" | "name">): string {
  return `${host}\n${name}`;
}
