import type { Observation } from "../../observations.ts";
import { applySighting } from "./container.ts";
import type { ContainerStore } from "./store.ts";

/**
 * The replay door: what a host saw while it could not reach us is added to the history, and nothing else. It is made without
 * the bus and without the current state, so a replay cannot tell anybody anything nor overwrite what is known.
 */
export interface Recorder {
  record(agentId: string | null, observation: Observation): Promise<void>;
}

export function createRecorder({ store }: { store: ContainerStore }): Recorder {
  return {
    async record(agentId, observation) {
      if (observation.kind === "host.watched")
        return store.saveWatched(agentId, { from: observation.since.getTime(), to: observation.observedAt.getTime() });
      if (observation.kind !== "container.seen") return;
      const decision = applySighting(undefined, {
        sighting: observation.container,
        observedAt: observation.observedAt,
        source: "news",
        agentId,
      });
      const [transition] = decision?.transitions ?? [];
      if (decision === undefined || transition === undefined) return;
      await store.saveReplayed(decision.next, transition);
    },
  };
}
