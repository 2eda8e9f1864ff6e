const MOST = 8;
const LONGEST = 1000;

/** What is missing, as sentences, each said once. */
export interface Notes {
  add(sentence: string): void;
  /** All of them as one text; null when nothing is missing. */
  text(): string | null;
}

export function createNotes(): Notes {
  const sentences = new Set<string>();
  return {
    add(sentence) {
      if (sentences.size < MOST) sentences.add(sentence);
    },
    text() {
      return sentences.size === 0 ? null : [...sentences].join(" ").slice(0, LONGEST);
    },
  };
}
