import { HOST_STALE_MS } from "../../contract/thresholds.ts";
import type { HostReading } from "../../observations.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Sparklines } from "./sparkline.ts";
import type { Tick, HostSample } from "./snapshot.ts";

/** The latest of each host, in memory; and what makes up the last hour. */
export interface Current {
  /** Whether a tick is newer than what is known. Of a silent host every one is: its clock may have been set back. */
  isNews(agentId: string | null, atMs: number): boolean;
  setTick(agentId: string | null, tick: Tick): void;
  /** Keeps a sample that is not older than what is known. */
  setHost(agentId: string | null, reading: HostReading, at: Date): void;
  /** undefined while the host is silent. */
  tick(agentId: string | null): Tick | undefined;
  /** The last sample, however old. */
  host(agentId: string | null): HostSample | undefined;
  /** Hosts that reported at least once. */
  hosts(): Iterable<string | null>;
  /** Forgets what containers of silent hosts use; answers which hosts have just become so. */
  forgetSilent(): (string | null)[];
  /** In how many milliseconds the next host is silent if it stays so; Infinity when none reports. */
  nextSilentMs(): number;
  forget(agentId: string): void;
}

interface Received<Value> {
  value: Value;
  atMs: number;
  receivedMs: number;
}

export function createCurrent({ clock, sparklines }: { clock: Clock; sparklines: Pick<Sparklines, "add"> }): Current {
  const ticks = new Map<string | null, Received<Tick>>();
  const hosts = new Map<string | null, Received<HostReading>>();
  const isFresh = ({ receivedMs }: Received<unknown>): boolean => clock.monotonicMs() - receivedMs <= HOST_STALE_MS;
  const fresh = <Value>(received: Received<Value> | undefined): Received<Value> | undefined =>
    received !== undefined && isFresh(received) ? received : undefined;

  return {
    isNews: (agentId, atMs) => atMs > (fresh(ticks.get(agentId))?.atMs ?? -Infinity),
    setTick(agentId, tick) {
      ticks.set(agentId, { value: tick, atMs: tick.atMs, receivedMs: clock.monotonicMs() });
      sparklines.add(tick);
    },
    setHost(agentId, reading, at) {
      if (at.getTime() < (fresh(hosts.get(agentId))?.atMs ?? -Infinity)) return;
      hosts.set(agentId, { value: reading, atMs: at.getTime(), receivedMs: clock.monotonicMs() });
    },
    tick: (agentId) => fresh(ticks.get(agentId))?.value,
    host(agentId) {
      const received = hosts.get(agentId);
      return received === undefined ? undefined : { reading: received.value, at: new Date(received.atMs), available: isFresh(received) };
    },
    hosts: () => hosts.keys(),
    forgetSilent() {
      const silent = [...ticks].filter(([, received]) => !isFresh(received)).map(([agentId]) => agentId);
      for (const agentId of silent) ticks.delete(agentId);
      return silent;
    },
    nextSilentMs() {
      const receivedMs = [...ticks.values()].map((received) => received.receivedMs);
      // A host is fresh up to that very moment.
      return Math.min(...receivedMs) + HOST_STALE_MS + 1 - clock.monotonicMs();
    },
    forget(agentId) {
      ticks.delete(agentId);
      hosts.delete(agentId);
    },
  };
}
