import type { LogLevel } from "../../../contract/log-level.ts";
import { withoutColours } from "../../../platform/text.ts";

/** The lines of one container that have one pattern. */
export interface CountedPattern {
  containerId: number;
  pattern: string;
  /** Of the line that is shown. */
  level: LogLevel | null;
  lines: number;
  firstMs: number;
  lastMs: number;
  /** The newest of them. */
  example: string;
}

export interface PatternTable {
  add(line: { containerId: number; atMs: number; level: LogLevel | null; text: string }): void;
  read(): {
    patterns: CountedPattern[];
    /** Lines whose patterns were dropped, since there were too many. */
    otherLines: number;
  };
}

const EXAMPLE_CHARACTERS = 500;

/** Counts patterns, and keeps so many of them that have most lines. */
export function createPatternTable(most: number): PatternTable {
  const counted = new Map<string, CountedPattern>();
  let otherLines = 0;

  /** Room for as many again: so it is made rarely. */
  function dropRare(): void {
    const rare = [...counted].toSorted(([, one], [, other]) => other.lines - one.lines).slice(most);
    for (const [key, { lines }] of rare) {
      otherLines += lines;
      counted.delete(key);
    }
  }

  return {
    add({ containerId, atMs, level, text }) {
      const plain = withoutColours(text);
      const pattern = patternOf(plain);
      const key = `${containerId} ${pattern}`;
      const known = counted.get(key);
      if (known === undefined) {
        const example = plain.slice(0, EXAMPLE_CHARACTERS);
        counted.set(key, { containerId, pattern, level, lines: 1, firstMs: atMs, lastMs: atMs, example });
        if (counted.size >= 2 * most) dropRare();
        return;
      }
      known.lines += 1;
      known.firstMs = Math.min(known.firstMs, atMs);
      if (atMs < known.lastMs) return;
      known.lastMs = atMs;
      known.level = level;
      known.example = plain.slice(0, EXAMPLE_CHARACTERS);
    },
    read() {
      dropRare();
      return { patterns: [...counted.values()], otherLines };
    },
  };
}

/**
 * What differs from line to line: times, ids, addresses and numbers. Each alternative is found from where it stands alone, so a long line costs no more than
 * its length.
 */
const VARIABLE = new RegExp(
  [
    String.raw`(?<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?|\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\b)`,
    String.raw`(?<uuid>\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b)`,
    String.raw`(?<address>\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d{1,5}\b)?)`,
    String.raw`(?<long>(?<![\w+/])[\w+/]{40,}={0,2})`,
    String.raw`(?<hex>\b(?:0x)?[\da-f]{8,128}\b)`,
    String.raw`(?<number>\d+(?:[.,]\d+)*)`,
  ].join("|"),
  "gi",
);

/** The text of a line that is compared. */
const LONGEST_TEXT = 400;

/** What a line without colours has in common with those that say the same about other things. */
export function patternOf(plain: string): string {
  const text = plain.length > LONGEST_TEXT ? plain.slice(0, LONGEST_TEXT) : plain;
  return text.replace(VARIABLE, (found, ...groups: (string | undefined)[]) => {
    const [time, uuid, address, long, hex] = groups;
    if (time !== undefined) return "<time>";
    if (uuid !== undefined) return "<id>";
    if (address !== undefined) return "<address>";
    if (long !== undefined) return isId(found) ? "<id>" : found;
    if (hex === undefined) return "<number>";
    // Words of the letters a to f are words.
    return /^\d+$/.test(hex) ? "<number>" : /\d/.test(hex) ? "<id>" : found;
  });
}

/** A long name is none, and neither is a path, unless its letters are as mixed as those of Base64. */
function isId(long: string): boolean {
  return /\d/.test(long) && (!long.includes("/") || (/[A-Z]/.test(long) && /[a-z]/.test(long)));
}
