import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import { downEvent } from "./changes.ts";
import { isDown } from "./container.ts";
import type { Projection } from "./projection.ts";

/** Tells of containers that have been down for a while, and of their return. */
export interface DownWatch {
  look(now: Date): void;
  /** The events that tell of those that are down now. */
  announce(now: Date): Event[];
}

export function createDownWatch({
  present,
  bus,
  afterMs,
}: {
  present: Pick<Projection, "all" | "get">;
  bus: Bus<Event>;
  afterMs: number;
}): DownWatch {
  const told = new Set<number>();

  return {
    look(now) {
      for (const id of told) {
        const container = present.get(id);
        if (container !== undefined && isDown(container, now, afterMs)) continue;
        told.delete(id);
        // One that was removed has told so itself.
        if (container !== undefined) bus.publish(downEvent(container, { down: false, at: now }));
      }
      for (const container of present.all()) {
        if (told.has(container.id) || !isDown(container, now, afterMs)) continue;
        told.add(container.id);
        bus.publish(downEvent(container, { down: true, at: now }));
      }
    },
    announce(now) {
      return [...present.all()]
        .filter((container) => isDown(container, now, afterMs))
        .map((container) => downEvent(container, { down: true, at: now }));
    },
  };
}
