import { containerStatus } from "../../format/container-status.ts";
import { endpointStatus } from "../../format/endpoint-status.ts";
import { heartbeatStatus } from "../../format/heartbeat-status.ts";
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
}

/** Every container by its group, then endpoints and heartbeats, each at a place that changes only when something comes or goes. */
export function tilesOf({ groups, endpoints, heartbeats }: Pick<Watched, "groups" | "endpoints" | "heartbeats">): TileGroup[] {
  const containers = groups.map(({ name, source, containers: members }) => ({
    key: `${source} ${name}`,
    name,
    tiles: members
      .filter((container) => !container.is_ignored && container.archived_at === null)
      .map((container) => tileOf("container", container, containerStatus(container))),
  }));
  const active = endpoints.filter((endpoint) => endpoint.active);
  return [
    ...containers,
    { key: "endpoints", name: "Endpoints", tiles: active.map((endpoint) => tileOf("endpoint", endpoint, endpointStatus(endpoint))) },
    { key: "heartbeats", name: "Heartbeats", tiles: heartbeats.map((one) => tileOf("heartbeat", one, heartbeatStatus(one))) },
  ].filter(({ tiles }) => tiles.length > 0);
}

function tileOf(type: Tile["type"], { id, name }: { id: number; name: string }, { status, word, cause }: ContainerStatus): Tile {
  return { type, id, name, status, words: cause === undefined ? word : `${word}, ${cause}` };
}

/** Where the page of a thing is. */
export function addressOf({ type, id }: Tile): string {
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
    tiles: group.tiles.slice(part * mostTiles, (part + 1) * mostTiles),
  }));
}
