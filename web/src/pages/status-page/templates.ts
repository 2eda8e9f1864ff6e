/** What an incident usually says, by status: a beginning to write on, not a machine that writes. */
import { joinWords } from "../../../../src/contract/words.ts";
import type { IncidentRecord } from "../../../../src/publishing/status/incidents/answers.ts";

type Status = IncidentRecord["status"];

export interface Template {
  name: string;
  /** For a new incident. */
  title: (components: readonly string[]) => string;
  message: (components: readonly string[]) => string;
}

const is = (components: readonly string[]): string => (components.length > 1 ? "are" : "is");
const subject = (components: readonly string[], otherwise: string): string => (components.length === 0 ? otherwise : joinWords(components));

const down = (components: readonly string[]): string => `${subject(components, "Our service")} ${is(components)} not available`;
const slow = (components: readonly string[]): string => `${subject(components, "Our service")} ${is(components)} slower than usual`;
const errors = (components: readonly string[]): string => `Errors in ${subject(components, "our service")}`;

export const TEMPLATES: Readonly<Record<Status, readonly Template[]>> = {
  investigating: [
    {
      name: "Not available",
      title: down,
      message: (components) => `${down(components)}. We are looking into it and will post an update within 30 minutes.`,
    },
    {
      name: "Slow",
      title: slow,
      message: (components) =>
        `${slow(components)}. Requests may take long or fail at times. We are looking into it and will post an update within 30 minutes.`,
    },
    {
      name: "Errors",
      title: errors,
      message: (components) =>
        `Some requests to ${subject(components, "our service")} fail. We are looking into it and will post an update within 30 minutes.`,
    },
  ],
  identified: [
    { name: "Cause found", title: down, message: () => "We found the cause and are fixing it." },
    {
      name: "Rolling back",
      title: errors,
      message: () => "A recent change caused this. We are rolling it back, which takes a few minutes.",
    },
    {
      name: "Third party",
      title: errors,
      message: () => "One of our providers has a problem. We are in contact with them and will post updates.",
    },
  ],
  monitoring: [
    {
      name: "Fixed",
      title: down,
      message: (components) => `The cause is fixed and ${subject(components, "our service")} ${is(components)} back. We are monitoring.`,
    },
    {
      name: "Recovering",
      title: slow,
      message: (components) =>
        `${subject(components, "Our service")} ${is(components)} recovering. It may be slow until the backlog is done.`,
    },
  ],
  resolved: [
    {
      name: "Resolved",
      title: down,
      message: (components) =>
        `${subject(components, "Everything")} ${is(components)} working as usual again. We apologize for the disruption.`,
    },
    { name: "Recovered", title: errors, message: () => "The problem has not come back. We are still looking for the cause." },
  ],
};

/** Whether a text is still what a template made, or nothing: another may take its place without a loss. */
export function isReplaceable(text: string, components: readonly string[], part: "title" | "message"): boolean {
  if (text.trim() === "") return true;
  return Object.values(TEMPLATES).some((templates) => templates.some((template) => template[part](components) === text));
}

/** A text that a template made, made for other components; anything else stays as it is. */
export function rephrase(
  text: string,
  { from, to, part }: { from: readonly string[]; to: readonly string[]; part: "title" | "message" },
): string {
  for (const templates of Object.values(TEMPLATES))
    for (const template of templates) if (template[part](from) === text) return template[part](to);
  return text;
}
