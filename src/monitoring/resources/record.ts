import type { Observation } from "../../observations.ts";
import type { Containers } from "../containers/index.ts";
import type { SeriesStore } from "./store.ts";
import { readTick, type Tick, seriesTick } from "./snapshot.ts";

/**
 * The replay door: what containers used while their host could not reach us is added to their series, and nothing else. It is made without
 * the bus and without the current state, so a replay cannot notify anybody.
 */
export interface Recorder {
  /** What containers used that are not known, or ignored, is left out. Throws `storage_unavailable`; idempotent. */
  record(agentId: string | null, observations: readonly Observation[]): Promise<void>;
}

export function createRecorder({
  series,
  containers,
}: {
  series: Pick<SeriesStore, "appendAll">;
  containers: Pick<Containers, "idsOf">;
}): Recorder {
  return {
    async record(agentId, observations) {
      const ticks = observations.filter((each) => each.kind === "resources.sampled");
      if (ticks.length === 0) return;
      // Ticks of a batch mostly share their list.
      const lists = new Set(ticks.map(({ readings }) => readings.externalIds));
      const ids = await containers.idsOf(agentId, [...new Set([...lists].flat())]);
      const idsOfAll = new Map([...lists].map((list) => [list, list.map((externalId) => ids.get(externalId))]));
      let before: Tick | undefined;
      await series.appendAll(
        ticks.map(({ readings, observedAt }) => {
          before = readTick(readings, observedAt.getTime(), idsOfAll.get(readings.externalIds) ?? [], before);
          return seriesTick(before);
        }),
      );
    },
  };
}
