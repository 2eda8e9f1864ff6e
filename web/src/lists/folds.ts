/** Which groups of a list are folded: all or none, except those of `except`. Groups that come later are as most are. */
export interface Folding {
  folded: boolean;
  except: readonly string[];
}

const OPEN: Folding = { folded: false, except: [] };
export const FOLDED: Folding = { folded: true, except: [] };

export function isFolded({ folded, except }: Folding, key: string): boolean {
  return except.includes(key) ? !folded : folded;
}

/** Folds a group that is open, and opens one that is folded. */
export function toggleFold({ folded, except }: Folding, key: string): Folding {
  return { folded, except: except.includes(key) ? except.filter((each) => each !== key) : [...except, key] };
}

/** What a browser remembered; as usual, which is open, where that is not readable. */
export function readFolding(text: string, usual = OPEN): Folding {
  try {
    const [folded, ...except]: unknown[] = JSON.parse(text);
    if (typeof folded === "boolean" && except.every((key) => typeof key === "string")) return { folded, except };
  } catch {
    // Nothing was remembered yet, or something else.
  }
  return usual;
}

/** As text of at most `maxLength` characters: the groups that were changed first are left out. */
export function writeFolding({ folded, except }: Folding, maxLength: number): string {
  for (let first = 0; ; first += 1) {
    const text = JSON.stringify([folded, ...except.slice(first)]);
    if (text.length <= maxLength || first === except.length) return text;
  }
}
