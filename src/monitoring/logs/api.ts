import { z } from "zod";
import { FIELD_FILTER_BOUNDS } from "../../contract/field-filter.ts";
import { LOG_LEVEL_FILTERS } from "../../contract/log.ts";
import { cursorPaging } from "../../http/cursor.ts";
import { agentFilter, timestamp, wholeNumber } from "../../http/schemas.ts";
import { text } from "../../http/texts.ts";

/** Conditions on the fields of JSON and logfmt lines. */
export const fieldFilter = text(FIELD_FILTER_BOUNDS.maxLength);

export const logSearchQuery = z.strictObject({
  q: text(255).optional().meta({ description: "only lines with this text, in any case" }),
  since: timestamp.optional(),
  until: timestamp.optional().meta({ description: "only lines before this moment" }),
  container_id: wholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER }).optional(),
  group: text(255).optional(),
  agent_id: agentFilter,
  level: z.enum(LOG_LEVEL_FILTERS).optional().meta({ description: "`error`: errors; `warn`: warnings too; `info`: all but debug lines" }),
  fields: fieldFilter.optional().meta({
    description:
      'only JSON and logfmt lines whose fields meet all conditions, such as `status>=500 method=GET path~"/api"`; operators: = != > >= < <= ~ (contains)',
  }),
  order: z.enum(["newest", "oldest"]).default("newest").meta({ description: "which lines come first" }),
  limit: wholeNumber({ min: 1, max: 1000 }).default(100),
  cursor: cursorPaging().cursor,
});
export type LogSearchQuery = z.infer<typeof logSearchQuery>;

export const logPatternQuery = logSearchQuery.omit({ order: true, cursor: true });
export type LogPatternQuery = z.infer<typeof logPatternQuery>;
