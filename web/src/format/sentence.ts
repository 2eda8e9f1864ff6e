import { capitalise } from "../../../src/contract/words.ts";

/** With a capital first, unless it begins with a name that a capital would change, as in `ghcr.io/acme/web:1` or `/var/lib`. */
export function capitalised(text: string): string {
  return /^\p{Ll}+(?:['’-]\p{Ll}+)*[,.:;!?]?(?:\s|$)/u.test(text) ? capitalise(text) : text;
}

/** A whole sentence: a capital first, a full stop last; nothing stays nothing. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "";
  return `${capitalised(trimmed)}${/[.!?]$/.test(trimmed) ? "" : "."}`;
}
