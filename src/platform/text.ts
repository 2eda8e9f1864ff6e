/**
 * Cleans external text for use as a name: removes control, invisible, direction and escape characters, folds white space, keeps at most `maxLength`
 * characters (code points).
 */
export function cleanName(text: string, maxLength = 255): string {
  const cleaned = text
    .replace(ANSI_ESCAPE, "")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return shortened(cleaned, maxLength);
}

/** The same for text of several lines: keeps line ends, but at most one empty line in a row. */
export function cleanText(text: string, maxLength: number): string {
  const lines = text
    .replace(ANSI_ESCAPE, "")
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => cleanName(line, maxLength));
  return shortened(
    lines
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim(),
    maxLength,
  );
}

/** The last whole lines of a text that together have at most `maxLength` characters; the beginning of the last line when that is longer. */
export function lastLines(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const lines = text.split("\n");
  const kept: string[] = [];
  let room = maxLength + 1;
  for (const line of lines.toReversed()) {
    room -= line.length + 1;
    if (room < 0) break;
    kept.unshift(line);
  }
  return kept.length === 0 ? shortened(lines.at(-1) ?? "", maxLength) : kept.join("\n");
}

function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const characters = [...text];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : text;
}

// oxlint-disable-next-line no-control-regex -- these are the characters to find
const ANSI_ESCAPE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** Removes the sequences that colour a text on a terminal. */
export function withoutColours(text: string): string {
  return text.includes("\u001b") ? text.replace(ANSI_ESCAPE, "") : text;
}

/** `1 package`, `2 packages`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
