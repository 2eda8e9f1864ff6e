import { z } from "zod";
import { ServiceError } from "../platform/errors.ts";

/** A record's identifier, as lists show it. */
export const recordId = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

/** The host filter: absent is all hosts. */
export const agentId = z
  .union([z.literal("local"), z.uuid()])
  .optional()
  .describe("Only this host: `local`, or an agent's id from list_agents. Absent: all hosts.");

/** A moment in a question. */
export const moment = z.iso.datetime({ offset: true });

/** `limit` and `cursor` of a paged list. */
export function paging({ limit = 50, maxLimit = 200 } = {}) {
  return {
    limit: z.number().int().min(1).max(maxLimit).default(limit).describe("At most so many records."),
    cursor: z.string().max(64).optional().describe("`next_cursor` of the page before. Leave it out for the first page."),
  };
}

/** `sort` and `order` of a list, as its route takes them. */
export function sorting<const Keys extends readonly [string, ...string[]]>(keys: Keys) {
  return {
    sort: z.enum(keys).optional().describe("Sort by this instead; records without a value come last."),
    order: z.enum(["asc", "desc"]).optional().describe("With sort alone; `asc` by default."),
  };
}

/** What a paged result ends with. */
export const pageEnd = {
  total: z.number().int().describe("How many there are in all."),
  next_cursor: z.string().nullable().describe("Ask again with it as `cursor` for more; null: this was the last page.").meta({ ours: true }),
};

/** How many records a page begins after. Throws `invalid_request` for a cursor that no page gave. */
export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const offset = /^after-(\d{1,8})$/.exec(cursor)?.[1];
  if (offset === undefined) {
    throw new ServiceError("invalid_request", "cursor is not one that this tool gave: leave it out to begin with the first page.");
  }
  return Number(offset);
}

/** The end of a page that began after `offset` records and has `count` of `total`. */
export function endOf({ offset, count, total }: { offset: number; count: number; total: number }): {
  total: number;
  next_cursor: string | null;
} {
  const reached = offset + count;
  return { total, next_cursor: count > 0 && reached < total ? `after-${reached}` : null };
}

/** One page of what is whole in memory. */
export function pageOf<Item>(
  items: readonly Item[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): { page: Item[]; end: { total: number; next_cursor: string | null } } {
  const offset = offsetOf(cursor);
  const page = items.slice(offset, offset + limit);
  return { page, end: endOf({ offset, count: page.length, total: items.length }) };
}
