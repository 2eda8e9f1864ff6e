/** A piece of a text, and whether it says that something breaks. */
interface Passage {
  text: string;
  breaking: boolean;
}

/** A text cut where the sentences named stand in it. Those that are not in it as they are written are in `missing`. */
export function passagesOf(text: string, sentences: readonly string[]): { passages: Passage[]; missing: string[] } {
  const found: { start: number; end: number }[] = [];
  const missing: string[] = [];
  for (const sentence of sentences) {
    const start = sentence === "" ? -1 : text.indexOf(sentence);
    if (start === -1) missing.push(sentence);
    else found.push({ start, end: start + sentence.length });
  }
  const passages: Passage[] = [];
  let at = 0;
  for (const { start, end } of found.toSorted((one, other) => one.start - other.start)) {
    // Two sentences may share words.
    if (end <= at) continue;
    if (start > at) passages.push({ text: text.slice(at, start), breaking: false });
    passages.push({ text: text.slice(Math.max(start, at), end), breaking: true });
    at = end;
  }
  if (at < text.length) passages.push({ text: text.slice(at), breaking: false });
  return { passages, missing: missing.filter((sentence) => sentence !== "") };
}
