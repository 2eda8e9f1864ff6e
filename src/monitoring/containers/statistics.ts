import { DAY_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import type { ContainerDetail, DailyUptime } from "./api.ts";
import type { History, HistoryStore } from "./history/store.ts";
import type { Projection } from "./projection.ts";
import { mayMove } from "./identity.ts";
import type { GenerationStore } from "./generations/store.ts";
import type { SavedContainer } from "./rows.ts";
import { countIncidents, type Span, type UptimeInput, uptimePercent } from "./uptime.ts";
import { spansWhereItWas } from "./watched/spans.ts";

/** Containers judged before the event loop gets its turn. */
const CHUNK = 100;

/** How long containers were up, from their histories and the times at which their hosts were watched. */
export interface Statistics {
  uptime(container: SavedContainer): Promise<ContainerDetail["uptime"]>;
  /** Newest day first; days are UTC. */
  daily(container: SavedContainer, days: number): Promise<DailyUptime>;
  /** Brings the 24-hour figure of every present container up to now. */
  refresh24h(): Promise<void>;
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
    return toInput(container, histories.get(container.id), watchedOf(container, watched, stays));
  }

  /** Where containers were before; empty for all that cannot move. */
  function staysOf(containers: readonly SavedContainer[], since: Date): ReturnType<GenerationStore["stays"]> {
    return generations.stays(
      containers.filter((each) => each.generation > 1 && mayMove(each)).map(({ id }) => id),
      since,
    );
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
      const input = await inputOf(container, new Date(today - (days - 1) * DAY_MS));
      return {
        days: Array.from({ length: days }, (_, index) => {
          const from = today - index * DAY_MS;
          const day = { from, to: Math.min(from + DAY_MS, now) };
          return {
            date: new Date(from).toISOString().slice(0, 10),
            uptime_percent: uptimePercent(input, day),
            incidents: countIncidents(input, day),
          };
        }),
      };
    },

    async refresh24h() {
      const now = clock.now().getTime();
      const window = { from: now - DAY_MS, to: now };
      const since = new Date(window.from);
      const watched = await history.watched(since);
      const present = [...projection.all()];
      for (let from = 0; from < present.length; from += CHUNK) {
        const chunk = present.slice(from, from + CHUNK);
        const histories = await history.histories(
          since,
          chunk.map(({ id }) => id),
        );
        const stays = await staysOf(chunk, since);
        for (const container of chunk) {
          const input = toInput(container, histories.get(container.id), watchedOf(container, watched, stays));
          projection.setUptime24h(container.id, uptimePercent(input, window));
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

type ByHost = Awaited<ReturnType<HistoryStore["watched"]>>;

function watchedOf(
  { id, agentId }: SavedContainer,
  watched: ByHost,
  stays: Awaited<ReturnType<GenerationStore["stays"]>>,
): readonly Span[] {
  return spansWhereItWas(watched, { agentId, stays: stays.get(id) ?? [] });
}

/** A container without changes in that time was all along what it is now. */
function toInput(container: SavedContainer, past: History | undefined, watched: readonly Span[]): UptimeInput {
  return {
    before: past === undefined ? container : past.before,
    changes: past?.changes ?? [],
    watched,
    archivedAt: container.archivedAt?.getTime() ?? null,
  };
}
