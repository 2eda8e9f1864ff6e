import type { ContainerRecord } from "../../../../src/monitoring/containers/api.ts";
import type { ContainerList } from "../../../../src/monitoring/containers/answers.ts";
import { hostId } from "../../app/host-id.ts";
import { containerStatus, needsAttention } from "../../format/container-status.ts";

/** A line of the list: the head of a group, or a container. */
export type ContainerItem = GroupItem | { kind: "row"; key: string; container: ContainerRecord };

export interface GroupItem {
  kind: "group";
  key: string;
  name: string;
  source: ContainerList["groups"][number]["source"];
  /** The host of its rows: a group that spans several is listed once for each. */
  host: string;
  count: number;
  /** How many need attention, and the worst of their statuses. */
  attention: number;
  worst: "degraded" | "down";
}

/** The lines of the list in order: each group's head, then its containers. */
export function listItems(groups: ContainerList["groups"]): ContainerItem[] {
  return groups.flatMap((group) =>
    [...Map.groupBy(group.containers, hostId)].flatMap(([host, containers]): ContainerItem[] => [
      {
        kind: "group",
        key: `group ${group.source} ${host} ${group.name}`,
        name: group.name,
        source: group.source,
        host,
        count: containers.length,
        attention: containers.filter(needsAttention).length,
        worst: containers.some((container) => needsAttention(container) && containerStatus(container).status === "down")
          ? "down"
          : "degraded",
      },
      ...flatItems(containers),
    ]),
  );
}

/** The lines of a list without groups. */
export function flatItems(containers: readonly ContainerRecord[]): ContainerItem[] {
  return containers.map((container) => ({ kind: "row", key: `container ${container.id}`, container }));
}
