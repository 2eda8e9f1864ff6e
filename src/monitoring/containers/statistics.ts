import type { StateSpan } from "../../contract/strip.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import type { ContainerDetail, DailyUptime } from "./answers.ts";
import type { HistoryStore } from "./history-store.ts";
import type { Projection } from "./projection.ts";
import { mayMove } from "./container.ts";
import type { GenerationStore } from "./generations-store.ts";
import type { SavedContainer } from "./rows.ts";
import {
  countIncidents,
  observedMs,
  type Span,
  stateSpans,
  type UptimeInput,
  unobservedSpans,
  uptimePercent,
  spansWhereItWas,
} from "./uptime.ts";

/** Containers judged before the event loop gets its turn. */
const CHUNK = 100;

/** A host reports every ten seconds, and a restart of ours takes a few: shorter gaps are not listed. */
const SHORTEST_GAP_MS = MINUTE_MS;
const MOST_GAPS = 1000;

/** How long containers were up, from their histories and the times at which their hosts were watched. */
export interface Statistics {
  uptime(container: SavedContainer): Promise<ContainerDetail["uptime"]>;
  /** Newest day first; days are UTC. */
  daily(container: SavedContainer, days: number): Promise<DailyUptime>;
  /** Brings the 24-hour figure of every present container up to now. */
  refresh24h(): Promise<void>;
  /** How present containers were during a stretch of time, as far as their hosts were watched. Those that are ignored are left out. */
  stateSpans(window: Span, agentId: string | null | undefined): Promise<Map<number, StateSpan[]>>;
}

export function createStatistics({
  history,
  generations,
  projection,
  clock,
}: {
  history: HistoryStore;
  generations: Pick<GenerationStore, "stays">;
  projection: Projection;
  clock: Clock;
}): Statistics {
  async function inputOf(container: SavedContainer, since: Date): Promise<UptimeInput> {
    const [histories, watched, stays] = await Promise.all([
      history.histories(since, [container.id]),
      history.watched(since),
      staysOf([container], since),
    ]);
    return toInput(container, { histories, watched, stays });
  }

  /** Where containers were before; empty for all that cannot move. */
  function staysOf(containers: readonly SavedContainer[], since: Date): ReturnType<GenerationStore["stays"]> {
    return generations.stays(
      containers.filter((each) => each.generation > 1 && mayMove(each)).map(({ id }) => id),
      since,
    );
  }

  /** The histories of containers since then, some at a time, so that the event loop gets its turn. */
  async function* inputsOf(containers: readonly SavedContainer[], since: Date): AsyncGenerator<[SavedContainer, UptimeInput]> {
    const watched = await history.watched(since);
    for (let from = 0; from < containers.length; from += CHUNK) {
      const chunk = containers.slice(from, from + CHUNK);
      const histories = await history.histories(
        since,
        chunk.map(({ id }) => id),
      );
      const stays = await staysOf(chunk, since);
      for (const container of chunk) yield [container, toInput(container, { histories, watched, stays })];
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  return {
    async uptime(container) {
      const now = clock.now().getTime();
      const input = await inputOf(container, new Date(now - 90 * DAY_MS));
      const last = (days: number): number | null => uptimePercent(input, { from: now - days * DAY_MS, to: now });
      return { "24h": last(1), "7d": last(7), "30d": last(30), "90d": last(90) };
    },

    async daily(container, days) {
      const now = clock.now().getTime();
      const today = now - (now % DAY_MS);
      const firstDay = today - (days - 1) * DAY_MS;
      const input = await inputOf(container, new Date(firstDay));
      return {
        days: Array.from({ length: days }, (_, index) => {
          const from = today - index * DAY_MS;
          const day = { from, to: Math.min(from + DAY_MS, now) };
          return {
            date: new Date(from).toISOString().slice(0, 10),
            uptime_percent: uptimePercent(input, day),
            observed_seconds: Math.round(observedMs(input, day) / SECOND_MS),
            incidents: countIncidents(input, day),
          };
        }),
        unobserved: gapRecords(unobservedSpans(input, { from: Math.max(firstDay, container.firstSeenAt.getTime()), to: now }), now),
      };
    },

    async refresh24h() {
      const now = clock.now().getTime();
      const window = { from: now - DAY_MS, to: now };
      for await (const [{ id }, input] of inputsOf([...projection.all()], new Date(window.from)))
        projection.setUptime24h(id, uptimePercent(input, window));
    },

    async stateSpans(window, agentId) {
      const isAsked = (container: SavedContainer): boolean =>
        !container.settings.ignored && container.archivedAt === null && (agentId === undefined || container.agentId === agentId);
      const spans = new Map<number, StateSpan[]>();
      for await (const [{ id }, input] of inputsOf([...projection.all()].filter(isAsked), new Date(window.from)))
        spans.set(id, stateSpans(input, window));
      return spans;
    },
  };
}

/** One that reaches up to now lasts. */
function gapRecords(spans: readonly Span[], now: number): DailyUptime["unobserved"] {
  return spans
    .filter(({ from, to }) => to - from >= SHORTEST_GAP_MS)
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, MOST_GAPS)
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, to }) => ({ from: new Date(from).toISOString(), to: to === now ? null : new Date(to).toISOString() }));
}

interface Past {
  histories: Awaited<ReturnType<HistoryStore["histories"]>>;
  watched: Awaited<ReturnType<HistoryStore["watched"]>>;
  stays: Awaited<ReturnType<GenerationStore["stays"]>>;
}

/** A container without changes in that time was all along what it is now. */
function toInput(container: SavedContainer, { histories, watched, stays }: Past): UptimeInput {
  const { id, agentId, archivedAt } = container;
  const history = histories.get(id);
  return {
    before: history === undefined ? container : history.before,
    changes: history?.changes ?? [],
    watched: spansWhereItWas(watched, { agentId, stays: stays.get(id) ?? [] }),
    archivedAt: archivedAt?.getTime() ?? null,
  };
}
