/** With a capital first, unless it begins with a name that a capital would change, as in `ghcr.io/acme/web:1` or `/var/lib`. */
export function capitalised(text: string): string {
  return /^\p{Ll}+(?:['’-]\p{Ll}+)*[,.:;!?]?(?:\s|$)/u.test(text) ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text;
}

/** A whole sentence: a capital first, a full stop last; nothing stays nothing. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "";
  return `${capitalised(trimmed)}${/[.!?]$/.test(trimmed) ? "" : "."}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWords(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
