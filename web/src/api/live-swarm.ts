import type { QueryClient } from "@tanstack/react-query";
import type { EventData, EventName } from "../../../src/events.ts";
import { coalesce } from "./coalesce.ts";

interface SwarmUpdates {
  events: { [Name in Extract<EventName, `swarm.${string}`>]: (data: EventData[Name]) => void };
  /** Reads again what events change: missed events are not repeated. */
  reread(): void;
  cancel(): void;
}

/** Keeps what is known of swarms as events say: tasks, services and nodes depend on each other, so what is shown of them is read again. */
export function createSwarmUpdates(queryClient: QueryClient): SwarmUpdates {
  const soon = coalesce(() => void queryClient.invalidateQueries({ queryKey: ["swarm"] }), { quietMs: 250, longestMs: 1000 });
  const reread = (): void => soon.call();
  return {
    events: {
      "swarm.status_changed": reread,
      "swarm.service_updated": reread,
      "swarm.service_removed": reread,
      "swarm.tasks_changed": reread,
      "swarm.node_updated": reread,
      "swarm.node_removed": reread,
      "swarm.alert": reread,
    },
    reread,
    cancel: () => soon.cancel(),
  };
}
