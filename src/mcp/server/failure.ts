import type { ErrorCode, ServiceError } from "../../platform/errors.ts";
import { FOREIGN_NOTICE, foreignText, quotedText } from "../foreign-text.ts";

/**
 * A refusal as a model is told it: in our words by its code, and what was said of it inside of a fence. That may quote an agent, an engine or a person,
 * and a message does not tell which of its words are theirs.
 */
export function failureSentence({ code, message }: ServiceError, next = ""): string {
  if (OWN_MESSAGES.has(code)) return `${quotedText(message)}${next}`;
  return `${SENTENCES[code] ?? "Binnacle refused this."} ${foreignText(message)}${next}\n${FOREIGN_NOTICE}`;
}

/** What is said with these codes quotes nobody. */
const OWN_MESSAGES: ReadonlySet<ErrorCode> = new Set(["EDITION_REQUIRED", "rate_limited", "request_timeout"] as const);

const SENTENCES: Partial<Record<ErrorCode, string>> = {
  not_found: "There is no such thing.",
  invalid_request: "The arguments are not valid.",
  validation_failed: "The arguments are not valid.",
  unusable_values: "The values cannot be used.",
  conflict: "Its state does not permit this.",
  already_acknowledged: "The alert is acknowledged already.",
  agent_busy: "Too many logs of that host are read at once. Try again later.",
  agent_offline: "The agent of that host is not connected.",
  runtime_unavailable: "The container engine of that host did not answer as it should.",
  storage_unavailable: "The database cannot be reached. Try again later.",
};
