import { z } from "zod";
import { EVENTS } from "../../events.ts";
import { agentFilter } from "../../http/schemas.ts";
import type { LiveFrame } from "./ring.ts";

const NAMES: readonly string[] = Object.keys(EVENTS);
const PREFIXES = [...new Set(NAMES.map((name) => `${name.split(".")[0]}.*`))];

/** `container.state_changed,runtime.*`: names and prefixes of events that exist. */
const types = z
  .string()
  .transform((list) => list.split(",").map((name) => name.trim()))
  .pipe(
    z
      .array(
        z.string().refine((name) => NAMES.includes(name) || PREFIXES.includes(name), {
          error: ({ input }) => `${JSON.stringify(String(input).slice(0, 60))} is neither an event nor a prefix such as container.*`,
        }),
      )
      .max(100),
  )
  .meta({ description: "a comma-separated list of event names and prefixes such as `container.*`; absent: all" });

export const eventsQuery = z.strictObject({
  last_event_id: z.string().max(100).optional().meta({ description: "where to resume, for clients that cannot send Last-Event-ID" }),
  types: types.optional(),
  agent_id: agentFilter,
});
export type EventsQuery = z.infer<typeof eventsQuery>;

export interface Filter {
  /** The same for two filters that let the same pass. */
  readonly key: string;
  admits(frame: Pick<LiveFrame, "type" | "agentId">): boolean;
}

export function createFilter({ types: wanted, agent_id: host }: EventsQuery): Filter {
  const names =
    wanted === undefined ? undefined : NAMES.filter((name) => wanted.includes(name) || wanted.includes(`${name.split(".")[0]}.*`));
  const agentId = host === "local" ? null : host;
  return {
    key: JSON.stringify([names ?? null, host ?? null]),
    admits: (frame) =>
      (names === undefined || names.includes(frame.type)) &&
      (host === undefined || frame.agentId === undefined || frame.agentId === agentId),
  };
}
