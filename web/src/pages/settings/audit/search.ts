import type { AuditFilter } from "../../../../../src/administration/audit/api.ts";
import { ACTOR_KINDS, AUDIT_OUTCOMES } from "../../../../../src/contract/audit.ts";
import { oneOf } from "../../../app/search-params.ts";

/** What the address of the page says. */
export type AuditSearch = Pick<AuditFilter, "actor" | "outcome">;

export function auditSearch(search: Record<string, unknown>): AuditSearch {
  return { actor: oneOf(search["actor"], ACTOR_KINDS), outcome: oneOf(search["outcome"], AUDIT_OUTCOMES) };
}
