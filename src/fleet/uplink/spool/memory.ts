import { recordBytes, type SpoolRecord } from "./record.ts";

/** The newest records, in order of their seq. */
export class Memory {
  readonly #records: SpoolRecord[] = [];
  #bytes = 0;

  get records(): readonly SpoolRecord[] {
    return this.#records;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The seq must be higher than those before. */
  push(record: SpoolRecord): void {
    this.#records.push(record);
    this.#bytes += recordBytes(record);
  }

  /** Removes this many records, oldest first. */
  remove(count: number): void {
    for (const record of this.#records.splice(0, count)) this.#bytes -= recordBytes(record);
  }

  /** Removes the oldest records while the condition holds; answers how many. */
  removeWhile(holds: (oldest: SpoolRecord) => boolean): number {
    let removed = 0;
    for (let oldest = this.#records[0]; oldest !== undefined && holds(oldest); oldest = this.#records[removed]) {
      this.#bytes -= recordBytes(oldest);
      removed += 1;
    }
    if (removed > 0) this.#records.splice(0, removed);
    return removed;
  }

  /** The first record after a seq. */
  after(seq: number): SpoolRecord | undefined {
    let low = 0;
    let high = this.#records.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#records[middle]?.seq ?? Infinity) <= seq) low = middle + 1;
      else high = middle;
    }
    return this.#records[low];
  }
}
