import type { QueryClient } from "@tanstack/react-query";
import type { EventData, EventName } from "../../../src/events.ts";
import { coalesce } from "./coalesce.ts";

interface SecurityUpdates {
  events: { [Name in Extract<EventName, `security.${string}`>]: (data: EventData[Name]) => void };
  /** Reads again what events change: missed events are not repeated. */
  reread(): void;
  cancel(): void;
}

/** Keeps what is known of findings and of the posture as events say: all of it is read again, since every part depends on every finding. */
export function createSecurityUpdates(queryClient: QueryClient): SecurityUpdates {
  const soon = coalesce(() => void queryClient.invalidateQueries({ queryKey: ["security"] }), { quietMs: 250, longestMs: 1000 });
  const reread = (): void => soon.call();
  return {
    events: {
      "security.insights_changed": reread,
      "security.acknowledged": reread,
      "security.revoked": reread,
      "security.posture_threshold": reread,
    },
    reread,
    cancel: () => soon.cancel(),
  };
}
