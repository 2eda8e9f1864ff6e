import assert from "node:assert/strict";

/** Fails where foreign words stand outside of a fence, in a text or a key at any depth; answers how often they stand inside. */
export function checkFences(value: unknown, words: RegExp): number {
  let inside = 0;
  for (const text of textsOf(value)) {
    const bare = text.replace(/⟦[^⟦⟧]*⟧/g, (fenced) => {
      if (words.test(fenced)) inside += 1;
      return "";
    });
    assert.doesNotMatch(bare, words, `outside of a fence: ${text.slice(0, 500)}`);
    assert.doesNotMatch(bare, /[⟦⟧]/, `a fence that does not close, or opens twice: ${text.slice(0, 500)}`);
  }
  return inside;
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [key, ...textsOf(each)]);
}
