import type { Event } from "../events.ts";
import type { HostData } from "../monitoring/hosts/index.ts";
import type { Observer } from "../monitoring/intake.ts";
import type { RuntimeConnection } from "../observations.ts";
import type { Bus } from "../platform/bus.ts";
import type { Clock, Timer } from "../platform/clock.ts";
import { gapOfLoss, gapOfSilence, type RuntimeGap, type SeenContainer, stoppedIn } from "./runtime-gap.ts";

/** An engine that restarts is away for seconds, and its containers are back with it. */
const LOST_AFTER_MS = 30_000;

/** Publishes when the runtime of a host was reached or lost, and when it, or what stopped with it, has been away for a while. */
export interface RuntimeWatch extends Observer, HostData {
  note(agentId: string | null, status: RuntimeConnection): void;
  /** The events of every runtime that is lost now. */
  announce(): Event[];
  /** Whether a container ended with its engine: then that is what is alerted. */
  hasStopped(container: Pick<SeenContainer, "id" | "agentId"> | undefined): boolean;
  start(): void;
  stop(): void;
}

/** The times of a lost runtime, from its alert. */
export interface LostBefore {
  since: Date;
  backAt: Date | null;
}

export interface RuntimeWatchParts {
  bus: Bus<Event>;
  clock: Clock;
  present: { hosts(): Iterable<string | null>; ofHost(agentId: string | null): readonly SeenContainer[] };
  /** Whether a runtime was lost, or what it stopped did not run, before our start; asked when something comes from the host. */
  lostBefore(agentId: string | null): LostBefore | undefined;
}

interface Watched {
  /** The local one may never have been there: that is a question of its setup, and reported elsewhere. */
  wasReached: boolean;
  logged: string | undefined;
  status: RuntimeConnection | undefined;
  /** When it was last watched, by the clock of the host. */
  seenAt: Date | undefined;
  gap: RuntimeGap | undefined;
  /** What was known before our start is part of it. */
  restored: boolean;
  /** Until it is judged whether the gap is over. */
  timer: Timer | undefined;
  lost: Event<"runtime.lost"> | undefined;
}

