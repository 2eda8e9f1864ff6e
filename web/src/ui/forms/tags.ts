/** The list with the words of `text` at its end, each once in whatever case; words are joined by commas. */
export function addTags(tags: readonly string[], text: string): string[] {
  const next = [...tags];
  for (const piece of text.split(",")) {
    const tag = piece.trim().replace(/\s+/g, " ");
    if (tag !== "" && !next.some((known) => known.toLowerCase() === tag.toLowerCase())) next.push(tag);
  }
  return next;
}

/** The items of a comma list. */
export function itemsOf(text: string): string[] {
  return addTags([], text);
}
