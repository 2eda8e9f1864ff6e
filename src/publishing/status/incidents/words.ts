import { INCIDENT_BOUNDS } from "../../../contract/status-page.ts";
import { joinWords } from "../../../contract/words.ts";
import { cleanName } from "../../../platform/text.ts";

/** What the service says of an incident. It is public: it names components and nothing else. */
export interface Trouble {
  /** Of components. */
  names: readonly string[];
  /** Not available, in contrast to impaired. */
  isOut: boolean;
}

export function titleOf(trouble: Trouble): string {
  return cleanName(clauseOf(trouble), INCIDENT_BOUNDS.titleLength);
}

export function openedText(trouble: Trouble): string {
  return `${clauseOf(trouble)}. We are looking into it.`;
}

export function worseText(trouble: Trouble): string {
  return `The problem has become worse: ${clauseOf(trouble)}. We are looking into it.`;
}

/** More components are affected. */
export function spreadText(added: readonly string[]): string {
  return `${listOf(added)} ${added.length === 1 ? "is" : "are"} affected as well. We are looking into it.`;
}

export function backText(trouble: Trouble): string {
  return `The problem is back: ${clauseOf(trouble)}. We are looking into it.`;
}

export function overText(names: readonly string[]): string {
  if (names.length === 0) return "The problem is resolved.";
  return `${listOf(names)} ${names.length === 1 ? "is" : "are"} working normally again.`;
}

/** Without a full stop. */
function clauseOf({ names, isOut }: Trouble): string {
  const one = names.length === 1;
  if (isOut) return `${listOf(names)} ${one ? "is" : "are"} not available`;
  return `${listOf(names)} ${one ? "has" : "have"} problems`;
}

const NAMED = 3;

/** `A`, `A and B`, `A, B and C`, `A, B and 3 more`. */
function listOf(names: readonly string[]): string {
  const named = names.length > NAMED ? [...names.slice(0, NAMED - 1), `${names.length - NAMED + 1} more`] : names;
  return joinWords(named);
}
