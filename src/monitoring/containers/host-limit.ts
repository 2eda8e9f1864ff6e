import { MOST_CONTAINERS } from "../../observations.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { createLimitLog } from "../limit-log.ts";
import type { Projection } from "./projection.ts";
import type { Place } from "./succession.ts";

/** For one go: whether the host has room for a container in that place. Each that is admitted takes the room of one, unless it is known. */
export type HostLimit = (agentId: string) => (place: Pick<Place, "id">) => boolean;

/**
 * Admits so many containers of a host as are kept in memory for it: an agent is not trusted to keep to the limit. Beside those that are there, as many may
 * have been removed within the last minutes. What is left out comes with a later listing, once there is room.
 */
export function createHostLimit(parts: { projection: Pick<Projection, "size" | "get">; clock: Clock; log: Log }): HostLimit {
  const { projection, clock, log } = parts;
  const limitLog = createLimitLog({ clock, log, message: "containers of an agent left out: its host has too many" });
  return (agentId) => {
    const { known, awaited } = projection.size(agentId);
    let room = Math.min(MOST_CONTAINERS - (known - awaited), 2 * MOST_CONTAINERS - known);
    return ({ id }) => {
      if (id !== undefined && projection.get(id) !== undefined) return true;
      if (room > 0) {
        room -= 1;
        return true;
      }
      limitLog(agentId, { leftOut: 1, most: MOST_CONTAINERS });
      return false;
    };
  };
}
