import type { StyledSpan, TextStyle } from "./ansi.ts";
import type { TextRange } from "./find.ts";
import type { LevelMark, LogLevel } from "../../../src/contract/log-level.ts";

/** A stretch of a line that is drawn in one go. */
export interface Piece {
  text: string;
  style: TextStyle | null;
  isFound: boolean;
  /** Set where the line names its level. */
  level: LogLevel | null;
}

/** Lays what was found and the level's word over the colours. Ranges come in order and do not overlap; the text stays whole. */
export function decorate(spans: readonly StyledSpan[], found: readonly TextRange[], mark: LevelMark | null): Piece[] {
  const cuts = [...found.flatMap(({ start, end }) => [start, end]), ...(mark === null ? [] : [mark.start, mark.end])].toSorted(
    (a, b) => a - b,
  );
  const pieces: Piece[] = [];
  let cutIndex = 0;
  let foundIndex = 0;
  let spanStart = 0;
  for (const { text, style } of spans) {
    const spanEnd = spanStart + text.length;
    let start = spanStart;
    while (start < spanEnd) {
      while ((cuts[cutIndex] ?? Number.POSITIVE_INFINITY) <= start) cutIndex += 1;
      while ((found[foundIndex]?.end ?? Number.POSITIVE_INFINITY) <= start) foundIndex += 1;
      const end = Math.min(cuts[cutIndex] ?? spanEnd, spanEnd);
      pieces.push({
        text: text.slice(start - spanStart, end - spanStart),
        style,
        isFound: (found[foundIndex]?.start ?? Number.POSITIVE_INFINITY) <= start,
        level: mark !== null && start >= mark.start && start < mark.end ? mark.level : null,
      });
      start = end;
    }
    spanStart = spanEnd;
  }
  return pieces;
}
