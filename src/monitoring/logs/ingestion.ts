import { MINUTE_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import { workInLanes } from "../../platform/queues.ts";
import type { Log } from "../../platform/log.ts";
import { type Backoff, createBackoff } from "../../platform/retry.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import { type Containers, type LogSource, runs, type SavedContainer } from "../containers/index.ts";
import { readNews } from "./news.ts";
import type { LogStore, ResumePoint } from "./stored/index.ts";

export interface IngestionDependencies {
  containers: Pick<Containers, "present">;
  logSource: LogSource;
  store: LogStore;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
}

/** Takes the logs of containers into the store as they are written. */
export interface Ingestion {
  start(): void;
  /** Until when the log of a container is stored; Infinity: all of it is, except for the last moments. undefined: it was not read since the start. */
  storedToMs(container: SavedContainer): number | undefined;
  /** Ends all reading. */
  stop(): Promise<void>;
}

/** `false`: the log of this container is not stored. */
const KEEP_LABEL = "service.logs.keep";
/** Of a container that nothing is stored of yet, and of one whose log is taken up again. */
const FIRST_LINES = 10_000;
const RESUMED_LINES = 100_000;
const MOST_FOLLOWED = 500;
const LOCAL_EVERY_MS = 1000;
/** A log that is followed so long has been opened; lines that wait so long are not stored soon. */
const SETTLED_MS = 5000;
/** Logs of other hosts: an agent follows few logs at once, and gives so many lines of each at most. */
const POLL_EVERY_MS = 10_000;
const POLL_WITHIN_MS = MINUTE_MS;
const POLLED_AT_ONCE = 8;
const POLLED_LINES = { least: 500, most: 10_000 };
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = MINUTE_MS;

interface Reading {
  /** Of the container that is or was read last. */
  externalId: string;
  /** Of the container that was read, and its end if it had ended: that need not be read again. */
  done: string | undefined;
  underWay: Promise<void> | undefined;
  begunMs: number;
  /** When a container was made that took the place of another one, whose newer lines are stored. */
  takenOverFrom: Date | undefined;
  /** Until when its log was read. */
  readToMs: number | undefined;
  /** Since when its lines wait for room, as while nothing can be written. */
  waitsSinceMs: number | undefined;
  ending: AbortController;
  backoff: Backoff;
  notBeforeMs: number;
  /** Of another host: how many lines are asked for. */
  tail: number;
}

interface Due {
  container: SavedContainer;
  reading: Reading;
}

export function createIngestion({ containers, logSource, store, clock, scheduler, log }: IngestionDependencies): Ingestion {
  const readings = new Map<number, Reading>();

  /** The logs that are to be read now, each with what is known of its reading. */
  function due(agentIds: readonly (string | null)[]): Due[] {
    const kept = agentIds.flatMap((agentId) => containers.present.ofHost(agentId)).filter(isKept);
    return kept.flatMap((container) => {
      const reading = readings.get(container.id) ?? newReading();
      readings.set(container.id, reading);
      // Another one is in its place.
      if (reading.externalId !== container.externalId) reading.ending.abort();
      const end = endOf(container);
      const isDone = end !== undefined && reading.done === end;
      return reading.underWay !== undefined || isDone || clock.monotonicMs() < reading.notBeforeMs ? [] : [{ container, reading }];
    });
  }

  /** Follows the logs of this host, and ends the reading of those that are not stored any more. */
  function followLocal(): void {
    for (const [id, reading] of readings) {
      const container = containers.present.get(id);
      if (container !== undefined && container.archivedAt === null && isKept(container)) continue;
      reading.ending.abort();
      if (reading.underWay === undefined) readings.delete(id);
    }
    const followed = [...readings.values()].filter(({ underWay }) => underWay !== undefined).length;
    for (const { container, reading } of due([null]).slice(0, Math.max(MOST_FOLLOWED - followed, 0))) begin(container, reading);
  }

  /** Reads what is new in the logs of other hosts. */
  async function poll(stopping: AbortSignal): Promise<void> {
    const agentIds = [...containers.present.hosts()].filter((agentId) => agentId !== null);
    const late = new AbortController();
    const timer = clock.after(POLL_WITHIN_MS, () => late.abort());
    // Those that were not reached in time come first.
    const longestAgo = due(agentIds).toSorted((one, other) => one.reading.begunMs - other.reading.begunMs);
    const laneOf = ({ container }: Due): string => container.agentId ?? "";
    const signal = AbortSignal.any([stopping, late.signal]);
    const lanes = { laneOf, perLane: 1, atOnce: POLLED_AT_ONCE, signal };
    await workInLanes(longestAgo, lanes, ({ container, reading }) => begin(container, reading, signal));
    timer.cancel();
  }

  /** Reads until the log ends; that of another host at most until it is `late`. */
  function begin(container: SavedContainer, reading: Reading, late?: AbortSignal): Promise<void> {
    // The program may have been stopped when one took the place of another.
    const before = reading.externalId === "" ? store.source(container) : reading.externalId;
    if (before !== undefined && before !== container.externalId) reading.takenOverFrom = container.createdAt ?? undefined;
    Object.assign(reading, {
      externalId: container.externalId,
      begunMs: clock.monotonicMs(),
      ending: new AbortController(),
      waitsSinceMs: undefined,
    });
    reading.underWay = read(container, reading, late).finally(() => {
      reading.underWay = undefined;
    });
    return reading.underWay;
  }

  const storedToMs: Ingestion["storedToMs"] = (container) => {
    const reading = readings.get(container.id);
    if (reading === undefined || reading.externalId !== container.externalId || !isKept(container)) return undefined;
    const end = endOf(container);
    if (end !== undefined && reading.done === end) return Number.POSITIVE_INFINITY;
    const nowMs = clock.monotonicMs();
    const isFollowed = container.agentId === null && reading.underWay !== undefined && nowMs - reading.begunMs >= SETTLED_MS;
    const isHeldUp = nowMs - (reading.waitsSinceMs ?? nowMs) >= SETTLED_MS;
    return isFollowed && !isHeldUp ? Number.POSITIVE_INFINITY : reading.readToMs;
  };

  async function read(container: SavedContainer, reading: Reading, late: AbortSignal | undefined): Promise<void> {
    const { signal } = reading.ending;
    const beganMs = clock.now().getTime();
    try {
      const isRead = late === undefined ? (await followLines(container, reading)) > 0 : await takeNews(container, reading, late);
      if (isRead) reading.backoff.reset();
      if (isRead && late !== undefined) reading.readToMs = beganMs;
      // One that still counts as running ended a moment ago, or its log was cut.
      if (runs(container) !== true && (isRead || late === undefined)) reading.done = endOf(container);
      if (isRead && late !== undefined) return;
    } catch (error) {
      if (signal.aborted) return;
      if (!isServiceError(error)) log.error({ err: error, container: container.id }, "log not stored");
      else log.debug({ reason: error.message, container: container.id }, "log not stored yet");
    }
    reading.notBeforeMs = clock.monotonicMs() + reading.backoff.nextMs();
  }

  /** Takes lines as they are written; answers how many were new. */
  async function followLines(container: SavedContainer, reading: Reading): Promise<number> {
    const { signal } = reading.ending;
    const lastMs = store.span(container)?.lastMs ?? 0;
    const point = await store.resumePoint(container, signal, reading.takenOverFrom);
    const from = point === undefined ? { tail: FIRST_LINES } : { tail: RESUMED_LINES, since: point.since };
    const follow = runs(container) === true;
    let fresh = 0;
    for await (const batch of logSource.logs(null, container.externalId, { ...from, follow, signal })) {
      if (signal.aborted) break;
      const lines = batch.filter((line) => point?.isStored(line) !== true);
      if (lines.length === 0) continue;
      if (fresh === 0) warnOfMissing(container, point);
      fresh += lines.length;
      reading.waitsSinceMs = clock.monotonicMs();
      await store.add(container, lines, signal);
      reading.waitsSinceMs = undefined;
      if ((store.span(container)?.lastMs ?? 0) > lastMs) setWhole(container, reading);
    }
    return fresh;
  }

  /** Takes what was written since the last time; answers whether that is all. */
  async function takeNews(container: SavedContainer, reading: Reading, late: AbortSignal): Promise<boolean> {
    const ending = reading.ending.signal;
    const signal = AbortSignal.any([ending, late]);
    for (;;) {
      const point = await store.resumePoint(container, signal, reading.takenOverFrom);
      const tail = point === undefined ? POLLED_LINES.most : reading.tail;
      const options = { tail, follow: false, signal, ...(point !== undefined && { since: point.since }) };
      const news = await readNews(logSource.logs(container.agentId, container.externalId, options), point);
      if (ending.aborted) return false;
      const fresh = news.lines.length + news.dropped;
      reading.tail = Math.min(Math.max(POLLED_LINES.least, 2 * news.read), POLLED_LINES.most);
      // There may be more before them.
      if (tail < POLLED_LINES.most && (fresh >= tail || (late.aborted && point?.mayMissLines() === true))) {
        reading.tail = POLLED_LINES.most;
        if (late.aborted) return false;
        continue;
      }
      if (fresh > 0) warnOfMissing(container, point);
      if (news.dropped > 0)
        log.warn({ container: container.id, lines: news.dropped }, "lines of a log were not stored: more text came at once than is taken");
      await store.add(container, news.lines, ending);
      if (late.aborted) return false;
      setWhole(container, reading);
      return true;
    }
  }

  /** From its last stored line on it is taken up again. */
  function setWhole(container: SavedContainer, reading: Reading): void {
    reading.takenOverFrom = undefined;
    store.setSource(container, container.externalId);
  }

  function warnOfMissing({ id, createdAt }: SavedContainer, point: ResumePoint | undefined): void {
    // Of one that was made since, no line is stored.
    if (point?.mayMissLines() !== true || createdAt === null || createdAt >= point.since) return;
    log.warn(
      { container: id, since: point.since.toISOString() },
      "lines of a log may not have been stored: it no longer has those that were stored last",
    );
  }

  const ends: (() => void)[] = [];
  return {
    storedToMs,
    start() {
      ends.push(
        scheduler.every({ name: "stored logs", everyMs: LOCAL_EVERY_MS, firstAfterMs: 0, run: followLocal }),
        scheduler.every({ name: "stored logs of other hosts", everyMs: POLL_EVERY_MS, run: poll }),
      );
    },
    async stop() {
      for (const end of ends) end();
      const all = [...readings.values()];
      for (const { ending } of all) ending.abort();
      await Promise.all(all.map(({ underWay }) => underWay));
    },
  };
}

/** Whether the log of a container is stored. */
function isKept({ settings, labels }: Pick<SavedContainer, "settings" | "labels">): boolean {
  return !settings.ignored && !/^(?:false|0)$/i.test(labels[KEEP_LABEL]?.trim() ?? "");
}

function newReading(): Reading {
  return {
    externalId: "",
    done: undefined,
    underWay: undefined,
    begunMs: 0,
    takenOverFrom: undefined,
    readToMs: undefined,
    waitsSinceMs: undefined,
    ending: new AbortController(),
    backoff: createBackoff({ firstMs: FIRST_RETRY_MS, ceilingMs: LONGEST_RETRY_MS }),
    notBeforeMs: 0,
    tail: POLLED_LINES.least,
  };
}

/** What a container that has ended can have written. */
function endOf(container: SavedContainer): string | undefined {
  return runs(container) === true ? undefined : `${container.externalId} ${container.finishedAt?.getTime() ?? 0}`;
}
