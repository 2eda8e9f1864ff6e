import { z } from "zod";
import { EVENTS } from "../../events.ts";
import { agentFilter } from "../../http/schemas.ts";
import { text } from "../../http/texts.ts";

const NAMES: readonly string[] = Object.keys(EVENTS);
const PREFIXES = [...new Set(NAMES.map((name) => `${name.split(".")[0]}.*`))];

const ONE = [...NAMES, ...PREFIXES].map((name) => name.replace(/[.*]/g, "\\$&")).join("|");
const LIST = new RegExp(`^\\s*(?:${ONE})\\s*(?:,\\s*(?:${ONE})\\s*)*$`);

/** `container.state_changed,runtime.*`: names and prefixes of events that exist. */
const types = text(4000)
  .regex(LIST, {
    error: ({ input }) => `${JSON.stringify(unknownIn(String(input)).slice(0, 60))} is neither an event nor a prefix such as container.*`,
  })
  .transform(namesOf)
  .meta({ description: "a comma-separated list of event names and prefixes such as `container.*`; absent: all" });

function namesOf(list: string): string[] {
  return list.split(",").map((name) => name.trim());
}

function unknownIn(list: string): string {
  return namesOf(list).find((name) => !NAMES.includes(name) && !PREFIXES.includes(name)) ?? "";
}

export const eventsQuery = z.strictObject({
  last_event_id: text(100).optional().meta({ description: "where to resume, for clients that cannot send Last-Event-ID" }),
  types: types.optional(),
  agent_id: agentFilter,
});
export type EventsQuery = z.infer<typeof eventsQuery>;
