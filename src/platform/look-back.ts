/** Of all hosts, of the local one (null), or of an agent's. */
export type Whose = string | null | undefined;

/** A look back at what changed, newest first; its pages join without gaps and doubles, whatever is added meanwhile. */
export interface LookBack {
  since: Date;
  /** What comes after this place in that order: what was earlier, or at the same time with a lower id. */
  before: { at: Date; id: number };
  whose: Whose;
  limit: number;
}

/** What a feature remembers of one kind of change. */
export interface PastChanges<Change extends { id: number; at: Date }> {
  /** Newest first; at the same time the highest id first. */
  page(back: LookBack): Promise<Change[]>;
  /** How many there are in this time, counted up to `most`. */
  count(of: { since: Date; until?: Date | undefined; whose: Whose; most: number }): Promise<number>;
  /** When the first one was after a moment. */
  nextAt(of: { after: Date; whose: Whose }): Promise<Date | undefined>;
}
