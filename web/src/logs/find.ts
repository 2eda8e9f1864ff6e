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
