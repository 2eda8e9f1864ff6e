import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { partsOfConditions } from "../../../contract/field-filter.ts";
import { DAY_MS } from "../../../contract/time.ts";
import { type Clock, pause } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { createSerial } from "../../../platform/queues.ts";
import { withoutColours } from "../../../platform/text.ts";
import type { LogLine } from "../../../runtimes/runtime.ts";
import type { SavedContainer } from "../../containers/index.ts";
import { createLevelReader, type Wanted } from "../line.ts";
import type { StoredLine } from "./chunk.ts";
import { CHUNK_CHARACTERS, ContainerLog } from "./container-log.ts";
import { findLastLines, findResumePoint, type ResumePoint } from "./find.ts";
import { hashesOf } from "./grams.ts";
import { type SearchEnd, type SearchOptions, searchParts } from "./search.ts";

export type { ResumePoint } from "./find.ts";
export type { Searched } from "./search.ts";

export interface LogStoreDependencies {
  folder: string;
  retentionMs: number;
  maxBytes: number;
  clock: Clock;
  log: Log;
}

/** Whose log it is: an id may be given out again after a restore of a backup, but not with the same first sighting. */
export type LogOwner = Pick<SavedContainer, "id" | "firstSeenAt">;

/** The logs that this server keeps, in files of its data folder, within a number of bytes and an age. */
export interface LogStore {
  /** Reads what the folder holds. Throws when it cannot be used. */
  open(): Promise<void>;
  /** Takes lines of a container. Resolves when there is room for more: not while nothing can be written. */
  add(owner: LogOwner, lines: readonly LogLine[], signal: AbortSignal): Promise<void>;
  /** Of which container the newest lines of a log are, by its external id; undefined when that is not known. */
  source(owner: LogOwner): string | undefined;
  /** Notes that once they are written. */
  setSource(owner: LogOwner, externalId: string): void;
  /** The times of its first and last line; undefined when nothing is stored of it. */
  span(owner: LogOwner): { firstMs: number; lastMs: number } | undefined;
  /** Visits the lines of these that are looked for, the newest or the oldest first as far as that can be had chunk by chunk; those of one container and time have ordinals. */
  search<Owner extends LogOwner>(
    owners: readonly Owner[],
    wanted: Wanted,
    options: Omit<SearchOptions<Owner>, "order">,
  ): Promise<SearchEnd<Owner>>;
  /** Its last lines with a text, oldest first; undefined when nothing is stored of it. */
  last(
    owner: LogOwner,
    wanted: { lines: number; text: string | undefined; since: Date | undefined; signal: AbortSignal },
  ): Promise<LogLine[] | undefined>;
  /** Where to continue its log, at `from` at the latest; undefined: nothing is stored of it. */
  resumePoint(owner: LogOwner, signal: AbortSignal, from?: Date): Promise<ResumePoint | undefined>;
  /** The ids of containers of which something is stored, or may be of that time; those with the newest lines first. */
  ids(within?: Pick<Wanted, "sinceMs" | "untilMs">): number[];
  /** Writes what is in memory only, and seals what has become enough for a chunk. */
  flush(): Promise<void>;
  /** Drops what is too old, and the oldest of what is too much. */
  prune(): Promise<void>;
  /** Drops what is stored of containers that are not kept any more. */
  remove(isGone: (id: number) => boolean): Promise<void>;
  bytes(): number;
}

const OWNER = /^(\d{1,15})-([0-9a-z]{1,12})$/;
/** Text in memory that is in no file yet: who reads logs waits for it. */
const MOST_UNWRITTEN = 4_000_000;
/** Text in memory that is in no chunk yet. */
const MOST_IN_MEMORY = 24_000_000;
/** Lines of a container that writes little are in a chunk after this part of the time that they are kept. */
const SEALED_AFTER = 1 / 8;
const LONGEST_UNSEALED_MS = DAY_MS;
const FULL_WAIT_MS = 1000;
const LATEST_MS = 8.64e15;

