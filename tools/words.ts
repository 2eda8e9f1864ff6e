/** Each retired word or phrase with what is written instead. */
export type RetiredWords = ReadonlyMap<string, string>;

export interface Use {
  /** From 1. */
  line: number;
  word: string;
  instead: string;
}

/** The words of the third columns of the tables of a glossary, with those of the first. */
export function retiredWords(glossary: string): RetiredWords {
  const rows = glossary.split("\n").filter((line) => line.startsWith("|"));
  return new Map(
    rows.flatMap((row) => {
      const [, instead = "", , not = ""] = row.split("|").map((cell) => cell.trim());
      if (not === "not" || /^-*$/.test(not)) return [];
      return not.split(", ").map((word) => [word, instead] as const);
    }),
  );
}

/** Between the words of a phrase: spaces, or the end of a line with the mark of a comment. */
const GAP = "[\\s*/#]+";

/** Where retired words and phrases stand, also as a part of a name (`lease`, `createLease`, `LEASE_MS`) and over the end of a line. */
export function usesOf(text: string, retired: RetiredWords): Use[] {
  const phrases = [...retired.keys()].map((word) => word.replaceAll(" ", GAP));
  const pattern = new RegExp(`(?<![a-z])(?:${phrases.join("|")})(?![a-z])`, "g");
  const plain = text.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return Array.from(plain.matchAll(pattern), ({ 0: found, index }): Use => {
    const word = found.replaceAll(new RegExp(GAP, "g"), " ");
    return { line: plain.slice(0, index).split("\n").length, word, instead: retired.get(word) ?? "" };
  });
}
