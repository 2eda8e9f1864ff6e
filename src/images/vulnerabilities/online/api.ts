import { z } from "zod";
import { MINUTE_MS } from "../../../contract/time.ts";
import { type Clock, pause } from "../../../platform/clock.ts";
import { type Outbound, OutboundError } from "../../../platform/outbound.ts";
import { readBody } from "../../../platform/outbound-body.ts";
import { parseRetryAfter } from "../../../platform/outbound-error.ts";
import { createBackoff } from "../../../platform/retry.ts";
import type { Subject } from "../affected.ts";
import { recordId } from "../record.ts";
import { SourceError } from "../source.ts";

/** One question to the database: nothing else ever leaves this host. */
export interface Query extends Subject {
  page: string | null;
}

export interface OsvApi {
  /** Throws a SourceError, or the signal's reason. */
  batch(queries: readonly Query[], signal: AbortSignal): Promise<Page[]>;
  /** A record as parsed JSON; null when the database has none. Throws as above. */
  record(id: string, signal: AbortSignal): Promise<unknown>;
}

export const MOST_QUERIES = 1000;

const MOST_ANSWER_BYTES = 8 * 1_048_576;
const TIMEOUT_MS = 30_000;
const IDLE_MS = 15_000;
const WHOLE_MS = MINUTE_MS;
const ATTEMPTS = 3;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
/** For which a database that failed is not asked again: the other images of a scan need not wait for it in vain. */
const DOWN_MS = MINUTE_MS;
/** What may be otherwise the next moment. */
const PASSING: readonly OutboundError["reason"][] = ["connection", "timeout", "name"];

/** The HTTP interface of OSV. Source: google.github.io/osv.dev/api. */
export function createOsvApi({ outbound, url, clock }: { outbound: Pick<Outbound, "open">; url: string; clock: Clock }): OsvApi {
  const origin = url.replace(/\/+$/, "");
  let down: { untilMs: number; reason: string } | undefined;

  async function once(path: string, body: string | undefined, signal: AbortSignal): Promise<Buffer | null | Failure> {
    try {
      const opened = await outbound.open({
        url: `${origin}${path}`,
        method: body === undefined ? "GET" : "POST",
        headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body }),
        signal,
        timeoutMs: TIMEOUT_MS,
        idleMs: IDLE_MS,
        wholeMs: WHOLE_MS,
      });
      if (opened.status === 200) return await readBody(opened, MOST_ANSWER_BYTES);
      opened.body.destroy();
      if (opened.status === 404 && body === undefined) return null;
      const retryAfterMs = parseRetryAfter(opened.headers["retry-after"], clock.now());
      return new Failure(`It answered with status ${opened.status}.`, opened.status === 429 || opened.status >= 500, retryAfterMs);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof OutboundError) return new Failure(error.message, PASSING.includes(error.reason), null);
      throw error;
    }
  }

  async function ask(path: string, body: string | undefined, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    if (down !== undefined && clock.monotonicMs() < down.untilMs) throw new SourceError(down.reason);
    const backoff = createBackoff({ firstMs: FIRST_WAIT_MS, ceilingMs: LONGEST_WAIT_MS });
    for (let attempt = 1; ; attempt += 1) {
      const answer = await once(path, body, signal);
      if (answer === null) return null;
      if (!(answer instanceof Failure)) return parsed(answer);
      if (!answer.passing || attempt === ATTEMPTS) throw fail(answer.message, answer.passing);
      await pause(clock, Math.min(answer.retryAfterMs ?? backoff.nextMs(), LONGEST_WAIT_MS), signal);
      signal.throwIfAborted();
    }
  }

  function fail(reason: string, rests: boolean): SourceError {
    const error = new SourceError(`The vulnerability database could not be asked. ${reason}`);
    if (rests) down = { untilMs: clock.monotonicMs() + DOWN_MS, reason: error.message };
    return error;
  }

  return {
    async batch(queries, signal) {
      const body = JSON.stringify({
        queries: queries.map(({ ecosystem, name, version, page }) => ({
          package: { ecosystem, name },
          version,
          ...(page === null ? {} : { page_token: page }),
        })),
      });
      const pages = readBatch(await ask("/v1/querybatch", body, signal), queries.length);
      if (pages === undefined) throw new SourceError("The vulnerability database gave an answer that cannot be read.");
      return pages;
    },
    record: (id, signal) => ask(`/v1/vulns/${encodeURIComponent(id)}`, undefined, signal),
  };
}

/** An answer that is none. */
class Failure {
  readonly message: string;
  readonly passing: boolean;
  readonly retryAfterMs: number | null;

  constructor(message: string, passing: boolean, retryAfterMs: number | null) {
    this.message = message;
    this.passing = passing;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Undefined when it is no JSON. */
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** A page of what the database found for one question. */
interface Page {
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
function readBatch(given: unknown, questions: number): Page[] | undefined {
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
