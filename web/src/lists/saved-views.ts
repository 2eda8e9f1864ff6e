import { stringifySearch } from "../app/search-params.ts";

/** A list as it was shown, under a name: the query of its address holds filters, order, columns and host. */
export interface SavedView {
  name: string;
  query: string;
}

/** Of one list. A browser keeps a few megabytes for the whole app. */
export const VIEW_BOUNDS = { count: 20, nameLength: 40, queryLength: 2000 } as const;

/** A moment of the past and open forms are no part of a view. */
const LEFT_OUT = new Set(["at", "create", "target"]);

/** The query of what is shown; the same for the same view, in whatever order its parts were chosen. */
export function viewQuery(search: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(search).filter(([name]) => !LEFT_OUT.has(name));
  return stringifySearch(Object.fromEntries(parts.toSorted(([one], [other]) => (one < other ? -1 : 1))));
}

/** What a browser remembered; none where that is not readable. */
export function readViews(text: string): SavedView[] {
  try {
    const rows: unknown = JSON.parse(text);
    if (!Array.isArray(rows)) return [];
    return rows.flatMap((row: unknown) => (isRow(row) ? [{ name: row[0], query: row[1] }] : [])).slice(0, VIEW_BOUNDS.count);
  } catch {
    // Nothing was remembered yet, or something else.
    return [];
  }
}

function isRow(row: unknown): row is [name: string, query: string] {
  return Array.isArray(row) && row.length === 2 && row.every((part) => typeof part === "string");
}
