import { changeOf } from "../../contract/change.ts";
import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import { type PresentContainers, type SavedContainer, usesResources } from "../containers/index.ts";
import type { Top } from "./answers.ts";
import { COLUMN, cores, type KeptColumn, percent, shareInPercent, type Tick, whole } from "./snapshot.ts";
import type { SeriesFigures, SeriesStore } from "./store.ts";

export interface TopQuery {
  sort: Top["sort"];
  by: Top["by"];
  limit: number;
  /** undefined: of all hosts. */
  agentId: string | null | undefined;
}

interface TopParts {
  /** What hosts reported last. */
  ticks(agentId: string | null | undefined): Tick[];
  present: Pick<PresentContainers, "get">;
  yesterday: Yesterday;
  /** Throws EDITION_REQUIRED when the edition in force does not grant the capability. */
  requireCapability(capability: string): void;
}

type SinceYesterday = NonNullable<Top["consumers"][number]["since_yesterday"]>;

interface Consumer {
  container: SavedContainer;
  value: number;
  tick: Tick;
  place: number;
}

/** Looking back a day is what this range of history does. */
const LOOKING_BACK = "history_24h";

/** Ranks containers by what they use now, or by how much more that is than yesterday, which throws EDITION_REQUIRED below its edition. */
export function createTop({ ticks, present, yesterday, requireCapability }: TopParts): (query: TopQuery) => Promise<Top> {
  /** undefined when the ranking can do without: in another edition, or without the database. */
  async function hourFor(consumers: readonly Consumer[], by: Top["by"]): Promise<PastHour | undefined> {
    try {
      requireCapability(LOOKING_BACK);
      return await yesterday(consumers.map(({ container }) => container));
    } catch (error) {
      const isDispensable = isServiceError(error, "EDITION_REQUIRED") || isServiceError(error, "storage_unavailable");
      if (by === "use" && isDispensable) return undefined;
      throw error;
    }
  }

  return async ({ sort, by, limit, agentId }) => {
    const running = ticks(agentId)
      .flatMap((tick) => consumersOf(tick, sort, present))
      .sort((a, b) => b.value - a.value || a.container.id - b.container.id);
    const compared = by === "use" ? running.slice(0, limit) : running;
    const hour = await hourFor(compared, by);
    const rows = compared.map((consumer) => ({ ...consumer, since: hour === undefined ? null : sinceYesterday(consumer, sort, hour) }));
    // Stable: of equal growth the greater consumer comes first.
    if (by === "growth") rows.sort((a, b) => growthOf(b) - growthOf(a));
    return {
      sort,
      by,
      yesterday: hour === undefined ? null : { from: new Date(hour.fromMs).toISOString(), to: new Date(hour.toMs).toISOString() },
      consumers: rows.slice(0, limit).map(({ container, value, tick, place, since }, index) => ({
        container_id: container.id,
        name: container.name,
        agent_id: container.agentId,
        value,
        percent:
          sort === "cpu"
            ? percent(tick.columns.cpuPercent[place])
            : shareInPercent(tick.columns.memoryBytes[place], tick.columns.memoryLimitBytes[place]),
        rank: index + 1,
        since_yesterday: since,
      })),
    };
  };
}

function consumersOf(tick: Tick, sort: Top["sort"], present: TopParts["present"]): Consumer[] {
  return tick.ids.flatMap((id, place) => {
    const value = sort === "cpu" ? cores(tick.columns.cpuCoresUsed[place]) : whole(tick.columns.memoryBytes[place]);
    const container = present.get(id);
    return value === null || container === undefined || !usesResources(container.state) ? [] : [{ container, value, tick, place }];
  });
}

function sinceYesterday(consumer: Consumer, sort: Top["sort"], { toMs, meansOf }: PastHour): SinceYesterday {
  const { container, value } = consumer;
  const means = meansOf(container.id);
  const then = sort === "cpu" ? coresThen(consumer, means?.cpuPercent) : whole(means?.memoryBytes);
  if (then !== null) return { state: "measured", value: then, ...changeOf(then, value) };
  const isNew = container.firstSeenAt.getTime() >= toMs && container.createdAt !== null && container.createdAt.getTime() >= toMs;
  return { state: isNew ? "new" : "unknown", value: null, change: null, change_percent: null };
}

/** Shares of the allocated CPUs are kept; how many CPUs that is follows from the figures of now. */
function coresThen({ value, tick, place }: Consumer, percentThen = Number.NaN): number | null {
  if (percentThen === 0) return 0;
  const allocated = (value / (tick.columns.cpuPercent[place] || Number.NaN)) * 100;
  return cores((percentThen / 100) * allocated);
}

/** All that a new container uses has come since. */
function growthOf({ value, since }: { value: number; since: SinceYesterday | null }): number {
  if (since?.state === "new") return value;
  return since?.change ?? -Number.MAX_VALUE;
}

/** Means of one hour, of one container; NaN where nothing was measured. */
interface HourMeans {
  cpuPercent: number;
  memoryBytes: number;
}

/** The hour of the clock (UTC) that holds the moment 24 hours ago. */
interface PastHour {
  fromMs: number;
  toMs: number;
  /** undefined: not measured in it. */
  meansOf(id: number): HourMeans | undefined;
}

/** What containers used at this time yesterday. Throws `storage_unavailable`. */
type Yesterday = (containers: readonly Pick<SavedContainer, "id" | "firstSeenAt">[]) => Promise<PastHour>;

/** Reads each container once an hour, when somebody asks, since the hour is long over: rollups of it are kept in memory until the next. */
export function createYesterday({ series, clock }: { series: Pick<SeriesStore, "readEach">; clock: Clock }): Yesterday {
  let hour = { fromMs: Number.NaN, means: new Map<number, HourMeans>() };
  let turn: Promise<void> = Promise.resolve();

  async function fill({ fromMs, means }: typeof hour, ids: readonly number[]): Promise<void> {
    const missing = ids.filter((id) => !means.has(id));
    const read = await series.readEach({ ids: missing, fromMs, toMs: fromMs + HOUR_MS, stepMs: HOUR_MS });
    for (const [id, figures] of read)
      means.set(id, { cpuPercent: meanIn(figures, "cpu_percent"), memoryBytes: meanIn(figures, "memory_bytes") });
  }

  return async (containers) => {
    const fromMs = Math.floor((clock.now().getTime() - DAY_MS) / HOUR_MS) * HOUR_MS;
    const toMs = fromMs + HOUR_MS;
    if (hour.fromMs !== fromMs) hour = { fromMs, means: new Map() };
    const asked = hour;
    const ids = containers.filter(({ firstSeenAt }) => firstSeenAt.getTime() < toMs).map(({ id }) => id);
    // One after the other: a question that comes meanwhile finds what was read for the one before.
    const mine = turn.then(() => fill(asked, ids));
    turn = mine.catch(() => undefined);
    await mine;
    return { fromMs, toMs, meansOf: (id) => asked.means.get(id) };
  };
}

function meanIn(figures: readonly SeriesFigures[], column: KeptColumn): number {
  return figures[COLUMN[column]]?.mean[0] ?? Number.NaN;
}
