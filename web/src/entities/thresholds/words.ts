import { SCOPES } from "../../../../src/contract/scope.ts";
import type { Thresholds } from "../../../../src/monitoring/resources/answers.ts";

/** `group shop`, `host edge-1`. */
export function scopeWords(
  { entity_type: type, entity_id: id }: Pick<NonNullable<Thresholds["source"]>, "entity_type" | "entity_id">,
  nameOfHost: (id: string) => string,
): string {
  return type === SCOPES.host ? `host ${nameOfHost(id)}` : `${type} ${id}`;
}
