import { DAY_MS } from "../../contract/time.ts";
import { refuseSorting } from "../../http/sorting.ts";
import type { LogBatch, LogLine, LogOptions } from "../../runtimes/runtime.ts";
import { type Clock, pause } from "../../platform/clock.ts";
import { dropOldest, type Newest } from "../../platform/drop-oldest.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { ListFilter, ListQuery } from "./api.ts";
import type { ArchivedStore } from "./archived-store.ts";
import type { ContainerDetail, ContainerLogs, DailyUptime, GenerationList, TransitionList } from "./answers.ts";
import { isAlive } from "./container.ts";
import { generationOf, type Span, watchedMs } from "./uptime.ts";
import type { GenerationStore } from "./generations-store.ts";
import type { HistoryStore } from "./history-store.ts";
import { bodyOf, type ListPage, type PlaceInList, type ContainerCounts, countsOf } from "./list.ts";
import type { Projection } from "./projection.ts";
import { containerRecord, generationRecord, healthFailureRecord, logLineRecords, transitionRecord } from "./records.ts";
import type { SavedContainer } from "./rows.ts";
import type { Statistics } from "./statistics.ts";
import type { ContainerStore } from "./store.ts";

/** Where a container's log is read: the runtime of its host. */
export interface LogSource {
  logs(agentId: string | null, externalId: string, options: LogOptions): AsyncIterable<LogBatch>;
}

/** Logs that are stored here and outlive their containers. */
export interface StoredLogs {
  /** The last lines with a text, oldest first; undefined where nothing is stored of the container. */
  last(
    container: Pick<SavedContainer, "id" | "firstSeenAt">,
    wanted: { lines: number; text: string | undefined; since: Date | undefined; signal: AbortSignal },
  ): Promise<LogLine[] | undefined>;
}

/** How far back a search in a log looks. */
const SEARCHED_LINES = 10_000;
/** A log ends a moment before the runtime says why. */
const NEWS_WITHIN_MS = 2000;
const NEWS_EVERY_MS = 50;
/** Of a followed log, what waits for its reader: nobody reads more than the newest at once. */
const FOLLOWED = { most: 2_000, mostSize: 1_000_000, sizeOf: ({ text }: LogLine): number => text.length + 100 };
/** Lines that come within a frame of a screen are passed on together; so many lines at most. */
const GATHER_MS = 16;
const MOST_LINES_A_MS = 10;

export interface LogsWanted {
  lines: number;
  since?: string | undefined;
  /** Of a workload of Kubernetes: only containers of this name, and whether of their last run. */
  container?: string | undefined;
  previous?: boolean | undefined;
}

export interface ContainerService {
  /** A page of the list as JSON bytes. Throws `unusable_values` for a cursor that is none. */
  list(query: ListQuery): Promise<Buffer>;
  /** Some of the list, in its order. */
  listPage(filter: ListFilter, page: PlaceInList): Promise<ListPage>;
  /** Of the present ones. */
  counts(): ContainerCounts;
  /** One container, archived ones too; throws `not_found`. */
  find(id: number): Promise<SavedContainer>;
  detail(id: number): Promise<ContainerDetail>;
  transitions(
    id: number,
    page: { since?: string | undefined; until?: string | undefined; limit: number; offset: number },
  ): Promise<TransitionList>;
  /** How often containers restarted by themselves. A start after a stop that somebody asked for is none, nor is that of a re-created container. */
  countRestarts(ids: readonly number[], window: Span): Promise<number>;
  /** The same of each container that did restart. */
  restartsByContainer(window: Span): Promise<Map<number, number>>;
  /** For how long of a window a host was watched, in milliseconds. */
  watchedMs(agentId: string | null, window: Span): Promise<number>;
  /** The containers that there have been in its place, newest first. */
  generations(id: number, page: { limit: number; offset: number }): Promise<GenerationList>;
  dailyUptime(id: number, days: number): Promise<DailyUptime>;
  /** The last lines, oldest first. Throws `runtime_unavailable`, and `conflict` for a log that cannot be read. */
  logs(id: number, query: LogsWanted & { timestamps: boolean; search?: string | undefined }, signal: AbortSignal): Promise<ContainerLogs>;
  /** The container as it is once the news that ended its log have come too. */
  afterLog(id: number): Promise<SavedContainer>;
  /** The last lines and then those to come; of more than can be read, the newest. */
  followLogs(container: SavedContainer, query: LogsWanted, signal: AbortSignal): AsyncIterable<Newest<LogLine>>;
}

export interface ContainerServiceDependencies {
  store: ContainerStore;
  archived: ArchivedStore;
  generations: GenerationStore;
  history: HistoryStore;
  projection: Projection;
  statistics: Statistics;
  logSource: LogSource;
  storedLogs: StoredLogs | undefined;
  clock: Clock;
}

const END_OF_TIME = new Date(8.64e15);

