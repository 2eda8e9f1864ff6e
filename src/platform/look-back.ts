/** undefined: of all hosts; null: of the local host; a text: of that agent's host. */
export type Whose = string | null | undefined;

/** Asks for earlier changes, newest first. Pages join without gaps and duplicates, even if changes are added meanwhile. */
export interface LookBack {
  since: Date;
  /** Only changes after this place in the order: earlier ones, or those at the same time with a lower id. */
  before: { at: Date; id: number };
  whose: Whose;
  limit: number;
}

/** The stored changes of one kind. */
export interface PastChanges<Change extends { id: number; at: Date }> {
  /** Newest first; at the same time the highest id first. */
  page(back: LookBack): Promise<Change[]>;
  /** How many there are in this period, counted up to `most`. */
  count(of: { since: Date; until?: Date | undefined; whose: Whose; most: number }): Promise<number>;
  /** The time of the first change after a moment. */
  nextAt(of: { after: Date; whose: Whose }): Promise<Date | undefined>;
}
