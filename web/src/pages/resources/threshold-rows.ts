import type { ContainerRecord } from "../../../../src/monitoring/containers/api.ts";
import type { ContainerList } from "../../../../src/monitoring/containers/answers.ts";
import type { Thresholds } from "../../../../src/monitoring/resources/answers.ts";

/** A container with its thresholds. */
export interface ThresholdRow {
  container: ContainerRecord;
  thresholds: Thresholds;
  /** Since when the first of those that are exceeded now is; undefined when none is. */
  exceededSince: string | undefined;
}

/** Whose thresholds are set: those that are exceeded first, the latest of them on top, then by name. Containers that are not in the list are left out. */
export function thresholdRows(all: readonly Thresholds[], groups: ContainerList["groups"]): ThresholdRow[] {
  const containers = new Map(groups.flatMap((group) => group.containers.map((container) => [container.id, container] as const)));
  return all
    .flatMap((thresholds): ThresholdRow[] => {
      const container = containers.get(thresholds.container_id);
      return container === undefined || !thresholds.configured ? [] : [{ container, thresholds, exceededSince: exceededSince(thresholds) }];
    })
    .sort(
      (one, other) =>
        (other.exceededSince ?? "").localeCompare(one.exceededSince ?? "") || one.container.name.localeCompare(other.container.name),
    );
}

function exceededSince({ cpu_breach, memory_breach }: Thresholds): string | undefined {
  return [cpu_breach, memory_breach]
    .flatMap((breach) => (breach === null ? [] : [breach.since]))
    .sort()
    .at(0);
}
