import type { AuditFilter } from "../../../../src/administration/audit/api.ts";
import { oneOf } from "../../app/search-params.ts";
import { ACTOR_WORDS, type AuditActor } from "./words.ts";

const OUTCOMES = ["done", "refused"] as const;
const ACTORS = Object.keys(ACTOR_WORDS) as AuditActor[];

/** What the address of the page says. */
export type AuditSearch = Pick<AuditFilter, "actor" | "outcome">;

export function auditSearch(search: Record<string, unknown>): AuditSearch {
  return { actor: oneOf(search["actor"], ACTORS), outcome: oneOf(search["outcome"], OUTCOMES) };
}
