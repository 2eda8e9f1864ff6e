import { z } from "zod";
import { recordId } from "../record.ts";

/** A page of what the database found for one question. */
export interface Page {
  found: readonly { id: string; modified: string }[];
  /** What asks for the next page; null when this is the last. */
  next: string | null;
  /** Entries that could not be read. */
  malformed: number;
}

const MOST_FOUND = 10_000;
const entry = z.object({ id: recordId, modified: z.string().max(50) });
const result = z
  .object({ vulns: z.array(z.unknown()).max(MOST_FOUND).nullish(), next_page_token: z.string().max(4096).nullish() })
  .nullish();
const batch = z.object({ results: z.array(result) });

/** The answer to so many questions, in their order; undefined when it is none. Source: OSV, POST /v1/querybatch. */
export function readBatch(given: unknown, questions: number): Page[] | undefined {
  const read = batch.safeParse(given);
  if (!read.success || read.data.results.length !== questions) return undefined;
  return read.data.results.map((answer) => {
    const entries = (answer?.vulns ?? []).map((found) => entry.safeParse(found));
    return {
      found: entries.flatMap((found) => found.data ?? []),
      next: answer?.next_page_token || null,
      malformed: entries.filter(({ success }) => !success).length,
    };
  });
}
