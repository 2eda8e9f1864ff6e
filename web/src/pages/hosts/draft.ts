import { AGENT_LABEL_LENGTH, ENROLLMENT_BOUNDS, isAgentLabelTooLong } from "../../../../src/contract/agent.ts";
import type { TokenBody } from "../../../../src/fleet/enrollment/api.ts";

/** A host to be enrolled, as it is typed. */
export interface EnrollDraft {
  label: string;
  hours: string;
}

export const NEW_HOST: EnrollDraft = { label: "", hours: String(ENROLLMENT_BOUNDS.defaultTtlHours) };
export const ENROLL_FIELDS = ["label", "ttl_hours"] as const;

/** What the draft asks for, or what is wrong with it by field. */
export function readEnrollDraft({ label, hours }: EnrollDraft): { body: TokenBody } | { faults: Record<string, string> } {
  const faults: Record<string, string> = {};
  const wished = label.trim();
  const fault = labelFault(wished);
  if (wished !== "" && fault !== undefined) faults["label"] = fault;
  const ttl = /^\d{1,4}$/.test(hours.trim()) ? Number(hours) : Number.NaN;
  if (!(ttl >= 1 && ttl <= ENROLLMENT_BOUNDS.ttlHours)) faults["ttl_hours"] = `Whole hours, from 1 to ${ENROLLMENT_BOUNDS.ttlHours}.`;
  if (Object.keys(faults).length > 0) return { faults };
  return { body: { ttl_hours: ttl, ...(wished !== "" && { label: wished }) } };
}

/** What is wrong with the label of a host; undefined when nothing is. */
export function labelFault(label: string): string | undefined {
  const wished = label.trim();
  if (wished === "") return "Enter a label.";
  return isAgentLabelTooLong(wished) ? `At most ${AGENT_LABEL_LENGTH} characters.` : undefined;
}
