import type { LogLevel } from "../../../contract/log-level.ts";
import { withoutColours } from "../../../platform/text.ts";
import { patternOf } from "./mask.ts";

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
