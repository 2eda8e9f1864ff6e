/** Thresholds of a group or a host as they are being put together, and what is wrong with them. */
import { SCOPES } from "../../../../src/contract/scope.ts";
import { DEFAULT_THRESHOLDS } from "../../../../src/contract/thresholds.ts";
import type { ThresholdsBody } from "../../../../src/monitoring/resources/api.ts";
import type { ScopeThresholds } from "../../../../src/monitoring/resources/answers.ts";
import type { Faults } from "../../ui/forms/server-faults.ts";
import { draftOf, readDraft, type ThresholdDraft } from "../../entities/thresholds/draft.ts";

export interface ScopeDraft extends ThresholdDraft {
  /** `group:shop`, `agent:local`; at most one. */
  scope: readonly string[];
}

export type ThresholdScope = Pick<ScopeThresholds, "entity_type" | "entity_id">;

export const SCOPE_FIELDS = ["entity_id", "cpu_threshold", "memory_threshold", "debounce_seconds"];

export const NEW_SCOPE: ScopeDraft = { scope: [], ...draftOf({ configured: true, ...DEFAULT_THRESHOLDS }) };

export function scopeDraftOf(saved: ScopeThresholds): ScopeDraft {
  return { scope: [keyOf(saved)], ...draftOf({ ...saved, configured: true }) };
}

/** `group:shop`, as pickers name it. */
export function keyOf({ entity_type: type, entity_id: id }: ThresholdScope): string {
  return `${type}:${id}`;
}

/** Whether somebody chooses a group or a host by it. */
export function isScope(key: string): boolean {
  return Object.values(SCOPES).some((type) => key.startsWith(`${type}:`));
}

export function readScopeDraft(draft: ScopeDraft): { body: { scope: ThresholdScope; thresholds: ThresholdsBody } } | { faults: Faults } {
  const [key = ""] = draft.scope;
  const type = Object.values(SCOPES).find((each) => key.startsWith(`${each}:`));
  const read = readDraft(draft);
  if (type !== undefined && "body" in read)
    return { body: { scope: { entity_type: type, entity_id: key.slice(type.length + 1) }, thresholds: read.body } };
  return { faults: { ...(type === undefined && { entity_id: "Choose a group or a host." }), ...("faults" in read && read.faults) } };
}
