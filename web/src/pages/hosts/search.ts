import { oneOf, textParam } from "../../app/search-params.ts";

/** The ways to start an agent, the most usual first. */
export const WAYS = ["docker_run", "docker_compose", "kubernetes", "standalone"] as const;
export type Way = (typeof WAYS)[number];

/** What the address of the enrollment says. */
export interface EnrollSearch {
  /** The id of the token whose agent is waited for. */
  token?: string | undefined;
  way?: Way | undefined;
}

export function enrollSearch(search: Record<string, unknown>): EnrollSearch {
  const token = textParam(search["token"]);
  return { token: token !== undefined && /^[0-9a-f]{16}$/.test(token) ? token : undefined, way: oneOf(search["way"], WAYS) };
}
