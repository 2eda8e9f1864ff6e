import { capitalise } from "../../../../../src/contract/words.ts";
import { formatDuration } from "../../../format/duration.ts";
import { eventWords } from "../../../format/alert-words.ts";
import { FAILURE_WORDS } from "../../../format/endpoint-status.ts";

type FailureClass = keyof typeof FAILURE_WORDS;

/** Of a list, so many items are shown. */
const MOST_LINES = 20;
/** Details that begin with a name of the program's own. Others may be names that people gave. */
const OWN_WORDS: ReadonlySet<string> = new Set(["findings", "reason", "metric", "update_type", "state", "previous_health"]);

/** A detail of an alert as lines of text; none where there is nothing to show. */
export function detailLines(name: string, value: unknown): string[] {
  if (Array.isArray(value)) {
    const lines = value.slice(0, MOST_LINES).flatMap((each: unknown) => detailLines(name, each));
    return value.length > MOST_LINES ? [...lines, `${value.length - MOST_LINES} more`] : lines;
  }
  switch (typeof value) {
    case "string":
      if (name === "failure_class" && Object.hasOwn(FAILURE_WORDS, value)) return [capitalise(FAILURE_WORDS[value as FailureClass])];
      return value === "" ? [] : [OWN_WORDS.has(name) ? withWords(value) : value];
    case "number":
      return [name.endsWith("_seconds") ? formatDuration(value * 1000) : String(value)];
    case "boolean":
      return [value ? "Yes" : "No"];
    default:
      return value === null || value === undefined ? [] : [JSON.stringify(value)];
  }
}

/** The name of a detail, as a label: `debounce_seconds` is `Debounce`. */
export function detailName(name: string): string {
  if (name === "failure_class") return "Failure";
  const text = eventWords(name.replace(/_seconds$/, "")).replace(/\b(?:http|cpu|url|oom|id)\b/g, (word) => word.toUpperCase());
  return capitalise(text);
}

/** A text that begins with a name such as `port_exposed_all_interfaces 5432/tcp`, in words. */
function withWords(text: string): string {
  const [, name, rest] = /^([a-z]+(?:_[a-z]+)*)(?: (.*))?$/s.exec(text) ?? [];
  if (name === undefined) return text;
  const named = capitalise(eventWords(name));
  return rest === undefined ? named : `${named}: ${rest}`;
}
