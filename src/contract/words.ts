/** With a capital first. */
export function capitalise(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A whole number as `10,000`. The formats of the platform load 7 MB of what they know of languages. */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWords(words: readonly string[]): string {
  return joined(words, "and");
}

/** `a`, `a or b`, `a, b or c`. */
export function orWords(words: readonly string[]): string {
  return joined(words, "or");
}

function joined(words: readonly string[], last: string): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

/** Made when it is first needed, since it takes 3 MB. */
let collator: Intl.Collator | undefined;

/** As people sort, `web-2` before `web-10`; 0 only for the same text, though they would sort `1` and `01` alike. */
export function compareNames(a: string, b: string): number {
  // Many of a list are the same: of few groups, in few namespaces.
  if (a === b) return 0;
  collator ??= new Intl.Collator("en", { numeric: true });
  return collator.compare(a, b) || Number(a > b) - Number(a < b);
}
