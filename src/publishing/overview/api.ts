import { z } from "zod";
import { CHANGE_KINDS } from "../../contract/change-kinds.ts";
import { cursorPaging } from "../../http/cursor.ts";
import { agentFilter, timestamp, wholeNumber, pathId } from "../../http/schemas.ts";
import { text } from "../../http/texts.ts";

const MOST_CHANGES = 500;
const ONE_KIND = CHANGE_KINDS.join("|");
const LIST_OF_KINDS = new RegExp(`^\\s*(?:${ONE_KIND})\\s*(?:,\\s*(?:${ONE_KIND})\\s*)*$`);

/** `container_changed,image_changed`: each kind once, in the order of all. */
const kinds = text(1000)
  .regex(LIST_OF_KINDS, { error: ({ input }) => `${JSON.stringify(unknownKind(String(input)).slice(0, 60))} is not a kind of change` })
  .transform((list) => {
    const named = namesOf(list);
    return CHANGE_KINDS.filter((kind) => named.includes(kind));
  })
  .meta({ description: `only these kinds, joined by commas: ${CHANGE_KINDS.join(", ")}; absent: all. Give it again with each cursor` });

function namesOf(list: string): string[] {
  return list.split(",").map((name) => name.trim());
}

function unknownKind(list: string): string {
  const known: readonly string[] = CHANGE_KINDS;
  return namesOf(list).find((name) => !known.includes(name)) ?? "";
}

export const pastChangesQuery = z.strictObject({
  from: timestamp.optional().meta({ description: "at most 90 days ago; absent: 24 hours before `to`" }),
  to: timestamp.optional().meta({ description: "not before `from`; absent: now. Give it again with each cursor" }),
  agent_id: agentFilter,
  kind: kinds.optional(),
  ...cursorPaging(),
  limit: wholeNumber({ min: 1, max: MOST_CHANGES }).default(100),
});
export type PastChangesQuery = z.output<typeof pastChangesQuery>;

export const caseParams = z.strictObject({ id: pathId });

const MOST_STRIPS = 10_000;

export const stripQuery = z.strictObject({
  from: timestamp.optional().meta({ description: "at most 24 hours ago; absent: 24 hours ago" }),
  to: timestamp.optional().meta({ description: "at least a minute after `from`, and not in the future; absent: now" }),
  agent_id: agentFilter.meta({ description: "`local` or an agent id; absent: all hosts. Heartbeats belong to none" }),
  limit: wholeNumber({ min: 1, max: MOST_STRIPS }).default(2000),
});
export type StripQuery = z.output<typeof stripQuery>;

export const topologyQuery = z.strictObject({ agent_id: agentFilter, group: text(255).optional() });
export type TopologyQuery = z.output<typeof topologyQuery>;

export const usageQuery = z.strictObject({
  at: timestamp.meta({ description: "not in the future" }),
  agent_id: agentFilter,
});
export type UsageQuery = z.output<typeof usageQuery>;

const MOST_CONTAINERS = 10_000;

export const momentQuery = z.strictObject({
  at: timestamp.meta({ description: "not in the future, and at most 90 days ago" }),
  agent_id: agentFilter,
  limit: wholeNumber({ min: 1, max: MOST_CONTAINERS }).default(2000),
});
export type MomentQuery = z.output<typeof momentQuery>;
