/** Text from outside made fit for a name: control, bidirectional-override and escape characters out, white space folded, length bounded. */
export function cleanName(text: string, maxLength = 255): string {
  const cleaned = text
    .replace(ANSI_ESCAPE, "")
    .replace(/[\p{Cc}\p{Co}\p{Cs}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return cleaned.length > maxLength ? `${[...cleaned].slice(0, maxLength - 1).join("")}…` : cleaned;
}

// oxlint-disable-next-line no-control-regex -- these are the characters to find
const ANSI_ESCAPE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
