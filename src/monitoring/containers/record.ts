import type { Observation } from "../../observations.ts";
import { applySighting } from "./sightings.ts";
import type { ReplayedStep, ReplayStore } from "./replay-store.ts";
import type { ContainerStore } from "./store.ts";
import { MAX_SNIPPET_LENGTH, spansOf } from "./uptime.ts";

/**
 * The replay door: what a host saw while it could not reach us is added to the history, and nothing else. It is made without
 * the bus and without the current state, so a replay can neither notify anybody nor overwrite what is known.
 */
export interface Recorder {
  /** Throws `storage_unavailable`; idempotent. */
  record(agentId: string | null, observations: readonly Observation[]): Promise<void>;
}

/** Saved in one unit: small enough not to hold up what is live. */
const AT_ONCE = 50;

export function createRecorder({ store, replay }: { store: Pick<ContainerStore, "addWatched">; replay: ReplayStore }): Recorder {
  async function saveSteps(agentId: string | null, observations: readonly Observation[]): Promise<void> {
    const steps = observations.flatMap((each) => stepOf(agentId, each));
    for (let from = 0; from < steps.length; from += AT_ONCE) await replay.save(agentId, steps.slice(from, from + AT_ONCE));
  }

  return {
    async record(agentId, observations) {
      const spans = spansOf(agentId, observations);
      // Together, so that they share a commit.
      const watched = spans.length === 0 ? undefined : store.addWatched(agentId, spans);
      await Promise.all([saveSteps(agentId, observations), watched]);
    },
  };
}

function stepOf(agentId: string | null, observation: Observation): ReplayedStep[] {
  const { observedAt: at } = observation;
  switch (observation.kind) {
    case "container.seen": {
      const { container: sighting } = observation;
      const decision = applySighting(undefined, { sighting, observedAt: at, source: "news", agentId });
      const [transition] = decision?.transitions ?? [];
      if (decision === undefined || transition === undefined) return [];
      return [{ what: "seen", externalId: sighting.externalId, at, container: decision.next, transition }];
    }
    case "container.gone":
      return [{ what: "gone", externalId: observation.externalId, at }];
    case "container.last_words": {
      const snippet = observation.snippet.slice(-MAX_SNIPPET_LENGTH);
      return [{ what: "last_words", externalId: observation.externalId, at: observation.endedAt, snippet }];
    }
    default:
      return [];
  }
}
