import type { Event } from "../../events.ts";
import type { Observation } from "../../observations.ts";
import type { Bus } from "../../platform/bus.ts";
import type { PresentContainers } from "../containers/index.ts";
import type { Current } from "./current.ts";
import { seriesTick } from "./family.ts";
import type { Overview } from "./overview.ts";
import type { SeriesStore } from "./store.ts";
import type { ThresholdWatch } from "./thresholds.ts";
import { readTick, type Tick } from "./tick.ts";

/** The live door: keeps what hosts and containers use, and tells of it. */
export interface ResourceObserver {
  /** Saves what was measured, then publishes it. Throws `storage_unavailable`; saying the same again is harmless. */
  observe(agentId: string | null, observations: readonly Observation[]): Promise<void>;
  /** Takes away the figures of hosts that have fallen silent, and tells of it. */
  endSilent(now: Date): void;
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
  function idIn(agentId: string | null): (externalId: string) => number | undefined {
    return (externalId) => {
      const container = present.find(agentId, externalId);
      return container === undefined || container.settings.ignored ? undefined : container.id;
    };
  }

  /** What is late goes to the series alone. Answers the newest of the others: only that is shown and told, since it supersedes them. */
  async function takeLive(agentId: string | null, ticks: readonly Tick[]): Promise<Tick | undefined> {
    let newest: Tick | undefined;
    for (const tick of ticks) {
      if (!current.isNews(agentId, tick.atMs)) continue;
      await thresholds.take(agentId, tick);
      current.setTick(agentId, tick);
      newest = tick;
    }
    return newest;
  }

  function show(agentId: string | null, tick: Tick): void {
    present.setResources(agentId, (id) => overview.row(tick, id));
    bus.publish({ type: "resource.snapshot", data: snapshotData(agentId, tick) });
  }

  /** For a host of whose containers nothing is known. */
  function tellHostAlone(agentId: string | null, at: Date): void {
    bus.publish({
      type: "resource.snapshot",
      data: { agent_id: agentId, host: overview.host(agentId), snapshots: [], timestamp: at.toISOString() },
    });
  }

  /** Made only when somebody reads it: mostly nobody does. */
  function snapshotData(agentId: string | null, tick: Tick): Event<"resource.snapshot">["data"] {
    const host = once(() => overview.host(agentId));
    const snapshots = once(() => overview.snapshots(tick));
    return {
      agent_id: agentId,
      get host() {
        return host();
      },
      get snapshots() {
        return snapshots();
      },
      timestamp: tick.timestamp,
    };
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
          ticks.push(readTick(each.readings, each.observedAt.getTime(), idIn(agentId), before));
        }
      }
      await Promise.all(ticks.map((tick) => series.append(seriesTick(tick))));
      const newest = await takeLive(agentId, ticks);
      if (newest !== undefined) show(agentId, newest);
      else if (sampledAt !== undefined && current.tick(agentId) === undefined) tellHostAlone(agentId, sampledAt);
    },
    endSilent(now) {
      for (const agentId of current.forgetSilent()) {
        present.setResources(agentId, undefined);
        tellHostAlone(agentId, now);
      }
    },
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
