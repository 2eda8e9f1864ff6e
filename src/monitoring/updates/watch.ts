import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { PresentContainers } from "../containers/index.ts";
import { changedEvent, detectedEvent, isNewlySeen, overEvent, shownOf } from "./changes.ts";
import type { UpdateProjection } from "./projection.ts";

/** Evaluates containers again whenever something of them changes, and publishes the result. */
export interface Watch {
  /** All that are there, without events: after a start nothing is news. */
  begin(): void;
  /** Looks again; `asked`: their registry was just asked, so that what is new to us is news. */
  refresh(ids: Iterable<number>, options?: { asked?: boolean }): void;
  /** The events of every update that raises an alert now. */
  announce(): Event[];
  stop(): void;
}

export interface WatchParts {
  present: Pick<PresentContainers, "knownIds">;
  projection: UpdateProjection;
  bus: Bus<Event>;
  clock: Clock;
}

export function createWatch({ present, projection, bus, clock }: WatchParts): Watch {
  function refresh(ids: Iterable<number>, { asked = false }: { asked?: boolean } = {}): void {
    for (const id of ids) {
      const { before, after } = projection.refresh(id);
      if (after === undefined) {
        if (before !== undefined) bus.publish(overEvent(before, clock.now()));
        continue;
      }
      if (before !== undefined && shownOf(before) === shownOf(after)) continue;
      // A container that appears while nothing is known of its image has nothing to publish.
      if (before === undefined && after.known === undefined) continue;
      bus.publish(asked && isNewlySeen(after) ? detectedEvent(after, clock.now()) : changedEvent(after, clock.now()));
    }
  }

  let unsubscribe: (() => void) | undefined;

  return {
    begin() {
      for (const id of present.knownIds()) projection.refresh(id);
      unsubscribe ??= bus.subscribe("updates", ({ type, data }) => {
        if (
          type === "container.discovered" ||
          type === "container.updated" ||
          type === "container.state_changed" ||
          type === "container.archived" ||
          type === "container.removed"
        )
          refresh([data.id]);
      });
    },
    refresh,
    announce() {
      const now = clock.now();
      return [...projection.all()].filter(({ alerting }) => alerting).map((entry) => changedEvent(entry, now));
    },
    stop() {
      unsubscribe?.();
      unsubscribe = undefined;
    },
  };
}
