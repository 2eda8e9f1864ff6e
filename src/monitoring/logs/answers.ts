import { z } from "zod";
import { nextCursor } from "../../http/cursor.ts";
import { timestamp } from "../../http/schemas.ts";
import { container } from "../containers/api.ts";
import { logLine } from "../containers/answers.ts";

export const foundLine = z.object({
  container_id: container.shape.id,
  container_name: z.string(),
  group: z.string(),
  agent_id: container.shape.agent_id,
  ...logLine.shape,
  level: z.enum(["error", "warn", "info", "debug"]).nullable().meta({ description: "as the line says it; null: it does not" }),
  is_cut: z.boolean().meta({ description: "the line is longer than what is shown of it" }),
});
export type FoundLine = z.infer<typeof foundLine>;

export const GAP_REASONS = ["unreadable", "older_lines", "out_of_time", "too_much_text", "too_many_containers"] as const;

/** Of which container not all was searched, and why. */
export const searchGap = z.object({
  container_id: container.shape.id,
  container_name: z.string(),
  agent_id: container.shape.agent_id,
  reason: z.enum(GAP_REASONS),
  message: z.string(),
  searched_since: timestamp.nullable().meta({ description: "`older_lines`: what is older than this was not searched" }),
});
export type SearchGap = z.infer<typeof searchGap>;

const count = z.number().int();

export const histogram = z.object({
  counted_to: timestamp.nullable().meta({
    description:
      "null: all lines are counted; else the search was ended once it had its page, and lines beyond this moment, in their order, are not",
  }),
  bucket_seconds: z.number().int(),
  buckets: z.array(z.object({ timestamp, error: count, warn: count, info: count, debug: count, none: count })).meta({
    description: "those that have lines, oldest first, each by the moment at which it begins; `none`: of lines that name no level",
  }),
});

export const logSearchResult = z.object({
  lines: z.array(foundLine).meta({ description: "of all containers, in the order that was asked for" }),
  next_cursor: nextCursor,
  histogram: histogram.meta({ description: "all lines that were found, those of the following pages too" }),
  searched: z.object({
    containers: z.number().int(),
    lines: z.number().int(),
    characters: z.number().int(),
  }),
  is_complete: z.boolean().meta({ description: "all that was asked for was searched; else `gaps` says what was not" }),
  gaps: z.array(searchGap).meta({ description: "at most 100" }),
  gaps_total: z.number().int(),
});
export type LogSearchResult = z.infer<typeof logSearchResult>;

export const logPattern = z.object({
  pattern: z
    .string()
    .meta({ description: "what the lines have in common: `<time>`, `<id>`, `<address>` and `<number>` stand for what differs" }),
  level: foundLine.shape.level,
  lines: count,
  first_at: timestamp.nullable(),
  last_at: timestamp.nullable(),
  example: z.string().meta({ description: "the newest of them; at most 500 characters" }),
  is_new: z.boolean().nullable().meta({
    description: "new in one of its containers since the image of that changed; null: no lines were read from before a change of image",
  }),
  containers: z
    .array(
      z.object({
        container_id: container.shape.id,
        container_name: z.string(),
        agent_id: container.shape.agent_id,
        lines: count,
        is_new: z.boolean().nullable(),
        image_changed_at: timestamp.nullable(),
      }),
    )
    .meta({ description: "those with most lines first, at most 20" }),
  containers_total: count,
});
export type LogPattern = z.infer<typeof logPattern>;

export const logPatternResult = z.object({
  patterns: z.array(logPattern).meta({ description: "new ones first, then those of most lines" }),
  patterns_total: count.meta({ description: "of all that were kept: at most 3,000, those of each container counted apart" }),
  other_lines: count.meta({ description: "lines of rare patterns that were dropped, since there were too many" }),
  ...logSearchResult.pick({ searched: true, is_complete: true, gaps: true, gaps_total: true }).shape,
});
export type LogPatternResult = z.infer<typeof logPatternResult>;
