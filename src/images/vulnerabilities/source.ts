import type { Question } from "./findings.ts";
import type { OsvRecord } from "./record.ts";

/** Where vulnerabilities are looked up: the API, or a folder. */
export interface OsvSource {
  /** The records that hold for each question, in the questions' order. Throws a SourceError, or the signal's reason. */
  records(questions: readonly Question[], signal: AbortSignal): Promise<SourceAnswer>;
  /** A record by its id; undefined when there is none or it cannot be read. Throws a SourceError when it could not be asked for, or the signal's reason. */
  record(id: string, signal: AbortSignal): Promise<OsvRecord | undefined>;
}

export interface SourceAnswer {
  records: readonly (readonly OsvRecord[])[];
  /** All that could be asked was answered: what the notes say is known to be a little thing. */
  whole: boolean;
  /** Sentences on what is missing. */
  notes: readonly string[];
  /** Ecosystems without any records. */
  absent: readonly string[];
  /** Questions of which a record could not be read, or not be compared with the version: it may hold. */
  unread: readonly Question[];
}

/** Why nothing at all is known: a sentence that may be shown. */
export class SourceError extends Error {}

/** Does work for each item, at most so many at a time; what one throws ends them all. */
export async function inParallel<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let failed = false;
  async function lane(): Promise<void> {
    for (let next = await waiting.next(); next.done !== true && !failed; next = await waiting.next()) await work(next.value);
  }
  async function guarded(): Promise<void> {
    try {
      await lane();
    } catch (error) {
      failed = true;
      throw error;
    }
  }
  await Promise.all(Array.from({ length: most }, guarded));
}
