import type { Observation } from "../../observations.ts";
import { toCheck } from "./checks/head.ts";
import { applyCheck, isChecked, repeats } from "./endpoint.ts";
import type { Projection } from "./projection.ts";

/** Answers whether an observation is a check that shows what is known of its endpoint, and so may be saved later. */
export function createCanWait({ find }: Pick<Projection, "find">): (agentId: string | null, observation: Observation) => boolean {
  return (agentId, observation) => {
    if (observation.kind !== "endpoint.checked" || !observation.result.observed) return false;
    const endpoint = find(agentId, observation.key);
    if (endpoint === undefined || !isChecked(endpoint)) return false;
    const { state, check: thresholds } = endpoint;
    const { result, observedAt } = observation;
    return repeats(state, applyCheck(state, toCheck(result, observedAt), thresholds, result.certificate).next);
  };
}
