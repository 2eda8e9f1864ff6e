/** Each retired word with what is written instead. */
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

/** Where retired words stand, also as a part of a name: `lease`, `createLease`, `LEASE_MS`. */
export function usesOf(text: string, retired: RetiredWords): Use[] {
  return text.split("\n").flatMap((content, index) => {
    const words = content
      .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z]+/);
    return [...new Set(words)].flatMap((word) => {
      const instead = retired.get(word);
      return instead === undefined ? [] : [{ line: index + 1, word, instead }];
    });
  });
}
