/** A part of a pattern: a text, or what stands for texts that differ. */
export interface PatternPart {
  text: string;
  isVariable: boolean;
}

const VARIABLE = /(<(?:time|id|address|number)>)/;

/** The parts of a pattern, in order. */
export function patternParts(pattern: string): PatternPart[] {
  return pattern
    .split(VARIABLE)
    .filter((text) => text !== "")
    .map((text) => (VARIABLE.test(text) ? { text: text.slice(1, -1), isVariable: true } : { text, isVariable: false }));
}

const LONGEST_SEARCH = 255;

/** What to search for to find the lines of a pattern: its longest text. Undefined: it has none. */
export function searchFor(pattern: string): string | undefined {
  const texts = patternParts(pattern).flatMap(({ text, isVariable }) => (isVariable ? [] : [text.trim()]));
  const longest = texts.reduce((one, other) => (other.length > one.length ? other : one), "");
  return longest === "" ? undefined : longest.slice(0, LONGEST_SEARCH);
}
