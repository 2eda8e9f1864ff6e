export type SortOrder = "asc" | "desc";

/** What the address of a list says of its order. */
export interface SortSearch<Key extends string> {
  sort?: Key | undefined;
  order?: SortOrder | undefined;
}

/** What is looked for first in each column: the worst, the most, the latest. */
export type FirstOrder<Key extends string> = Readonly<Record<Key, SortOrder>>;

/** How a list is sorted, and ways to change that. */
export interface ListSort<Key extends string> {
  /** Undefined: as usual. */
  by: Key | undefined;
  order: SortOrder;
  /** By this column, from what is looked for first. Undefined: as usual. */
  choose: (key: Key | undefined) => void;
  reverse: () => void;
  /** By this column, then the other way round, then as usual again. */
  turn: (key: Key) => void;
}

/** The order of a list, which stands in its address: `set` writes it there. */
export function listSort<Key extends string>(
  search: SortSearch<Key>,
  first: FirstOrder<Key>,
  set: (next: Required<SortSearch<Key>>) => void,
): ListSort<Key> {
  const by = search.sort;
  const order = orderOf(search, first);
  const choose = (key: Key | undefined): void => set({ sort: key, order: undefined });
  const reverse = (): void => {
    if (by !== undefined) set({ sort: by, order: order === first[by] ? otherOrder(order) : undefined });
  };
  return {
    by,
    order,
    choose,
    reverse,
    turn(key) {
      if (key !== by) choose(key);
      else if (order === first[key]) reverse();
      else choose(undefined);
    },
  };
}

/** The order that an address means: where it names only the column, what is looked for first. */
export function orderOf<Key extends string>({ sort, order }: SortSearch<Key>, first: FirstOrder<Key>): SortOrder {
  return order ?? (sort === undefined ? "asc" : first[sort]);
}

export function otherOrder(order: SortOrder): SortOrder {
  return order === "asc" ? "desc" : "asc";
}
