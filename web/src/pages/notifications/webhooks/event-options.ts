import type { Option } from "../../../ui/forms/many-picker.tsx";
import { EVENTS, SUPERSEDED_EVENTS } from "./events.ts";

/** What comes all the time: sent only to those who name it. */
const FREQUENT: ReadonlySet<string> = new Set(SUPERSEDED_EVENTS);

/** What can be chosen: everything, everything of a kind, each event. */
export const EVENT_OPTIONS: readonly Option[] = eventOptions();

function eventOptions(): Option[] {
  const events = Object.entries(EVENTS);
  const kinds = [...new Set(events.map(([name]) => kindOf(name)))];
  return [
    { value: "*", label: "*", note: "everything except frequent events" },
    ...kinds.flatMap((kind) => [
      { value: `${kind}.*`, label: `${kind}.*`, note: "all events of this kind" },
      ...events
        .filter(([name]) => kindOf(name) === kind)
        .map(([name, words]) => ({ value: name, label: name, note: FREQUENT.has(name) ? `${words}; frequent` : words })),
    ]),
  ];
}

function kindOf(name: string): string {
  return name.slice(0, name.indexOf("."));
}

/** What is chosen after a choice: everything takes the place of the rest, and whatever is named after it takes its place. */
export function chooseEvents(before: readonly string[], next: readonly string[]): string[] {
  const added = next.filter((type) => !before.includes(type));
  if (added.includes("*")) return next.filter((type) => type === "*" || FREQUENT.has(type));
  return added.some((type) => !FREQUENT.has(type)) ? next.filter((type) => type !== "*") : [...next];
}

/** Which events a subscription gets, in a line. */
export function eventsSummary(types: readonly string[]): string {
  if (types.includes("*")) {
    const named = types.filter((type) => FREQUENT.has(type));
    return named.length === 0 ? "Every event" : `Every event, and ${named.join(", ")}`;
  }
  const shown = types.slice(0, SHOWN).join(", ");
  return types.length > SHOWN ? `${shown} and ${types.length - SHOWN} more` : shown;
}

const SHOWN = 4;
