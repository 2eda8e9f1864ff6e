import type { AuditFilter } from "../../../../../src/administration/audit/api.ts";
import { oneOf } from "../../../app/search-params.ts";
import type { AuditActor } from "./words.ts";

const OUTCOMES = ["done", "refused"] as const;
/** In the order of the menu. Their words are not here: the app begins with what addresses are checked with. */
export const ACTORS = ["session", "admin_token", "assistant", "anyone", "system"] as const satisfies readonly AuditActor[];

/** What the address of the page says. */
export type AuditSearch = Pick<AuditFilter, "actor" | "outcome">;

export function auditSearch(search: Record<string, unknown>): AuditSearch {
  return { actor: oneOf(search["actor"], ACTORS), outcome: oneOf(search["outcome"], OUTCOMES) };
}
