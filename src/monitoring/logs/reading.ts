import { MINUTE_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import { isServiceError, ServiceError } from "../../platform/errors.ts";
import { workInLanes } from "../../platform/queues.ts";
import type { Log } from "../../platform/log.ts";
import type { LogLine } from "../../runtimes/runtime.ts";
import type { Containers, LogSource, SavedContainer } from "../containers/index.ts";
import type { LogSearchQuery } from "./api.ts";
import type { LogSearchResult, SearchGap } from "./answers.ts";
import { createLineFilter, type Place, type Wanted, wantedBehind } from "./line.ts";
import type { LogLevel } from "../../contract/log-level.ts";
import { countText } from "../../contract/words.ts";
import type { LogStore, Searched } from "./stored/index.ts";
import { mayHaveWritten, targetsOf } from "./targets.ts";

export interface LogReaderDependencies {
  containers: Pick<Containers, "present" | "service">;
  logSource: LogSource;
  /** The logs that are stored here; undefined: none are. */
  store: LogStore | undefined;
  /** Until when the log of a container is stored; Infinity: to its end. undefined: to its last stored line at least. */
  storedToMs(container: SavedContainer): number | undefined;
  clock: Clock;
  log: Log;
}

/** A line that is looked for; its text is read when it is asked for. */
export interface ReadLine extends Place {
  level: LogLevel | null;
  readLine(): LogLine;
}

/** Which logs were read, and how far. */
export interface LogsRead {
  /** Those whose logs were asked for, by id. */
  containers: ReadonlyMap<number, SavedContainer>;
  /** Where reading the stored logs was ended, since that was enough: every line before this moment, in the order of the search, was visited. */
  endedAtMs: number | undefined;
  report: Pick<LogSearchResult, "searched" | "is_complete" | "gaps" | "gaps_total">;
}

interface ReadOptions {
  signal: AbortSignal;
  visit: (line: ReadLine) => void;
  /** Lines before this place may be left out. */
  behind?: Place | undefined;
  /** Whether the lines from this moment on, in the order of the search, need not be visited. Asked once there was time for counting them. */
  isEnough?: (nextMs: number) => boolean;
}

export interface LogReader {
  /**
   * Visits the lines that are looked for in the logs that are stored here, and of other containers in those that the runtimes keep, within bounds. Throws `not_found` for a container that there is
   * not, and `rate_limited` while too many are read.
   */
  read(query: Pick<LogSearchQuery, "container_id" | "group" | "agent_id">, wanted: Wanted, options: ReadOptions): Promise<LogsRead>;
}

/** Of one search. Each reading goes back so many lines, as a search in the log of one container does. */
const LINES_EACH = 10_000;
const MOST_CONTAINERS = 500;
const MOST_CHARACTERS = 64_000_000;
/** The answer is due before the request times out. */
const WITHIN_MS = 7_000;
/** So long stored logs are read though the page has its lines already, to count all others. */
const COUNTED_WITHIN_MS = 500;
const AT_ONCE = 12;
/** An agent answers 16 commands at once: all searches together leave some to others. */
const PER_HOST = 3;
const MOST_SEARCHES = 4;
const MOST_GAPS = 100;

/** So much later than it is written a log may be stored. */
const STORED_WITHIN_MS = MINUTE_MS;
/** Lines that are not stored yet come behind the stored ones of the same time. */
const BEHIND_STORED = 2 ** 52;

/** How the log of one container was read, in the store or where its runtime keeps it. */
interface Reading {
  container: SavedContainer;
  isStored: boolean;
  /** When its newest stored line was written as the search began: those that are stored later are not searched in the store. */
  storedTo: Date | undefined;
  lines: number;
  /** Of a stored log, which is searched to its end. */
  storedLines?: number;
  /** When the first line that was read was written. */
  firstAt: Date | null;
  state: "waiting" | "done" | { failure: ServiceError };
}

export function createLogReader({ containers, logSource, store, storedToMs, clock, log }: LogReaderDependencies): LogReader {
  let searches = 0;

  /** Whether lines that are looked for may not be stored yet, where the runtime may have them. */
  function isBehind(container: SavedContainer, asked: Wanted): boolean {
    if (container.archivedAt !== null || !mayHaveWritten(container, asked)) return false;
    const toMs = storedToMs(container) ?? store?.span(container)?.lastMs ?? 0;
    return toMs < Math.min(asked.untilMs, clock.now().getTime() - STORED_WITHIN_MS);
  }

  const read: LogReader["read"] = async (query, wanted, { signal, visit, behind, isEnough }) => {
    const beganMs = clock.monotonicMs();
    const { containers: targets, leftOut } = await targetsOf(query, wanted, { ...containers, store });
    const isStored = (container: SavedContainer): boolean => store?.span(container) !== undefined;
    const within = targets.slice(0, MOST_CONTAINERS).filter((container) => isStored(container) || mayHaveWritten(container, wanted));
    const readings = within.flatMap((container): Reading[] => {
      const lastMs = store?.span(container)?.lastMs;
      const storedTo = lastMs === undefined ? undefined : new Date(lastMs);
      const isStoredOnly = storedTo !== undefined && !isBehind(container, wanted);
      return [
        ...(storedTo === undefined ? [] : [newReading(container, { isStored: true, storedTo })]),
        ...(isStoredOnly ? [] : [newReading(container, { isStored: false, storedTo })]),
      ];
    });
    const ending = new AbortController();
    const tooMuch = new AbortController();
    let characters = 0;
    let storedCharacters = 0;

    /** Answers where it was ended, if it was. */
    async function readStored(stored: LogStore, byContainer: ReadonlyMap<SavedContainer, Reading>): Promise<number | undefined> {
      const { searched, endedAtMs } = await stored.search([...byContainer.keys()], wantedBehind(wanted, behind), {
        signal: AbortSignal.any([signal, ending.signal]),
        visit: ({ atMs, ordinal, level, readLine }, { id }) => visit({ containerId: id, atMs, ordinal, level, readLine }),
        isEnough: (nextMs) => clock.monotonicMs() - beganMs >= COUNTED_WITHIN_MS && isEnough?.(nextMs) === true,
      });
      for (const [container, progress] of searched) {
        const reading = byContainer.get(container);
        if (reading === undefined) continue;
        reading.storedLines = progress.lines;
        storedCharacters += progress.characters;
        reading.state = stateOf(progress, { isEnough: endedAtMs !== undefined });
        if (progress.error !== undefined) log.error({ err: progress.error, container: container.id }, "stored log not searched");
      }
      return endedAtMs;
    }

    async function readOne(reading: Reading): Promise<void> {
      const {
        container: { id, agentId, externalId },
        storedTo,
      } = reading;
      const filter = createLineFilter(id, wanted);
      const reads = AbortSignal.any([signal, ending.signal, tooMuch.signal]);
      try {
        const point = storedTo && (await store?.resumePoint(reading.container, reads, storedTo));
        const isSearched = (line: LogLine): boolean =>
          storedTo !== undefined && (line.timestamp ?? storedTo) <= storedTo && point?.isStored(line) === true;
        const sinceMs = Math.max(wanted.sinceMs, point?.since.getTime() ?? Number.NEGATIVE_INFINITY);
        const since = Number.isFinite(sinceMs) ? { since: new Date(sinceMs) } : {};
        const first = point === undefined ? 0 : BEHIND_STORED;
        for await (const batch of logSource.logs(agentId, externalId, { tail: LINES_EACH, follow: false, signal: reads, ...since })) {
          if (reads.aborted) return;
          reading.firstAt ??= batch[0]?.timestamp ?? null;
          for (const line of batch) {
            reading.lines += 1;
            characters += line.text.length;
            const found = isSearched(line) ? undefined : filter(line);
            if (found !== undefined) visit({ ...found, ordinal: found.ordinal + first, readLine: () => line });
            if (characters > MOST_CHARACTERS) return tooMuch.abort();
          }
        }
        if (!reads.aborted) reading.state = "done";
      } catch (error) {
        if (reads.aborted) return;
        if (!isServiceError(error)) log.error({ err: error, container: id }, "log not searched");
        reading.state = { failure: isServiceError(error) ? error : new ServiceError("internal", "The log could not be read.") };
      }
    }

    const inStore = new Map(readings.filter((reading) => reading.isStored).map((reading) => [reading.container, reading]));
    const others = readings.filter((reading) => !reading.isStored);
    const storedRead = store === undefined ? undefined : readStored(store, inStore);
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = clock.after(WITHIN_MS, resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
    try {
      const lanes = { laneOf, perLane: PER_HOST, atOnce: AT_ONCE, signal: AbortSignal.any([ending.signal, tooMuch.signal]) };
      await Promise.race([Promise.all([storedRead, workInLanes(others, lanes, readOne)]), late]);
    } finally {
      timer.cancel();
      ending.abort();
    }
    // It ends with the chunk that it is at.
    const endedAtMs = await storedRead;
    const beyond = targets.slice(MOST_CONTAINERS).map((container) => gapOf(container, "too_many_containers"));
    const ofReadings = readings.flatMap((reading) => gapIn(reading, { isTooMuch: tooMuch.signal.aborted && !reading.isStored }));
    const gaps = [...new Map(ofReadings.map((gap) => [gap.container_id, gap])).values(), ...beyond];
    const unread = new Set(readings.flatMap(({ container, state }) => (state === "done" ? [] : [container])));
    return {
      containers: new Map(within.map((container) => [container.id, container])),
      endedAtMs,
      report: {
        searched: {
          containers: within.length - unread.size,
          lines: readings.reduce((sum, { lines, storedLines = 0 }) => sum + lines + storedLines, 0),
          characters: characters + storedCharacters,
        },
        is_complete: gaps.length + leftOut === 0,
        gaps: gaps.slice(0, MOST_GAPS),
        gaps_total: gaps.length + leftOut,
      },
    };
  };

  return {
    async read(query, wanted, options) {
      if (searches >= MOST_SEARCHES)
        throw new ServiceError("rate_limited", `At most ${MOST_SEARCHES} searches in logs run at once. Try again in a moment.`);
      searches += 1;
      try {
        return await read(query, wanted, options);
      } finally {
        searches -= 1;
      }
    },
  };
}

function newReading(container: SavedContainer, stored: Pick<Reading, "isStored" | "storedTo">): Reading {
  return { container, ...stored, lines: 0, firstAt: null, state: "waiting" };
}

function stateOf({ damaged, left, error }: Searched, { isEnough }: { isEnough: boolean }): Reading["state"] {
  if (error !== undefined) return { failure: new ServiceError("internal", "The stored log could not be read.") };
  if (damaged > 0) return { failure: new ServiceError("internal", "A part of the stored log is damaged.") };
  return left === 0 || isEnough ? "done" : "waiting";
}

function laneOf({ container }: Reading): string {
  return container.agentId ?? "local";
}

function gapIn({ container, lines, firstAt, state }: Reading, { isTooMuch }: { isTooMuch: boolean }): SearchGap[] {
  if (state === "waiting") return [gapOf(container, isTooMuch ? "too_much_text" : "out_of_time")];
  if (state !== "done") return [gapOf(container, "unreadable", { message: state.failure.message })];
  return lines < LINES_EACH ? [] : [gapOf(container, "older_lines", { since: firstAt })];
}

const GAP_WORDS = {
  unreadable: "The log could not be read.",
  older_lines: `Only the last ${countText(LINES_EACH)} lines were searched.`,
  out_of_time: "There was no time left for this log. Narrow the search to a group, a host or a container.",
  too_much_text: "Too much text was read before this log. Narrow the search to a group, a host or a container.",
  too_many_containers: `At most ${MOST_CONTAINERS} containers are searched at once. Narrow the search to a group, a host or a container.`,
} as const;

function gapOf(
  { id, name, agentId }: SavedContainer,
  reason: SearchGap["reason"],
  { message = GAP_WORDS[reason], since = null }: { message?: string; since?: Date | null } = {},
): SearchGap {
  return { container_id: id, container_name: name, agent_id: agentId, reason, message, searched_since: since?.toISOString() ?? null };
}
