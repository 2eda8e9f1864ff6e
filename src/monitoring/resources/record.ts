import type { Observation } from "../../observations.ts";
import type { Containers } from "../containers/index.ts";
import { seriesTick } from "./family.ts";
import type { SeriesStore } from "./store.ts";
import { readTick } from "./tick.ts";

/**
 * The replay door: what containers used while their host could not reach us is added to their series, and nothing else. It is made without
 * the bus and without the current state, so a replay cannot tell anybody anything.
 */
export interface Recorder {
  record(agentId: string | null, observation: Observation): Promise<void>;
}

export function createRecorder({ series, containers }: { series: SeriesStore; containers: Pick<Containers, "idsOf"> }): Recorder {
  return {
    async record(agentId, observation) {
      if (observation.kind !== "resources.sampled") return;
      const { readings, observedAt } = observation;
      const ids = await containers.idsOf(agentId, readings.externalIds);
      const idsOfAll = readings.externalIds.map((externalId) => ids.get(externalId));
      await series.append(seriesTick(readTick(readings, observedAt.getTime(), idsOfAll)));
    },
  };
}
