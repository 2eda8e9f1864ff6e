import { replaceEqualDeep } from "@tanstack/react-query";
import type { ContainerRecord } from "../../../src/monitoring/containers/api.ts";
import type { ContainerList } from "../../../src/monitoring/containers/answers.ts";
import { looksEqual } from "../format/usage.ts";

/** A list just read in which whatever would look as in the known one is the known object, so that nothing else renders again. */
export function shareRows(known: ContainerList | undefined, fresh: ContainerList): ContainerList {
  if (known === undefined) return fresh;
  const rows = new Map(known.groups.flatMap(({ containers }) => containers.map((container) => [container.id, container] as const)));
  const groups = fresh.groups.map((group, index) => {
    const containers = group.containers.map((container) => {
      const row = rows.get(container.id);
      return row === undefined ? container : replaceEqualDeep(row, withKnownUsage(row, container));
    });
    const old = known.groups[index];
    const isSame = old !== undefined && old.name === group.name && old.source === group.source && haveSameItems(old.containers, containers);
    return isSame ? old : { ...group, containers };
  });
  const isSame = fresh.total === known.total && fresh.archived_count === known.archived_count && haveSameItems(known.groups, groups);
  return isSame ? known : { ...fresh, groups };
}

/** Whether both hold the same objects in the same places. */
export function haveSameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** Events may have brought figures already that are newer than this answer. */
function withKnownUsage({ resources: known }: ContainerRecord, container: ContainerRecord): ContainerRecord {
  const { resources } = container;
  if (known === null || resources === null) return container;
  return known.timestamp > resources.timestamp || looksEqual(known, resources) ? { ...container, resources: known } : container;
}