export function createRuntimeWatch({ bus, clock, present, lostBefore }: RuntimeWatchParts): RuntimeWatch {
  const watches = new Map<string | null, Watched>();
  let unsubscribe: (() => void) | undefined;

  function watchedOf(agentId: string | null): Watched {
    const known = watches.get(agentId);
    if (known !== undefined) return known;
    const containers = present.ofHost(agentId);
    const made: Watched = {
      wasReached: agentId !== null || containers.length > 0,
      logged: undefined,
      status: undefined,
      seenAt: containers.length === 0 ? undefined : new Date(Math.max(...containers.map((each) => each.lastObservedAt.getTime()))),
      gap: undefined,
      restored: false,
      timer: undefined,
      lost: undefined,
    };
    watches.set(agentId, made);
    return made;
  }

  function restore(agentId: string | null, watched: Watched): void {
    if (watched.restored) return;
    watched.restored = true;
    const before = lostBefore(agentId);
    if (before !== undefined) watched.gap = { ...gapOfLoss(before.since), backAt: before.backAt };
  }

  function stoppedOf(agentId: string | null, { gap }: Watched): SeenContainer[] {
    return gap === undefined ? [] : stoppedIn(gap, present.ofHost(agentId));
  }

  /** Publishes that it was reached or lost, or is lost for another reason. */
  function publishStatus(agentId: string | null, watched: Watched, { runtime, connected, error }: RuntimeConnection): void {
    if (watched.logged === `${connected} ${error}`) return;
    watched.logged = `${connected} ${error}`;
    bus.publish({
      type: "runtime.status_changed",
      data: { agent_id: agentId, runtime, connected, error, timestamp: clock.now().toISOString() },
    });
  }

  /** Whether the runtime is lost, or has not got its containers back. */
  function judge(agentId: string | null, watched: Watched): void {
    const { status, gap, timer } = watched;
    if (status === undefined || timer !== undefined) return;
    const stopped = status.connected
      ? stoppedOf(agentId, watched)
          .map(({ name }) => name)
          .toSorted()
      : [];
    const lost = status.connected ? stopped.length > 0 : watched.wasReached;
    if (status.connected && !lost) watched.gap = undefined;
    const names = stopped.slice(0, MOST_NAMED);
    const published = watched.lost?.data;
    const isNamed = String(names) === String(published?.stopped ?? []) && stopped.length === (published?.stopped_count ?? 0);
    if (lost === (published !== undefined) && isNamed) return;
    const event: Event<"runtime.lost"> = {
      type: "runtime.lost",
      data: {
        ...{ agent_id: agentId, runtime: status.runtime, lost, error: status.error, stopped: names, stopped_count: stopped.length },
        since: (gap?.lostAt ?? status.since).toISOString(),
        back_at: gap?.backAt?.toISOString() ?? null,
        timestamp: clock.now().toISOString(),
      },
    };
    watched.lost = lost ? event : undefined;
    bus.publish(event);
  }

  /** Judged when the engine and its containers have had time to come back. */
  function judgeLater(agentId: string | null, watched: Watched): void {
    watched.timer ??= clock.after(LOST_AFTER_MS, () => {
      watched.timer = undefined;
      judge(agentId, watched);
    });
  }

  function note(agentId: string | null, status: RuntimeConnection): void {
    const watched = watchedOf(agentId);
    restore(agentId, watched);
    const { status: before, gap, seenAt } = watched;
    watched.status = status;
    if (!status.connected) {
      // What an earlier gap stopped belongs to it still.
      if (gap === undefined || (gap.backAt !== null && stoppedOf(agentId, watched).length === 0)) watched.gap = gapOfLoss(status.since);
      else watched.gap = { ...gap, backAt: null };
      publishStatus(agentId, watched, status);
      if (watched.lost === undefined) judgeLater(agentId, watched);
      return;
    }
    watched.wasReached = true;
    if (gap?.backAt === null) watched.gap = { ...gap, backAt: status.since };
    else if (seenAt !== undefined && status.since > (before?.since ?? seenAt) && stoppedOf(agentId, watched).length === 0) {
      watched.gap = gapOfSilence(seenAt, status.since);
      judgeLater(agentId, watched);
    }
    publishStatus(agentId, watched, status);
    // Who was lost before our start was not published as lost since.
    if (before === undefined && watched.lost === undefined && stoppedOf(agentId, watched).length === 0) bus.publish(over(agentId, status));
    judge(agentId, watched);
  }

  function over(agentId: string | null, { runtime, since }: RuntimeConnection): Event<"runtime.lost"> {
    const times = { since: since.toISOString(), back_at: since.toISOString(), timestamp: clock.now().toISOString() };
    return {
      type: "runtime.lost",
      data: { agent_id: agentId, runtime, lost: false, error: null, stopped: [], stopped_count: 0, ...times },
    };
  }

  function forgetHost(agentId: string): void {
    watches.get(agentId)?.timer?.cancel();
    watches.delete(agentId);
  }

  function onEvent({ type, data }: Event): void {
    // Of a host that was shut out nothing is expected any more.
    if (type === "agent.revoked") forgetHost(data.id);
    // With a new stream its runtime is reported again: it counts as unseen until then.
    const contact = type === "agent.disconnected" ? watches.get(data.id) : undefined;
    if (contact !== undefined) contact.logged = undefined;
    if (!STOPS_OR_STARTS.has(type) || !("agent_id" in data)) return;
    const watched = watches.get(data.agent_id);
    if (watched?.lost !== undefined) judge(data.agent_id, watched);
  }

  return {
    note,
    async observe(agentId, observations) {
      for (const each of observations) {
        if (each.kind === "runtime.changed") note(agentId, each.status);
        if (each.kind === "host.watched") watchedOf(agentId).seenAt = each.observedAt;
      }
    },
    announce: () => [...watches.values()].flatMap(({ lost }) => lost ?? []),
    hasStopped(container) {
      if (container === undefined) return false;
      const { id, agentId } = container;
      const watched = watchedOf(agentId);
      restore(agentId, watched);
      return stoppedOf(agentId, watched).some((stopped) => stopped.id === id);
    },
    // It is kept in memory alone.
    purgeHost: async () => undefined,
    forgetHost,
    start() {
      for (const agentId of present.hosts()) watchedOf(agentId);
      unsubscribe = bus.subscribe("runtime watch", onEvent);
    },
    stop() {
      unsubscribe?.();
      for (const { timer } of watches.values()) timer?.cancel();
    },
  };
}

/** Containers that an event names. */
const MOST_NAMED = 100;
/** Events of containers that a lost runtime may have stopped. */
const STOPS_OR_STARTS: ReadonlySet<Event["type"]> = new Set(["container.state_changed", "container.updated", "container.archived"]);
