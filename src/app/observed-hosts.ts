import type { HostData } from "../monitoring/hosts/index.ts";
import type { Observer } from "../monitoring/intake.ts";
import type { Observation } from "../observations.ts";
import type { Clock } from "../platform/clock.ts";
import type { ObservedHosts } from "../publishing/status/index.ts";

/** Each says that the runtime was reachable and its containers were seen; the first comes every ten seconds. */
const OBSERVED: ReadonlySet<Observation["kind"]> = new Set(["host.watched", "container.inventory"]);

/** When each host was last observed since the start. */
export function createObservedHosts(clock: Clock): ObservedHosts & Observer & HostData {
  /** On a clock that only rises. */
  const observedMs = new Map<string | null, number>();
  const reportedMs = new Map<string, number>();
  const timeOf = (ms: number | undefined): Date | null =>
    ms === undefined ? null : new Date(clock.now().getTime() - (clock.monotonicMs() - ms));
  return {
    lastObservedAt: (agentId) => timeOf(observedMs.get(agentId)),
    lastReportedAt: (agentId) => (agentId === null ? clock.now() : timeOf(reportedMs.get(agentId))),
    async observe(agentId, observations) {
      if (agentId !== null) reportedMs.set(agentId, clock.monotonicMs());
      if (observations.some(({ kind }) => OBSERVED.has(kind))) observedMs.set(agentId, clock.monotonicMs());
    },
    // It is kept in memory alone.
    purgeHost: async () => undefined,
    forgetHost(agentId) {
      observedMs.delete(agentId);
      reportedMs.delete(agentId);
    },
  };
}
