import { z } from "zod";
import { cleanName, cleanText } from "../platform/text.ts";

/** For `params` of a check that `meta` also states in the JSON Schema: a value that fails it is answered as any other fault of the schema. */
export const DECLARED = { declared: true } as const;

/** For `meta` of keys that a body may choose. Keys that could reach a prototype are refused before the schema is used, see body-parsers.ts. */
export const UNRESERVED_KEY = { not: { const: "__proto__" } } as const;

/**
 * Characters that show nothing: white space, control, format, private and surrogate characters. Written without `\p{…}`, which not every reader of a
 * JSON Schema supports.
 */
const INVISIBLE =
  "\\u0000-\\u0020\\u007f-\\u00a0\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u1680\\u180e\\u2000-\\u200f" +
  "\\u2028-\\u202f\\u205f-\\u2064\\u2066-\\u206f\\u3000\\ud800-\\uf8ff\\ufeff\\ufff9-\\ufffb" +
  "\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0001}\u{e0020}-\u{e007f}\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}";

export const VISIBLE = new RegExp(`[^${INVISIBLE}]`, "u");

/** A text of at most this many characters. Counts code points, as JSON Schema does; `max` of zod counts UTF-16 units. */
export function text(maxLength: number) {
  return z
    .string()
    .refine((given) => given.length <= maxLength || [...given].length <= maxLength, {
      error: `Must have at most ${maxLength} characters`,
      params: DECLARED,
      abort: true,
    })
    .meta({ maxLength });
}

/** A text to search for in the database, unchanged: PostgreSQL has no texts with NUL. */
export function searchedText(maxLength: number) {
  return text(maxLength).regex(/^[^\0]*$/, "Must not have a NUL character");
}

/** One line of text: cleaned, and not empty afterwards. */
export function line(maxLength: number) {
  return visible(maxLength).transform((given) => cleaned(given, cleanName, maxLength));
}

/** One line without a comma, since it is used in comma-separated lists. */
export function lineWithoutComma(maxLength: number, message = "Must not contain a comma") {
  return visible(maxLength)
    .regex(/^[^,]*$/, message)
    .transform((given) => cleaned(given, cleanName, maxLength));
}

/** One line of text, cleaned; may be empty. */
export function lineOrNothing(maxLength: number) {
  return text(maxLength).transform((given) => cleanName(given, maxLength));
}

/** Text of several lines: cleaned, and not empty afterwards. */
export function lines(maxLength: number) {
  return visible(maxLength).transform((given) => cleaned(given, cleanText, maxLength));
}

/** One of some words, in any case; the value is in capitals. */
export function wordInAnyCase<const Words extends readonly [string, ...string[]]>(words: Words) {
  const pattern = words.map((word) => word.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`)).join("|");
  return z
    .string()
    .regex(new RegExp(`^(?:${pattern})$`), `Must be one of ${words.join(", ")}`)
    .transform((given) => given.toUpperCase())
    .pipe(z.enum(words));
}

function visible(maxLength: number) {
  return text(maxLength).regex(VISIBLE, "Must not be empty");
}

/** A text of only terminal sequences keeps their characters: it has visible ones, so it is not empty. */
function cleaned(given: string, clean: (text: string, maxLength: number) => string, maxLength: number): string {
  return clean(given, maxLength) || clean(given.replaceAll("\u001b", " "), maxLength);
}
