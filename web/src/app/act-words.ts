import type { Act } from "../api/alert-acts.ts";
import { isApiError } from "../api/client.ts";
import { countOf } from "../format/number.ts";

const DONE: Readonly<Record<Act["kind"], string>> = {
  acknowledge: "Acknowledged",
  resolve: "Resolved",
  silence: "Silenced",
  pause: "Paused",
  resume: "Resumed",
  delete: "Deleted",
};
/** So many things are named for one reason. */
const NAMED = 5;

/** What was done about one thing, and about others at the same time: `Paused: shop`, `Paused 3 endpoints`. */
export function doneWords(act: Act, others: readonly Act[]): string {
  if ("findings" in act) return `${DONE[act.kind]} ${nameOf(act)}`;
  if (others.length === 0) return `${DONE[act.kind]}: ${nameOf(act)}`;
  return `${DONE[act.kind]} ${countOf(others.length + 1, "monitor" in act ? act.monitor.type : "alert")}`;
}

/** What was not done, and why; of several which ones: `Not paused: shop, cart (Endpoint not found.)`. */
export function failedWords(act: Act, others: readonly Act[]): string {
  const start = `Not ${DONE[act.kind].toLowerCase()}: `;
  // For an alert its reason is enough.
  if (others.length === 0 && "alert" in act) return `${start}${reasonOf(act.error)}`;
  const reasons = Map.groupBy([act, ...others], ({ error }) => reasonOf(error));
  return start + [...reasons].map(([reason, acts]) => `${names(acts)} (${reason})`).join(", ");
}

function names(acts: readonly Act[]): string {
  const named = acts.slice(0, NAMED).map(nameOf).join(", ");
  return acts.length > NAMED ? `${named} and ${acts.length - NAMED} more` : named;
}

function nameOf(act: Act): string {
  if ("findings" in act) return countOf(act.findings.size, "finding");
  if ("monitor" in act) return act.monitor.name;
  if ("about" in act) return act.about.words;
  return act.covers === "entity" ? `all alerts of ${act.alert.entity_name}` : act.alert.message;
}

function reasonOf(error: unknown): string {
  if (isApiError(error)) return error.message;
  return error instanceof Error ? error.message : String(error);
}
