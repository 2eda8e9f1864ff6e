/**
 * How well `text` answers `query`; higher is better, 0 is not at all. The beginning of the text is best, then the beginning
 * of a word in it, then anywhere, then its letters in order.
 */
export function matchScore(text: string, query: string): number {
  const where = text.toLowerCase();
  const what = query.toLowerCase().trim();
  if (what === "") return 1;
  const at = where.indexOf(what);
  const shortness = 1 / (1 + text.length);
  if (at === 0) return 4 + shortness;
  if (at > 0) return (/[\s._/:-]/.test(where[at - 1] ?? "") ? 3 : 2) + shortness;
  return hasInOrder(where, what) ? 1 + shortness : 0;
}

function hasInOrder(where: string, what: string): boolean {
  let at = -1;
  for (const letter of what) {
    at = where.indexOf(letter, at + 1);
    if (at === -1) return false;
  }
  return true;
}

/** The best `limit` of `items`, best first; equals keep their order. */
export function bestMatches<Item>(items: readonly Item[], query: string, textOf: (item: Item) => string, limit: number): Item[] {
  return items
    .map((item) => ({ item, score: matchScore(textOf(item), query) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ item }) => item);
}

interface Group<Item> {
  heading: string;
  items: readonly Item[];
  /** At most so many of it are shown. */
  limit: number;
}

/** The best of each group, the group with the best match first; equals keep their order, and groups without a match are left out. */
export function bestGroups<Item>(groups: readonly Group<Item>[], query: string, textOf: (item: Item) => string): Group<Item>[] {
  return groups
    .map(({ heading, items, limit }) => {
      const best = bestMatches(items, query, textOf, limit);
      const [first] = best;
      // How short a name is decides among items, not among kinds.
      return { heading, items: best, limit, score: first === undefined ? 0 : Math.floor(matchScore(textOf(first), query)) };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ heading, items, limit }) => ({ heading, items, limit }));
}
