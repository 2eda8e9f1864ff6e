import type { HostData } from "../monitoring/hosts/index.ts";
import type { Observer } from "../monitoring/intake.ts";
import type { Observation } from "../observations.ts";
import type { Clock } from "../platform/clock.ts";
import type { ObservedHosts } from "../publishing/status/index.ts";

/** Each says that the runtime was reachable and its containers were seen; the first comes every ten seconds. */
const OBSERVED: ReadonlySet<Observation["kind"]> = new Set(["host.watched", "container.inventory"]);

/** When the containers of each host were last observed since the start. */
export function createObservedHosts(clock: Clock): ObservedHosts & Observer & HostData {
  /** On a clock that only rises. */
  const observedMs = new Map<string | null, number>();
  return {
    lastObservedAt(agentId) {
      const seenMs = observedMs.get(agentId);
      return seenMs === undefined ? null : new Date(clock.now().getTime() - (clock.monotonicMs() - seenMs));
    },
    async observe(agentId, observations) {
      if (observations.some(({ kind }) => OBSERVED.has(kind))) observedMs.set(agentId, clock.monotonicMs());
    },
    // It is kept in memory alone.
    purgeHost: async () => undefined,
    forgetHost: (agentId) => void observedMs.delete(agentId),
  };
}
