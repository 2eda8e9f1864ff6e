import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import { downEvent } from "./changes.ts";
import { downInMs, isBeside, ownIdentity } from "./container.ts";
import type { HostTimes } from "./host-times.ts";
import type { Projection } from "./projection.ts";
import type { SavedContainer } from "./rows.ts";

/** After a change; what else changed by then is evaluated with it. At most half a second more passes until the common beat. */
const AFTER_CHANGE_MS = 500;
/** While a container will be down, in which the wall clock may be set, or while nobody knows whether another took its place. */
const EVALUATE_EVERY_MS = 1000;
/** After a start hosts show their containers first. */
const FIRST_EVALUATION_MS = 1000;

/** Publishes that a container has been down for a while, and that it is no longer. */
export interface DownWatch {
  /** Begins to evaluate. `successors` know whether another took the place of a container that ended. Before this nobody does, and no container is down. */
  start(successors: Successors): void;
  /** The events of those that are down now. */
  announce(): Event[];
  /** Whether one that was down is so no longer; undefined when it is not there. */
  isOver(id: number): boolean | undefined;
  /** Whether that it is down would be an alert. */
  isAlerted(container: Pick<SavedContainer, "settings">): boolean;
}

/** The next tasks of slots in swarms. */
export interface Successors {
  /** Whether the next task of its slot runs, on whichever host; undefined as long as that is not known yet. */
  isSuperseded(container: { agentId: string | null; labels: Readonly<Record<string, string>> }): boolean | undefined;
  /** Calls back when the answer may be another one. */
  onSuccession(listener: () => void): void;
}

export function createDownWatch({
  present,
  bus,
  nowOf,
  scheduler,
  afterMs,
}: {
  present: Pick<Projection, "all" | "get" | "ofHost" | "holder" | "onPut">;
  bus: Bus<Event>;
  nowOf: HostTimes["nowOf"];
  scheduler: Pick<Scheduler, "whenDue">;
  /** null: only containers whose label says how long. */
  afterMs: number | null;
}): DownWatch {
  let successors: Pick<Successors, "isSuperseded"> = { isSuperseded: () => undefined };
  /** Of whom it was published that they are down, with the start of the run that ended so. */
  const published = new Map<number, number | undefined>();
  /** By host, when the first of its containers was seen. */
  const known = new Map<string | null, Date>();

  function knownSince(agentId: string | null): Date {
    let since = known.get(agentId);
    if (since === undefined) {
      since = new Date(Math.min(...present.ofHost(agentId).map(({ firstSeenAt }) => firstSeenAt.getTime())));
      known.set(agentId, since);
    }
    return since;
  }

  /** Another took its place and runs, as the next task of a slot does: that it ended is past. */
  function isReplaced(container: SavedContainer): boolean | undefined {
    if (isBeside(container) && present.holder(container.agentId, ownIdentity(container))?.state === "running") return true;
    return successors.isSuperseded(container);
  }

  const leftMs = (container: SavedContainer): number =>
    downInMs(container, nowOf(container.agentId), { afterMs, knownSince: () => knownSince(container.agentId) });

  const isDownNow = (container: SavedContainer): boolean => leftMs(container) <= 0 && isReplaced(container) === false;

  const eventOf = (container: SavedContainer, down: boolean): Event => downEvent(container, { down, at: nowOf(container.agentId) });

  const isAlerted: DownWatch["isAlerted"] = ({ settings }) => !settings.ignored && (settings.downAfterMs ?? afterMs ?? 0) > 0;

  /** A container that waits for its restart, or was only created, does not run: the alert stays. */
  function isOver(container: SavedContainer): boolean {
    const { state, stopRequested } = container;
    if (stopRequested || !isAlerted(container) || state === "running" || state === "paused" || state === "completed") return true;
    return isReplaced(container) === true;
  }

  function endPublished(): void {
    for (const [id, startedMs] of published) {
      const container = present.get(id);
      const isSameEnd = container?.startedAt?.getTime() === startedMs;
      if (container !== undefined && isSameEnd && !isOver(container)) continue;
      published.delete(id);
      // That one was removed is published elsewhere, and that one ran between two evaluations was published with its state.
      if (container !== undefined && isOver(container)) bus.publish(eventOf(container, false));
    }
  }

  /** Answers in how many milliseconds to evaluate again, unless a container changes before. */
  function evaluate(): number {
    endPublished();
    let nextMs = Infinity;
    for (const container of present.all()) {
      if (published.has(container.id)) continue;
      const dueMs = leftMs(container);
      if (dueMs > 0) {
        nextMs = Math.min(nextMs, dueMs);
        continue;
      }
      const replaced = isReplaced(container);
      if (replaced === undefined) nextMs = Math.min(nextMs, EVALUATE_EVERY_MS);
      if (replaced !== false) continue;
      published.set(container.id, container.startedAt?.getTime());
      bus.publish(eventOf(container, true));
    }
    return nextMs === Infinity ? Infinity : Math.min(nextMs, EVALUATE_EVERY_MS);
  }

  return {
    start(ofSlots) {
      successors = ofSlots;
      const timer = scheduler.whenDue({ name: "containers that are down", firstAfterMs: FIRST_EVALUATION_MS, run: async () => evaluate() });
      const onChange = (): void => timer.within(AFTER_CHANGE_MS);
      present.onPut(onChange);
      ofSlots.onSuccession(onChange);
    },
    announce: () => [...present.all()].filter(isDownNow).map((container) => eventOf(container, true)),
    isOver(id) {
      const container = present.get(id);
      return container && isOver(container);
    },
    isAlerted,
  };
}
