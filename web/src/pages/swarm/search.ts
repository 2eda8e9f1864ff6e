import { oneOf, textParam } from "../../app/search-params.ts";
import { type LogSearch, logSearch } from "../../logs/search.ts";

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

/** What the address of a service's page says; without a tab it is the first. */
export interface ServiceSearch extends LogSearch {
  tab?: "logs" | undefined;
}

export function serviceSearch(search: Record<string, unknown>): ServiceSearch {
  return { tab: oneOf(search["tab"], ["logs"] as const), ...logSearch(search) };
}
