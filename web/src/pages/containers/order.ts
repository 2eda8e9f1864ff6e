import type { ContainerRecord, SortKey } from "../../../../src/monitoring/containers/api.ts";
import type { ContainerList } from "../../../../src/monitoring/containers/answers.ts";
import { containerStatus } from "../../format/container-status.ts";
import { STATUSES } from "../../format/status.ts";

/** What each column is ordered by; null stands last in either direction. */
const VALUES: Readonly<Record<Exclude<SortKey, "name">, (container: ContainerRecord) => number | string | null>> = {
  image: ({ image }) => image.toLowerCase(),
  state: (container) => STATUSES.indexOf(containerStatus(container).status),
  cpu: ({ resources }) => resources?.cpu_percent ?? null,
  memory: ({ resources }) => resources?.memory_bytes ?? null,
  uptime: ({ uptime_24h }) => uptime_24h,
  restarts: ({ restart_count }) => restart_count,
  since: ({ archived_at, last_state_change_at }) => archived_at ?? last_state_change_at,
};

/** What is looked for first: the worst, the most, the latest. */
export const FIRST_ORDER: Readonly<Record<SortKey, "asc" | "desc">> = {
  name: "asc",
  image: "asc",
  state: "desc",
  cpu: "desc",
  memory: "desc",
  uptime: "asc",
  restarts: "desc",
  since: "desc",
};

/** The containers of all groups in the order of one column; those that are equal there by name. */
export function orderContainers(
  groups: ContainerList["groups"],
  { sort, order }: { sort: SortKey; order: "asc" | "desc" },
): ContainerRecord[] {
  const containers = groups.flatMap((group) => group.containers);
  const direction = order === "desc" ? -1 : 1;
  if (sort === "name") return containers.toSorted((one, other) => byName(one, other) * direction);
  const value = VALUES[sort];
  return containers.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === b) return byName(one, other);
    if (a === null || b === null) return a === null ? 1 : -1;
    return (a < b ? -1 : 1) * direction;
  });
}

/** As people count: service-2 before service-10. */
const names = new Intl.Collator(undefined, { numeric: true });

function byName(one: ContainerRecord, other: ContainerRecord): number {
  return names.compare(one.name, other.name);
}
