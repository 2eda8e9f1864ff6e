import { countOf, formatCount } from "../format/number.ts";

/** A stretch of a line's plain text. */
export interface TextRange {
  start: number;
  end: number;
}

/** Finds a literal text in any case. Null while there is nothing to look for. */
export interface Finder {
  isIn(text: string): boolean;
  rangesIn(text: string): TextRange[];
}

/** What is highlighted in one line at most. */
const MOST_RANGES = 200;

export function createFinder(query: string): Finder | null {
  if (query === "") return null;
  const literal = query.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const once = new RegExp(literal, "iu");
  const all = new RegExp(literal, "giu");
  return {
    isIn: (text) => once.test(text),
    rangesIn(text) {
      const ranges: TextRange[] = [];
      for (const match of text.matchAll(all)) {
        if (ranges.length === MOST_RANGES) break;
        ranges.push({ start: match.index, end: match.index + match[0].length });
      }
      return ranges;
    },
  };
}

interface Found {
  found: number;
  isSearching: boolean;
  linesShown: number;
}

/** How many lines have it, and of how many that are here and shown; with a place, which of them is selected. */
export function foundWords({ found, isSearching, linesShown }: Found, place: number | undefined): string {
  const count = `${formatCount(found)}${isSearching ? "…" : ""}`;
  return place === undefined ? `${count} in ${countOf(linesShown, "line")}` : `${formatCount(place)} of ${count}`;
}
