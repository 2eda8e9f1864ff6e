import type { Event } from "../../events.ts";
import type { Observation } from "../../observations.ts";
import type { Bus } from "../../platform/bus.ts";
import type { PresentContainers } from "../containers/index.ts";
import type { Current } from "./current.ts";
import type { Overview } from "./overview.ts";
import type { SeriesStore } from "./store.ts";
import type { ThresholdWatch } from "./thresholds.ts";
import { readTick, type Tick, seriesTick } from "./snapshot.ts";

type SnapshotEvent = Event<"resource.snapshot">["data"];

/** The live door: keeps what hosts and containers use, and publishes it. */
export interface ResourceObserver {
  /** Saves what was measured, then publishes it. Throws `storage_unavailable`; idempotent. */
  observe(agentId: string | null, observations: readonly Observation[]): Promise<void>;
  /** Takes away the figures of hosts that have fallen silent, and publishes it. Answers in how many milliseconds the next one may be silent. */
  endSilent(now: Date): number;
  forgetHost(agentId: string): void;
}

export function createObserver({
  series,
  current,
  overview,
  thresholds,
  present,
  bus,
}: {
  series: SeriesStore;
  current: Current;
  overview: Overview;
  thresholds: ThresholdWatch;
  present: PresentContainers;
  bus: Bus<Event>;
}): ResourceObserver {
  const lists = new Map<string | null, KnownList>();

  /** The ids of containers; undefined for who is not known, or ignored. Mostly they are those of the tick before, and nothing about any has changed. */
  function idsOf(agentId: string | null, externalIds: readonly string[]): KnownList["ids"] {
    const version = present.version();
    const known = lists.get(agentId);
    if (known?.version === version && isSame(externalIds, known.externalIds)) return known.ids;
    const ids = externalIds.map((externalId) => {
      const container = present.find(agentId, externalId);
      return container === undefined || container.settings.ignored ? undefined : container.id;
    });
    lists.set(agentId, { version, externalIds, ids });
    return ids;
  }

  /** What is late goes to the series alone. Answers the newest of the others: only that is shown and published, since it supersedes them. */
  async function takeLive(agentId: string | null, ticks: readonly Tick[]): Promise<Tick | undefined> {
    let newest: Tick | undefined;
    for (const tick of ticks) {
      if (!current.isNews(agentId, tick.atMs)) continue;
      await thresholds.take(tick);
      current.setTick(agentId, tick);
      newest = tick;
    }
    return newest;
  }

  function show(agentId: string | null, tick: Tick): void {
    present.setResources(agentId, (id) => overview.row(tick, id));
    bus.publish({ type: "resource.snapshot", data: new SnapshotOnDemand(overview, agentId, tick) });
  }

  /** For a host of whose containers nothing is known. */
  function publishHostAlone(agentId: string | null, at: Date): void {
    bus.publish({
      type: "resource.snapshot",
      data: { agent_id: agentId, host: overview.host(agentId), snapshots: [], timestamp: at.toISOString() },
    });
  }

  return {
    async observe(agentId, observations) {
      const ticks: Tick[] = [];
      let sampledAt: Date | undefined;
      for (const each of observations) {
        if (each.kind === "host.sampled") {
          current.setHost(agentId, each.host, each.observedAt);
          sampledAt = each.observedAt;
        }
        if (each.kind === "resources.sampled") {
          const before = ticks.at(-1) ?? current.tick(agentId);
          ticks.push(readTick(each.readings, each.observedAt.getTime(), idsOf(agentId, each.readings.externalIds), before));
        }
      }
      await Promise.all(ticks.map((tick) => series.append(seriesTick(tick))));
      const newest = await takeLive(agentId, ticks);
      if (newest !== undefined) show(agentId, newest);
      else if (sampledAt !== undefined && current.tick(agentId) === undefined) publishHostAlone(agentId, sampledAt);
    },
    endSilent(now) {
      for (const agentId of current.forgetSilent()) {
        present.setResources(agentId, undefined);
        lists.delete(agentId);
        publishHostAlone(agentId, now);
      }
      return current.nextSilentMs();
    },
    forgetHost(agentId) {
      current.forget(agentId);
      present.setResources(agentId, undefined);
      lists.delete(agentId);
    },
  };
}

/** The containers of a tick, while nothing about any of them changes. */
interface KnownList {
  version: number;
  externalIds: readonly string[];
  ids: readonly (number | undefined)[];
}

function isSame(texts: readonly string[], others: readonly string[]): boolean {
  return texts === others || (texts.length === others.length && texts.every((text, place) => text === others[place]));
}

/**
 * Made only when somebody reads it: mostly nobody does. A class, since each object literal with getters gets its own hidden class, which keeps
 * the tick in memory until the next full collection.
 */
class SnapshotOnDemand implements SnapshotEvent {
  readonly agent_id: string | null;
  readonly timestamp: string;
  readonly #overview: Overview;
  readonly #tick: Tick;
  #host: SnapshotEvent["host"] | undefined;
  #snapshots: SnapshotEvent["snapshots"] | undefined;

  constructor(overview: Overview, agentId: string | null, tick: Tick) {
    this.agent_id = agentId;
    this.timestamp = tick.timestamp;
    this.#overview = overview;
    this.#tick = tick;
  }

  get host(): SnapshotEvent["host"] {
    return (this.#host ??= this.#overview.host(this.agent_id));
  }

  get snapshots(): SnapshotEvent["snapshots"] {
    return (this.#snapshots ??= this.#overview.snapshots(this.#tick));
  }

  toJSON(): SnapshotEvent {
    const { agent_id, host, snapshots, timestamp } = this;
    return { agent_id, host, snapshots, timestamp };
  }
}
