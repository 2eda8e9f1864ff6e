// oxlint-disable-next-line no-control-regex -- these are the characters to find
const ANSI_ESCAPE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

/**
 * Markdown from outside: its characters that cannot be seen, and those that turn the direction of text, are out, comments too; indents stay, since
 * they mean something.
 */
export function cleanMarkdown(text: string, maxLength: number): string {
  // Twice the length is enough to cut from, and no more is worked through.
  const cleaned = text
    .slice(0, maxLength * 2)
    .replace(ANSI_ESCAPE, "")
    .replace(/\r\n|[\r\u2028\u2029\u0085]/g, "\n")
    .replace(UNSEEN, "")
    .replace(/<!--[\s\S]*?(?:-->|$)/g, "")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  const characters = [...cleaned];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : cleaned;
}
