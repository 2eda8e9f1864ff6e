import type { Event } from "../../events.ts";
import type { RuntimeConnection } from "../../observations.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";

/** How far the clock of an agent's host is ahead of ours; 0 while that is not known. */
export type ClockOffset = (agentId: string) => number;

/** What time it is on each host, and for how long the host has been watched. */
export interface HostTimes {
  /** What its clock shows now. */
  nowOf(agentId: string | null): Date;
  /** For how long its runtime has been connected without a gap, at most since this program started; null while it is not. */
  watchedMs(agentId: string | null): number | null;
  /** Takes what a host reports of its runtime. */
  note(agentId: string | null, connection: Pick<RuntimeConnection, "connected">): void;
  start(): void;
}

export function createHostTimes({ bus, clock, clockOffsetMs }: { bus: Bus<Event>; clock: Clock; clockOffsetMs: ClockOffset }): HostTimes {
  /** By host, on a clock that only rises. */
  const connectedMs = new Map<string | null, number>();

  /** A new stream of an agent reports its runtime again. */
  function onEvent({ type, data }: Event): void {
    if (type === "agent.disconnected" || type === "agent.revoked" || type === "agent.deleted") connectedMs.delete(data.id);
  }

  return {
    nowOf(agentId) {
      const now = clock.now();
      return agentId === null ? now : new Date(now.getTime() + clockOffsetMs(agentId));
    },
    watchedMs(agentId) {
      const sinceMs = connectedMs.get(agentId);
      return sinceMs === undefined ? null : clock.monotonicMs() - sinceMs;
    },
    note(agentId, { connected }) {
      if (!connected) connectedMs.delete(agentId);
      else if (!connectedMs.has(agentId)) connectedMs.set(agentId, clock.monotonicMs());
    },
    start: () => void bus.subscribe("watched hosts", onEvent),
  };
}
