import type { ContainerSighting } from "../../observations.ts";
import { type ListingPart, MAX_CONTAINERS, MAX_LISTING_LABELS } from "../wire/index.ts";
import { type Assembly, type AssemblyOptions, createAssembly, type Joining } from "./assembly.ts";

export interface ListingsOptions extends Pick<AssemblyOptions<ListingPart, ContainerSighting[]>, "agentId" | "room" | "clock" | "log"> {
  /** A listing was not taken. */
  onDropped: () => void;
}

/** Puts together the listing of containers that comes in parts. */
export type Listings = Assembly<ListingPart, ContainerSighting[]>;

export function createListings(options: ListingsOptions): Listings {
  return createAssembly({ ...options, where: "container_inventory_part", what: "listing", begin: joinContainers });
}

function joinContainers(): Joining<ListingPart, ContainerSighting[]> {
  const containers: ContainerSighting[] = [];
  const ids = new Set<string>();
  let labels = 0;
  return {
    faultOf(part) {
      if (containers.length + part.containers.length > MAX_CONTAINERS) return `makes a listing of more than ${MAX_CONTAINERS} containers`;
      if (labels + labelsOf(part) > MAX_LISTING_LABELS) return `makes a listing of more than ${MAX_LISTING_LABELS} labels`;
      return part.containers.some(({ externalId }) => ids.has(externalId)) ? "names a container that was listed before" : undefined;
    },
    add(part) {
      labels += labelsOf(part);
      for (const container of part.containers) {
        ids.add(container.externalId);
        containers.push(container);
      }
    },
    whole: () => containers,
  };
}

function labelsOf({ containers }: ListingPart): number {
  return containers.reduce((sum, { labels }) => sum + Object.keys(labels).length, 0);
}
