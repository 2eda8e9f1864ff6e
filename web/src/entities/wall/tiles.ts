import type { IsUnseen } from "../../app/sight.ts";
import { containerStatus } from "../../format/container-status.ts";
import { shownEndpointStatus } from "../../format/endpoint-status.ts";
import { heartbeatStatus } from "../../format/heartbeat-status.ts";
import { lastKnown } from "../../format/last-known.ts";
import type { ContainerStatus } from "../../format/status-facts.ts";
import type { Status } from "../../format/status.ts";
import type { Watched } from "../attention/watched.ts";

/** One monitored thing on the wall. */
export interface Tile {
  type: "container" | "endpoint" | "heartbeat";
  id: number;
  name: string;
  status: Status;
  /** `Exited 137, OOM killed`. */
  words: string;
}

export interface TileGroup {
  key: string;
  name: string;
  tiles: readonly Tile[];
  /** How many more there are; none of them is known to be in trouble. */
  leftOut: number;
}

/** Every container by its group, then endpoints and heartbeats, each at a place that changes only when something comes or goes. */
export function tilesOf(
  { groups, endpoints, heartbeats }: Pick<Watched, "groups" | "endpoints" | "heartbeats">,
  isUnseen: IsUnseen,
): TileGroup[] {
  function tileOf(type: Tile["type"], { id, name }: { id: number; name: string }, { status, word, cause }: ContainerStatus): Tile {
    return { type, id, name, status, words: cause === undefined ? word : `${word}, ${cause}` };
  }
  function asSeen(type: Tile["type"], agentId: string | null, status: ContainerStatus): ContainerStatus {
    return isUnseen(type, agentId) ? lastKnown(status) : status;
  }
  const containers = groups.map(({ name, source, containers: members }) => ({
    key: `${source} ${name}`,
    name,
    leftOut: 0,
    tiles: members
      .filter((container) => !container.is_ignored && container.archived_at === null)
      .map((container) => tileOf("container", container, asSeen("container", container.agent_id, containerStatus(container)))),
  }));
  return [
    ...containers,
    {
      key: "endpoints",
      name: "Endpoints",
      leftOut: 0,
      tiles: endpoints
        .filter(({ active }) => active)
        .map((endpoint) => tileOf("endpoint", endpoint, shownEndpointStatus(endpoint, isUnseen("endpoint", endpoint.agent_id)))),
    },
    {
      key: "heartbeats",
      name: "Heartbeats",
      leftOut: 0,
      tiles: heartbeats.map((heartbeat) => tileOf("heartbeat", heartbeat, asSeen("heartbeat", null, heartbeatStatus(heartbeat)))),
    },
  ].filter(({ tiles }) => tiles.length > 0);
}

/** The same with at most so many tiles that are healthy or idle, so that a page of many thousands stays quick: those beyond that are counted. */
export function boundTiles(groups: readonly TileGroup[], mostCalm: number): TileGroup[] {
  let left = mostCalm;
  return groups.map((group) => {
    const tiles = group.tiles.filter(({ status }) => (status !== "ok" && status !== "idle") || left-- > 0);
    return { ...group, tiles, leftOut: group.tiles.length - tiles.length };
  });
}

/** Groups with something down first, then those with something degraded; the others keep their order, and so do tiles. */
export function worstFirst(groups: readonly TileGroup[]): TileGroup[] {
  const rank = ({ tiles }: TileGroup): number =>
    tiles.some(({ status }) => status === "down") ? 0 : tiles.some(({ status }) => status === "degraded") ? 1 : 2;
  return groups.toSorted((a, b) => rank(a) - rank(b));
}

/** Where the page of a thing is. */
export function addressOf({ type, id }: Pick<Tile, "type" | "id">): string {
  return `/${type}s/${id}`;
}

/** Groups in pages of at most so many tiles; a group is on one page unless it is larger than that. */
export function pagesOf(groups: readonly TileGroup[], mostTiles: number): TileGroup[][] {
  const pages: TileGroup[][] = [];
  let room = 0;
  for (const group of groups.flatMap((each) => splitGroup(each, mostTiles))) {
    if (pages.length === 0 || group.tiles.length > room) {
      pages.push([]);
      room = mostTiles;
    }
    pages.at(-1)?.push(group);
    room -= group.tiles.length;
  }
  return pages;
}

function splitGroup(group: TileGroup, mostTiles: number): TileGroup[] {
  const parts = Math.ceil(group.tiles.length / mostTiles);
  if (parts <= 1) return [group];
  return Array.from({ length: parts }, (_, part) => ({
    key: `${group.key} ${part}`,
    name: `${group.name} (${part + 1} of ${parts})`,
    leftOut: 0,
    tiles: group.tiles.slice(part * mostTiles, (part + 1) * mostTiles),
  }));
}