const ALL_LINES: Omit<Wanted, "sinceMs"> = {
  text: undefined,
  level: undefined,
  conditions: [],
  untilMs: Number.POSITIVE_INFINITY,
  order: "newest",
};

interface Kept {
  id: number;
  log: ContainerLog;
  levelOf: LevelReader;
  /** When its newest line since the start was written. */
  lastMs: number | undefined;
}

type LevelReader = ReturnType<typeof createLevelReader>;

export function createLogStore({ folder, retentionMs, maxBytes, clock, log }: LogStoreDependencies): LogStore {
  const kept = new Map<string, Kept>();
  /** Writes of a container wait for each other. */
  const serial = createSerial();
  let isFailing = false;

  const all = (): [string, Kept][] => [...kept];
  const sum = (of: (each: ContainerLog) => number): number => all().reduce((total, [, each]) => total + of(each.log), 0);
  const unwritten = (): number => sum((each) => each.held().unwritten);

  function keep(name: string, id: number): Kept {
    const each = { id, log: new ContainerLog(join(folder, name)), levelOf: createLevelReader(), lastMs: undefined };
    kept.set(name, each);
    return each;
  }

  /** Says once that nothing can be written, and once that it can again. */
  async function writing(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      if (isFailing) log.info({ folder }, "logs can be stored again");
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.error({ err: error, folder }, "logs cannot be stored");
      isFailing = true;
    }
  }

  async function flush(): Promise<void> {
    for (const [name, { log: each }] of all())
      await serial(name, () => writing(async () => (each.isFull() ? await each.seal() : await each.flush())));
    const largest = all().toSorted(([, one], [, other]) => other.log.held().characters - one.log.held().characters);
    for (const [name, { log: each }] of largest) {
      if (sum((one) => one.held().characters) <= MOST_IN_MEMORY) break;
      await serial(name, () => writing(() => each.seal()));
    }
  }

  /** Takes a line; answers its characters. */
  function take(each: Kept, line: LogLine | undefined): number {
    if (line === undefined) return 0;
    // A line of which the runtime does not say when it was written stands beside the one before it.
    each.lastMs = Math.min(Math.max(line.timestamp?.getTime() ?? each.lastMs ?? clock.now().getTime(), 0), LATEST_MS);
    each.log.add(storedLine(line, each.lastMs, each.levelOf));
    return line.text.length + 1;
  }

  async function waitForRoom(signal: AbortSignal): Promise<void> {
    for (; unwritten() > MOST_UNWRITTEN && !signal.aborted; await pause(clock, FULL_WAIT_MS, signal)) {
      await flush();
      if (unwritten() <= MOST_UNWRITTEN) return;
    }
  }

  async function dropOldest(isDue: (oldestMs: number) => boolean): Promise<void> {
    for (;;) {
      const [oldest] = all()
        .map(([name, { log: each }]) => ({ name, each, oldestMs: each.oldestMs() ?? Number.POSITIVE_INFINITY }))
        .toSorted((one, other) => one.oldestMs - other.oldestMs);
      if (oldest === undefined || oldest.oldestMs === Number.POSITIVE_INFINITY || !isDue(oldest.oldestMs)) return;
      await serial(oldest.name, () => oldest.each.dropOldest());
    }
  }

  const span: LogStore["span"] = (owner) => kept.get(nameOf(owner))?.log.span();

  const search: LogStore["search"] = async (owners, wanted, options) => {
    const needle = wanted.text?.toLowerCase();
    const { level, conditions, untilMs, order } = wanted;
    const parts = partsOfConditions(conditions);
    const sinceMs = Math.max(wanted.sinceMs, clock.now().getTime() - retentionMs);
    const query = {
      ...{ needle, hashes: hashesOf(needle ?? ""), level, sinceMs, untilMs },
      ...{ conditions, parts, partHashes: parts.flatMap(hashesOf) },
    };
    const logs = new Map(owners.map((owner) => [owner, kept.get(nameOf(owner))?.log.parts(query) ?? []]));
    return searchParts(logs, query, { ...options, order });
  };

  /** Throws when a part of the log cannot be read. */
  async function searchOne(owner: LogOwner, wanted: Wanted, options: Pick<SearchOptions<LogOwner>, "signal" | "visit">): Promise<void> {
    const { searched } = await search([owner], wanted, options);
    const error = searched.get(owner)?.error;
    if (error !== undefined) throw error;
  }

  return {
    async open() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const name of await readdir(folder)) {
        const id = OWNER.exec(name)?.[1];
        if (id === undefined) continue;
        const torn = await keep(name, Number(id)).log.open();
        if (torn > 0)
          log.warn(
            { container: Number(id), bytes: torn },
            "the end of a stored log was torn and is dropped; it is read again if it is still there",
          );
      }
    },
    async add(owner, lines, signal) {
      const name = nameOf(owner);
      const each = kept.get(name) ?? keep(name, owner.id);
      for (let at = 0; at < lines.length && !signal.aborted;) {
        for (let taken = 0; at < lines.length && taken < CHUNK_CHARACTERS; at += 1) taken += take(each, lines[at]);
        if (each.log.isFull()) await serial(name, () => writing(() => each.log.seal()));
        await waitForRoom(signal);
      }
    },
    source: (owner) => kept.get(nameOf(owner))?.log.source.get(),
    setSource: (owner, externalId) => kept.get(nameOf(owner))?.log.source.set(externalId),
    span,
    search,
    async last(owner, { lines, text, since, signal }) {
      if (span(owner) === undefined) return undefined;
      const wanted = { ...ALL_LINES, text, sinceMs: since?.getTime() ?? 0 };
      return findLastLines(lines, (visit, ends) => searchOne(owner, wanted, { signal: ends, visit }), signal);
    },
    async resumePoint(owner, signal, from) {
      const lastMs = span(owner)?.lastMs;
      if (lastMs === undefined) return undefined;
      const times = { lastMs, fromMs: from?.getTime() };
      return findResumePoint(times, (sinceMs, visit, ends) => searchOne(owner, { ...ALL_LINES, sinceMs }, { signal: ends, visit }), signal);
    },
    ids(within) {
      const spans = all().map(([, { id, log: each }]) => ({ id, span: each.span() }));
      const asked = within === undefined ? spans : spans.filter(({ span: each }) => each !== undefined && overlaps(each, within));
      const newestFirst = asked.toSorted((one, other) => (other.span?.lastMs ?? 0) - (one.span?.lastMs ?? 0));
      return [...new Set(newestFirst.map(({ id }) => id))];
    },
    flush,
    async prune() {
      const nowMs = clock.now().getTime();
      const beforeMs = nowMs - Math.min(retentionMs * SEALED_AFTER, LONGEST_UNSEALED_MS);
      for (const [name, { log: each }] of all()) await serial(name, () => writing(() => each.closeBefore(beforeMs)));
      await dropOldest((oldestMs) => oldestMs < nowMs - retentionMs);
      await dropOldest(() => sum((each) => each.bytes()) > maxBytes);
    },
    async remove(isGone) {
      for (const [name, { id }] of all()) {
        const isEmpty = kept.get(name)?.log.span() === undefined;
        if (!isEmpty && !isGone(id)) continue;
        kept.delete(name);
        await serial(name, () => rm(join(folder, name), { recursive: true, force: true }));
      }
    },
    bytes: () => sum((each) => each.bytes()),
  };
}

function nameOf({ id, firstSeenAt }: LogOwner): string {
  return `${id}-${firstSeenAt.getTime().toString(36)}`;
}

function overlaps(
  { firstMs, lastMs }: { firstMs: number; lastMs: number },
  { sinceMs, untilMs }: Pick<Wanted, "sinceMs" | "untilMs">,
): boolean {
  return lastMs >= sinceMs && firstMs < untilMs;
}

function storedLine({ stream, text }: LogLine, atMs: number, levelOf: LevelReader): StoredLine {
  const oneLine = text.includes("\n") ? text.replaceAll("\n", " ") : text;
  return { atMs, stream, level: levelOf(withoutColours(oneLine), stream)(), text: oneLine };
}
