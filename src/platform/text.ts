/**
 * Text from outside made fit for a name: control, invisible, direction and escape characters out, white space folded, at most
 * `maxLength` characters (code points).
 */
export function cleanName(text: string, maxLength = 255): string {
  const cleaned = text
    .replace(ANSI_ESCAPE, "")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (cleaned.length <= maxLength) return cleaned;
  const characters = [...cleaned];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : cleaned;
}

// oxlint-disable-next-line no-control-regex -- these are the characters to find
const ANSI_ESCAPE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
