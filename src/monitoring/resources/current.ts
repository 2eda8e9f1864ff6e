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
  /** Hosts that were ever heard of. */
  hosts(): Iterable<string | null>;
  /** Forgets what containers of silent hosts use; answers which hosts have just become so. */
  forgetSilent(): (string | null)[];
  /** In how many milliseconds the next host is silent if it stays so; Infinity when none is heard of. */
  nextSilentMs(): number;
  forget(agentId: string): void;
}

interface Heard<Said> {
  said: Said;
  atMs: number;
  heardMs: number;
}

export function createCurrent({ clock, sparklines }: { clock: Clock; sparklines: Pick<Sparklines, "add"> }): Current {
  const ticks = new Map<string | null, Heard<Tick>>();
  const hosts = new Map<string | null, Heard<HostReading>>();
  const isFresh = ({ heardMs }: Heard<unknown>): boolean => clock.monotonicMs() - heardMs <= HOST_STALE_MS;
  const fresh = <Said>(heard: Heard<Said> | undefined): Heard<Said> | undefined =>
    heard !== undefined && isFresh(heard) ? heard : undefined;

  return {
    isNews: (agentId, atMs) => atMs > (fresh(ticks.get(agentId))?.atMs ?? -Infinity),
    setTick(agentId, tick) {
      ticks.set(agentId, { said: tick, atMs: tick.atMs, heardMs: clock.monotonicMs() });
      sparklines.add(tick);
    },
    setHost(agentId, reading, at) {
      if (at.getTime() < (fresh(hosts.get(agentId))?.atMs ?? -Infinity)) return;
      hosts.set(agentId, { said: reading, atMs: at.getTime(), heardMs: clock.monotonicMs() });
    },
    tick: (agentId) => fresh(ticks.get(agentId))?.said,
    host(agentId) {
      const heard = hosts.get(agentId);
      return heard === undefined ? undefined : { reading: heard.said, at: new Date(heard.atMs), available: isFresh(heard) };
    },
    hosts: () => hosts.keys(),
    forgetSilent() {
      const silent = [...ticks].filter(([, heard]) => !isFresh(heard)).map(([agentId]) => agentId);
      for (const agentId of silent) ticks.delete(agentId);
      return silent;
    },
    nextSilentMs() {
      const heardMs = [...ticks.values()].map((heard) => heard.heardMs);
      // A host is fresh up to that very moment.
      return Math.min(...heardMs) + HOST_STALE_MS + 1 - clock.monotonicMs();
    },
    forget(agentId) {
      ticks.delete(agentId);
      hosts.delete(agentId);
    },
  };
}
