import { textParam } from "../../app/search-params.ts";

/** What the address of the list says. */
export interface SwarmSearch {
  q?: string | undefined;
}

/** What the address of the nodes says: which one is meant. */
export function nodesSearch(search: Record<string, unknown>): { node?: string | undefined } {
  return { node: textParam(search["node"]) };
}

export function swarmSearch(search: Record<string, unknown>): SwarmSearch {
  return { q: textParam(search["q"]) };
}
