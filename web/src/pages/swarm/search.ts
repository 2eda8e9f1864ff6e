import { textParam } from "../../app/search-params.ts";

/** What the address of the list says. */
export interface SwarmSearch {
  q?: string | undefined;
}

export function swarmSearch(search: Record<string, unknown>): SwarmSearch {
  return { q: textParam(search["q"]) };
}
