import { z } from "zod";
import { ServiceError } from "../platform/errors.ts";
import { wholeNumber } from "./schemas.ts";

/** How many rows a list answers at most, and by default. */
export const MOST_ROWS = 1000;
const LONGEST_CURSOR = 6000;

/** `limit` and `cursor` of a list that can grow. Source: contract, section 19. */
export function cursorPaging() {
  return {
    limit: wholeNumber({ min: 1, max: MOST_ROWS }).default(MOST_ROWS),
    cursor: z
      .string()
      .max(LONGEST_CURSOR)
      .regex(/^[\w-]+$/, "Must be next_cursor of the page before")
      .optional()
      .meta({ description: "`next_cursor` of the page before; without it the first page" }),
  };
}

export interface CursorPage {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** `next_cursor` of an answer. */
export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: "asked with as `cursor`, the next page is answered; null: this was the last" });

/** The order of a list: the place of a row in it, and how two places compare. No two rows have the same place. */
export interface Order<Row, Place> {
  place: z.ZodType<Place>;
  placeOf(row: Row): Place;
  compare(one: Place, other: Place): number;
}

/**
 * The rows behind the one that the cursor names, whether or not that one still exists. So rows that come and go in the meantime make no other row
 * appear twice or be left out. Throws `unusable_values` for a cursor of another order.
 */
export function pageOf<Row, Place>(
  rows: readonly Row[],
  { limit = MOST_ROWS, cursor }: CursorPage,
  order: Order<Row, Place>,
): { page: readonly Row[]; next: string | null } {
  const after = readCursor(cursor, order.place);
  const from = after === undefined ? 0 : firstBehind(rows, after, order);
  const page = rows.slice(from, from + limit);
  const last = page.at(-1);
  const isLast = last === undefined || from + page.length === rows.length;
  return { page, next: isLast ? null : writeCursor(order.placeOf(last)) };
}

export function writeCursor(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** The place that a cursor names; undefined without a cursor. */
export function readCursor<Place>(cursor: string | undefined, schema: z.ZodType<Place>): Place | undefined {
  if (cursor === undefined) return undefined;
  const place = schema.safeParse(parsed(Buffer.from(cursor, "base64url").toString()));
  if (place.success) return place.data;
  const message = "Is no next_cursor of this list; leave it out for the first page";
  throw new ServiceError("unusable_values", `The query cannot be used: cursor: ${message}.`, [{ path: "cursor", message }]);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function firstBehind<Row, Place>(rows: readonly Row[], after: Place, { placeOf, compare }: Order<Row, Place>): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row !== undefined && compare(placeOf(row), after) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