export function createContainerService({
  store,
  archived,
  generations,
  history,
  projection,
  statistics,
  logSource,
  storedLogs,
  clock,
}: ContainerServiceDependencies): ContainerService {
  async function find(id: number): Promise<SavedContainer> {
    const present = projection.get(id);
    const container = present?.archivedAt === null ? present : await store.find(id);
    if (container === undefined) throw new ServiceError("not_found", `There is no container ${id}.`);
    return container;
  }

  return {
    find,
    async list(query) {
      if (!query.archived) return projection.listBody(query);
      refuseSorting(query, "Removed containers are in the order of their groups and names");
      const [{ containers, total, next }, archivedCount] = await Promise.all([archived.pageBehind(query), store.countArchived()]);
      const rows = containers.map((container) => ({ container, uptime24h: null, json: undefined }));
      return bodyOf(rows, { total, archivedCount, next, usedBy: () => null });
    },
    async listPage(filter, page) {
      if (!filter.archived) return projection.listPage(filter, page);
      const { containers, total } = await archived.pageAt(filter, page);
      return { rows: containers.map((container) => ({ container, uptime24h: null, resources: null })), total };
    },
    counts: () => countsOf(projection.all()),
    async detail(id) {
      const container = await find(id);
      const figures = { uptime24h: projection.uptime24h(id), resources: projection.resources(id) };
      const isUnhealthy = container.health === "unhealthy" && container.archivedAt === null;
      const [uptime, failure] = await Promise.all([statistics.uptime(container), isUnhealthy ? history.healthFailure(id) : null]);
      return { ...containerRecord(container, figures), health_failure: healthFailureRecord(failure), uptime };
    },
    async transitions(id, { since, until, limit, offset }) {
      await find(id);
      const now = clock.now();
      const page = {
        since: since === undefined ? new Date(now.getTime() - DAY_MS) : new Date(since),
        // The clock of the host may be ahead of ours.
        until: until === undefined ? END_OF_TIME : new Date(until),
      };
      const { transitions, total } = await history.transitions({ containerId: id, ...page, limit, offset });
      return { container_id: id, transitions: transitions.map(transitionRecord), total, has_more: offset + transitions.length < total };
    },
    countRestarts: history.countRestarts,
    restartsByContainer: history.restartsByContainer,
    watchedMs: async (agentId, window) => watchedMs(await history.watchedOf(agentId, window), window),
    async generations(id, { limit, offset }) {
      const container = await find(id);
      const isFirstPage = offset === 0 && limit > 0;
      const page = { limit: isFirstPage ? limit - 1 : limit, offset: Math.max(offset - 1, 0) };
      const [past, pastCount] = await Promise.all([generations.past(id, page), generations.count(id)]);
      const shown = isFirstPage ? [generationOf(container), ...past] : past;
      const total = pastCount + 1;
      // A replay may have stored more than are in memory; those of long ago are not kept.
      const newest = Math.max(container.generation, total);
      return {
        container_id: id,
        generations: shown.map((each, index) => generationRecord(each, newest - offset - index)),
        total,
        has_more: offset + shown.length < total,
      };
    },
    async dailyUptime(id, days) {
      return statistics.daily(await find(id), days);
    },
    async logs(id, { lines, timestamps, search, ...wantedLog }, signal) {
      const container = await find(id);
      const { agentId, externalId } = container;
      if (container.archivedAt !== null) {
        const since = wantedLog.since === undefined ? undefined : new Date(wantedLog.since);
        const stored = await storedLogs?.last(container, { lines: lines + 1, text: search, since, signal });
        if (stored === undefined) throw logGone(id);
        const records = logLineRecords(stored.slice(-lines), timestamps);
        return { container_id: id, lines: records, truncated: stored.length > lines };
      }
      const tail = search === undefined ? lines + 1 : SEARCHED_LINES;
      const options = { tail, follow: false, signal, ...runtimeOptions(wantedLog) };
      const wanted = search?.toLowerCase();
      const found: LogLine[] = [];
      let more = false;
      for await (const batch of logSource.logs(agentId, externalId, options)) {
        found.push(...(wanted === undefined ? batch : batch.filter(({ text }) => text.toLowerCase().includes(wanted))));
        more ||= found.length > lines;
        if (found.length > lines) found.splice(0, found.length - lines);
      }
      return {
        container_id: id,
        lines: logLineRecords(found, timestamps),
        truncated: more,
      };
    },
    async afterLog(id) {
      let container = await find(id);
      for (let waited = 0; waited < NEWS_WITHIN_MS && container.archivedAt === null && isAlive(container.state); waited += NEWS_EVERY_MS) {
        await pause(clock, NEWS_EVERY_MS);
        container = await find(id);
      }
      return container;
    },
    async *followLogs({ id, agentId, externalId, archivedAt }, { lines, ...wantedLog }, signal) {
      if (archivedAt !== null) throw logGone(id);
      const ending = new AbortController();
      const ended = AbortSignal.any([signal, ending.signal]);
      const batches = logSource.logs(agentId, externalId, { tail: lines, follow: true, signal: ended, ...runtimeOptions(wantedLog) });
      try {
        for await (const newest of dropOldest(batches, { ...FOLLOWED, keepFirst: lines })) {
          yield newest;
          await pause(clock, Math.max(GATHER_MS, newest.items.length / MOST_LINES_A_MS), signal);
        }
      } finally {
        ending.abort();
      }
    },
  };
}

function runtimeOptions({ since, container, previous }: Omit<LogsWanted, "lines">): Pick<LogOptions, "since" | "container" | "previous"> {
  return {
    ...(since !== undefined && { since: new Date(since) }),
    ...(container !== undefined && { container }),
    ...(previous === true && { previous }),
  };
}

function logGone(id: number): ServiceError {
  return new ServiceError(
    "not_found",
    `Container ${id} was removed from its host, and its log with it. The last lines before each end are in its history.`,
  );
}
