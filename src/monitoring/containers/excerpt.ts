import { maskKeyLines } from "../../platform/secrets.ts";

/** What is shown of a log to those who read by the word. */
export interface ExcerptLimits {
  /** Characters of one line. */
  line: number;
  /** Characters of all lines together. */
  total: number;
}

/** The end of a line that is not shown completely. */
const ELLIPSIS = "…";

/** The last of these lines that fit, oldest first, long ones cut, private keys masked. What is left out of them is counted. */
export function excerptOf<Line extends { text: string }>(
  lines: readonly Line[],
  { line, total }: ExcerptLimits,
): { lines: Line[]; leftOut: number; cut: number } {
  const shown: Line[] = [];
  let room = total;
  let cut = 0;
  const texts = maskKeyLines(lines.map(({ text }) => text));
  for (const [at, each] of [...lines.entries()].toReversed()) {
    const whole = texts[at] ?? "";
    const text = cutLine(whole, line);
    room -= text.length;
    if (room < 0 && shown.length > 0) break;
    if (text !== whole) cut += 1;
    shown.push({ ...each, text });
  }
  return { lines: shown.toReversed(), leftOut: lines.length - shown.length, cut };
}

/** The last lines of a text that fit. */
export function lastLinesOf(text: string, limits: ExcerptLimits): string {
  const lines = text.split("\n").map((line) => ({ text: line }));
  return excerptOf(lines, limits)
    .lines.map((line) => line.text)
    .join("\n");
}

/**
 * The beginning of a line, at most so many characters. It ends between two words: half of a secret would not be known for one where secrets are masked.
 */
export function cutLine(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const room = maxLength - ELLIPSIS.length;
  // The character after the room shows whether a word ends with it.
  for (let end = room; end > 0; end -= 1) if (DELIMITER.test(text.charAt(end))) return text.slice(0, end) + ELLIPSIS;
  return ELLIPSIS;
}

/** None of these stands in a token, a key or the password of an address. */
const DELIMITER = /[\s,;"'&|(){}[\]<>]/;
