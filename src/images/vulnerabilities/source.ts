import type { Question } from "./question.ts";
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
  /** Ecosystems of which there are no records at all. */
  absent: readonly string[];
}

/** Why nothing at all is known: a sentence that may be shown. */
export class SourceError extends Error {}
