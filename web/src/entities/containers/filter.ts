import type { ContainerState } from "../../../../src/events.ts";
import type { ContainerRecord, SortKey } from "../../../../src/monitoring/containers/api.ts";
import type { ContainerList } from "../../../../src/monitoring/containers/answers.ts";
import { oneOf, someOf, textParam } from "../../app/search-params.ts";
import { columnsParam, type ColumnsParam } from "../../lists/columns.ts";

/** A state to filter by. Unhealthy, and stopped by somebody, are some here, since that is what one looks for. */
export type FilterState = ContainerState | "unhealthy" | "stopped";

export const STATE_WORDS: Readonly<Record<FilterState, string>> = {
  running: "Running",
  unhealthy: "Unhealthy",
  restarting: "Restarting",
  exited: "Exited",
  dead: "Dead",
  stopped: "Stopped",
  completed: "Completed",
  paused: "Paused",
  created: "Created",
};

// The keys of a typed record are its type's.
export const FILTER_STATES = Object.keys(STATE_WORDS) as FilterState[];

/** Columns that the list can be sorted by; without one it is in its groups. */
export const SORT_WORDS: Readonly<Record<SortKey, string>> = {
  name: "Name",
  image: "Image",
  state: "State",
  cpu: "CPU",
  memory: "Memory",
  uptime: "Uptime 24 h",
  restarts: "Restarts",
  since: "Since",
};

// The keys of a typed record are its type's.
export const SORT_KEYS = Object.keys(SORT_WORDS) as SortKey[];

/** Columns that can be left out; name and state always stand. */
export const COLUMN_KEYS = ["image", "ports", "cpu", "memory", "uptime", "restarts", "since"] as const;
export type ContainerColumn = (typeof COLUMN_KEYS)[number];

/** What the address of the list says. */
export interface ContainerFilter {
  q?: string | undefined;
  state?: FilterState[] | undefined;
  group?: string | undefined;
  view?: "removed" | undefined;
  sort?: SortKey | undefined;
  order?: "asc" | "desc" | undefined;
  columns?: ColumnsParam<ContainerColumn> | undefined;
}

export function containerFilter(search: Record<string, unknown>): ContainerFilter {
  return {
    q: textParam(search["q"]),
    state: someOf(search["state"], FILTER_STATES),
    group: textParam(search["group"]),
    view: oneOf(search["view"], ["removed"] as const),
    sort: oneOf(search["sort"], SORT_KEYS),
    order: oneOf(search["order"], ["asc", "desc"] as const),
    columns: columnsParam(search["columns"], COLUMN_KEYS),
  };
}

/** Whether anything is left out, apart from what the chosen view leaves out. */
export function isNarrowed({ q, state, group }: ContainerFilter): boolean {
  return q !== undefined || state !== undefined || group !== undefined;
}

export function isIn(container: ContainerRecord, state: FilterState): boolean {
  const isStopped = container.state === "exited" && container.stop_requested;
  if (state === "stopped") return isStopped;
  if (state === "unhealthy") return container.health === "unhealthy" && container.state === "running";
  return container.state === state && !isStopped;
}

/** The list narrowed to what the filter and the chosen host leave; groups without rows are left out. */
export function applyFilter(
  groups: ContainerList["groups"],
  filter: ContainerFilter & { host?: string | undefined },
): ContainerList["groups"] {
  const text = filter.q?.toLowerCase();
  const agentId = filter.host === "local" ? null : filter.host;
  const keeps = (container: ContainerRecord, ofGroup: boolean): boolean =>
    (agentId === undefined || container.agent_id === agentId) &&
    (filter.state === undefined || filter.state.some((state) => isIn(container, state))) &&
    (text === undefined || ofGroup || container.name.toLowerCase().includes(text) || container.image.toLowerCase().includes(text));
  return groups
    .filter((group) => filter.group === undefined || group.name === filter.group)
    .map((group) => {
      const isNamed = text !== undefined && group.name.toLowerCase().includes(text);
      return { ...group, containers: group.containers.filter((container) => keeps(container, isNamed)) };
    })
    .filter((group) => group.containers.length > 0);
}
