import type { Event } from "../../events.ts";
import type { Observation } from "../../observations.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { PresentContainers } from "../containers/index.ts";
import { changedEvent } from "./changes.ts";
import type { Register } from "./register.ts";

/** Looks at containers as they are seen, and tells what became of what is found of them. */
export interface Watch {
  /** All that is there, without telling of it: after a start nothing is news. */
  begin(): void;
  /** The containers know already what the same observations say. */
  observe(agentId: string | null, observations: readonly Observation[]): Promise<void>;
}

export interface WatchParts {
  present: Pick<PresentContainers, "find" | "get" | "ids">;
  register: Register;
  bus: Bus<Event>;
  clock: Clock;
  onChange(): void;
}

export function createWatch({ present, register, bus, clock, onChange }: WatchParts): Watch {
  function look(ids: Iterable<number | undefined>): void {
    let changed = false;
    for (const id of new Set(ids)) {
      const change = id === undefined ? undefined : register.look(id);
      if (change === undefined) continue;
      changed = true;
      bus.publish(changedEvent(change, { at: clock.now() }));
    }
    if (changed) onChange();
  }

  /** Of whom an observation tells something. */
  function idsOf(agentId: string | null, observation: Observation): (number | undefined)[] {
    switch (observation.kind) {
      case "container.seen":
        return [present.find(agentId, observation.container.externalId)?.id];
      case "container.gone":
        return [register.idOf(agentId, observation.externalId)];
      case "container.inventory":
        return [
          ...observation.containers.map(({ externalId }) => present.find(agentId, externalId)?.id),
          ...[...register.ids()].filter((id) => present.get(id) === undefined),
        ];
      default:
        return [];
    }
  }

  return {
    begin() {
      for (const id of present.ids()) register.look(id);
    },
    async observe(agentId, observations) {
      look(observations.flatMap((observation) => idsOf(agentId, observation)));
    },
  };
}
