import { z } from "zod";
import { readFieldFilter } from "../../contract/field-filter.ts";
import { readCursor, writeCursor } from "../../http/cursor.ts";
import { ServiceError } from "../../platform/errors.ts";
import { cutLine, type SavedContainer } from "../containers/index.ts";
import type { LogSearchQuery } from "./api.ts";
import type { FoundLine, LogSearchResult } from "./answers.ts";
import { type Counted, countedUntil, createHistogram } from "./histogram.ts";
import { createFirstLines, type Found, type Place, type Wanted } from "./line.ts";
import type { LogReader } from "./reading.ts";

export interface LogSearch {
  /**
   * Searches all logs, within bounds; the answer says what was not searched. Throws `not_found` for a container that there is not, `unusable_values` for a cursor or conditions that are none, and `rate_limited` while
   * too many searches run.
   */
  search(query: LogSearchQuery, signal: AbortSignal): Promise<LogSearchResult>;
}

const SHOWN_CHARACTERS = 4_000;

export function createLogSearch(reader: LogReader): LogSearch {
  return {
    async search(query, signal) {
      const behind = readCursor(query.cursor, placeInCursor);
      const first = createFirstLines({ order: query.order, behind, most: query.limit + 1 });
      const histogram = createHistogram();
      const { containers, endedAtMs, report } = await reader.read(query, wantedOf(query), {
        ...{ signal, behind, isEnough: first.areWholeBefore },
        visit(line) {
          if (!first.isBehind(line)) return;
          const { containerId, atMs, ordinal, level } = line;
          if (first.wants(line)) first.add({ containerId, atMs, ordinal, level, line: line.readLine() });
          histogram.add(atMs, level);
        },
      });
      const counted = countedUntil(histogram.read(), query.order, endedAtMs);
      return { ...pageOf(first.read(), query.limit, containers), histogram: histogramRecord(counted, endedAtMs), ...report };
    },
  };
}

/** What a query looks for, whichever containers it names. Throws `unusable_values` for conditions that cannot be read. */
export function wantedOf({ q, level, fields, since, until, order }: Omit<LogSearchQuery, "limit" | "cursor">): Wanted {
  const conditions = readFieldFilter(fields ?? "");
  if ("fault" in conditions) {
    const { fault: message } = conditions;
    throw new ServiceError("unusable_values", `The query cannot be used: fields: ${message}.`, [{ path: "fields", message }]);
  }
  return {
    text: q === "" ? undefined : q,
    level,
    conditions,
    sinceMs: since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since),
    untilMs: until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until),
    order,
  };
}

function pageOf(
  found: readonly Found[],
  limit: number,
  containers: ReadonlyMap<number, SavedContainer>,
): Pick<LogSearchResult, "lines" | "next_cursor"> {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const hasMore = last !== undefined && found.length > limit;
  return {
    lines: page.flatMap((each) => lineRecord(each, containers.get(each.containerId)) ?? []),
    next_cursor: hasMore ? writeCursor([last.atMs, last.containerId, last.ordinal]) : null,
  };
}

function histogramRecord({ bucketMs, buckets }: Counted, endedAtMs: number | undefined): LogSearchResult["histogram"] {
  return {
    counted_to: endedAtMs === undefined ? null : new Date(endedAtMs).toISOString(),
    bucket_seconds: bucketMs / 1000,
    buckets: buckets.map(({ fromMs, lines }) => ({ timestamp: new Date(fromMs).toISOString(), ...lines })),
  };
}

function lineRecord({ line, level }: Found, container: SavedContainer | undefined): FoundLine | undefined {
  if (container === undefined) return undefined;
  const text = cutLine(line.text, SHOWN_CHARACTERS);
  return {
    container_id: container.id,
    container_name: container.name,
    group: container.group,
    agent_id: container.agentId,
    timestamp: line.timestamp?.toISOString() ?? null,
    stream: line.stream,
    level,
    text,
    is_cut: text !== line.text,
  };
}

const whole = z.number().int();
const moment = whole.min(-8.64e15).max(8.64e15);

/** The place that a cursor of a search names. */
const placeInCursor = z
  .tuple([moment, whole.min(1), whole.min(0)])
  .transform(([atMs, containerId, ordinal]): Place => ({ atMs, containerId, ordinal }));
