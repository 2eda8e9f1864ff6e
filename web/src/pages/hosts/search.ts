import { INSTALL_METHODS, type InstallMethod } from "../../../../src/contract/agent.ts";
import { oneOf, textParam } from "../../app/search-params.ts";

/** What the address of the enrollment says. */
export interface EnrollSearch {
  /** The id of the token whose agent is waited for. */
  token?: string | undefined;
  way?: InstallMethod | undefined;
}

export function enrollSearch(search: Record<string, unknown>): EnrollSearch {
  const token = textParam(search["token"]);
  return { token: token !== undefined && /^[0-9a-f]{16}$/.test(token) ? token : undefined, way: oneOf(search["way"], INSTALL_METHODS) };
}
