import type { Observation } from "../../observations.ts";
import type { Serial } from "../../platform/serial.ts";
import { toCheck } from "./checks/check.ts";
import { longestMs } from "./endpoint.ts";
import type { Past } from "./past.ts";
import { ONE_BY_ONE } from "./register.ts";
import type { EndpointStore } from "./store.ts";

/**
 * The replay door: what checks showed while their host could not reach us is added to the history, and nothing else. It is made without
 * the bus and without the current state, so a replay can neither change a status nor tell anybody anything.
 */
export interface Recorder {
  record(agentId: string | null, observation: Observation): Promise<void>;
}

export function createRecorder({
  store,
  past,
  serial,
}: {
  store: Pick<EndpointStore, "findLabelled">;
  past: Past;
  serial: Serial;
}): Recorder {
  return {
    async record(agentId, observation) {
      if (observation.kind !== "endpoint.checked") return;
      const [externalId = "", labelKey = ""] = splitKey(observation.key);
      const found = await store.findLabelled(agentId, externalId, labelKey);
      if (found === undefined) return;
      const { id, check } = found.endpoint;
      const replayed = { ...toCheck(observation.result, observation.observedAt), replayed: true };
      await serial(ONE_BY_ONE, () => past.add(id, [replayed], longestMs(check)));
    },
  };
}

/** Of {@link labelEndpointKey}: external ids have no slash. */
function splitKey(key: string): string[] {
  const slash = key.indexOf("/");
  return [key.slice(0, slash), key.slice(slash + 1)];
}
