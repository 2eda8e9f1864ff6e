import type { Event } from "../events.ts";
import type { HostData } from "../monitoring/hosts/index.ts";
import type { Observer } from "../monitoring/intake.ts";
import type { RuntimeConnection } from "../observations.ts";
import type { Bus } from "../platform/bus.ts";
import type { Clock, Timer } from "../platform/clock.ts";

/** An engine that restarts is away for seconds. */
const LOST_AFTER_MS = 30_000;

/** Tells when the runtime of a host was reached or lost, and when one that should be there has been lost for a while. */
export interface RuntimeWatch extends Observer, HostData {
  /** Of the local host; those of others arrive as observations. */
  note(status: RuntimeConnection): void;
  /** The events that tell of every runtime that is lost now. */
  announce(): Event[];
  stop(): void;
}

interface Watched {
  /** The local one may never have been there: that is a question of how it is set up, and told elsewhere. */
  wasReached: boolean;
  told: string | undefined;
  timer: Timer | undefined;
  lost: Event<"runtime.lost"> | undefined;
}

export function createRuntimeWatch({ bus, clock }: { bus: Bus<Event>; clock: Clock }): RuntimeWatch {
  const hosts = new Map<string | null, Watched>();

  function watchedOf(agentId: string | null): Watched {
    const known = hosts.get(agentId);
    if (known !== undefined) return known;
    const made: Watched = { wasReached: agentId !== null, told: undefined, timer: undefined, lost: undefined };
    hosts.set(agentId, made);
    return made;
  }

  function lostEvent(agentId: string | null, { runtime, error, since }: RuntimeConnection, lost: boolean): Event<"runtime.lost"> {
    const data = { agent_id: agentId, runtime, lost, error, since: since.toISOString(), timestamp: clock.now().toISOString() };
    return { type: "runtime.lost", data };
  }

  /** When it was reached or lost, or is lost for another reason. */
  function tell(agentId: string | null, watched: Watched, { runtime, connected, error }: RuntimeConnection): void {
    if (watched.told === `${connected} ${error}`) return;
    watched.told = `${connected} ${error}`;
    bus.publish({
      type: "runtime.status_changed",
      data: { agent_id: agentId, runtime, connected, error, timestamp: clock.now().toISOString() },
    });
  }

  function forgetHost(agentId: string): void {
    hosts.get(agentId)?.timer?.cancel();
    hosts.delete(agentId);
  }

  // Of a host that was shut out nothing is expected any more.
  const unsubscribe = bus.subscribe("runtime watch", ({ type, data }) => {
    if (type === "agent.revoked") forgetHost(data.id);
  });

  function note(agentId: string | null, status: RuntimeConnection): void {
    const watched = watchedOf(agentId);
    tell(agentId, watched, status);
    if (status.connected) {
      watched.wasReached = true;
      watched.timer?.cancel();
      watched.timer = undefined;
      if (watched.lost !== undefined) bus.publish(lostEvent(agentId, status, false));
      watched.lost = undefined;
    } else if (watched.wasReached && watched.timer === undefined) {
      watched.timer = clock.after(LOST_AFTER_MS, () => {
        watched.lost = lostEvent(agentId, status, true);
        bus.publish(watched.lost);
      });
    }
  }

  return {
    note: (status) => note(null, status),
    async observe(agentId, observations) {
      for (const each of observations) if (each.kind === "runtime.changed") note(agentId, each.status);
    },
    announce: () => [...hosts.values()].flatMap(({ lost }) => lost ?? []),
    // It is kept in memory alone.
    purgeHost: async () => undefined,
    forgetHost,
    stop() {
      unsubscribe();
      for (const { timer } of hosts.values()) timer?.cancel();
    },
  };
}
