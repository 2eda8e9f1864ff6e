import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { ShownAlert } from "../../../src/alerting/alerts/answers.ts";
import type { AlertData } from "../../../src/events.ts";
import { activeAlertsQuery, alertQuery } from "./alert-queries.ts";
import { alertOfEvent, applyEvents } from "./apply-alert.ts";
import { coalesce } from "./coalesce.ts";
import type { LiveUpdates } from "./live-stream.ts";

/** Keeps cached alerts up to date by their events. An event has the whole alert; its notifications and its history are read again. */
export function createAlertUpdates(queryClient: QueryClient): LiveUpdates<"alert"> {
  let waiting: AlertData[] = [];
  const changedIds = new Set<number>();

  /** In a storm hundreds come at once: they cost one rendering. */
  const applySoon = coalesce(
    () => {
      const events = waiting;
      waiting = [];
      queryClient.setQueryData(activeAlertsQuery.queryKey, (active) => active && applyEvents(active, events));
      for (const data of events)
        queryClient.setQueryData(
          alertQuery(data.id).queryKey,
          (known): ShownAlert | undefined => known && { ...known, ...alertOfEvent(data, known) },
        );
    },
    { quietMs: 50, longestMs: 500 },
  );
  const rereadSoon = coalesce(
    () => {
      reread(["alerts"]);
      for (const id of changedIds) reread(["alert", id]);
      changedIds.clear();
    },
    { quietMs: 500, longestMs: 2000 },
  );
  /** Deliveries in the seconds after a change have no events. */
  const tracesLater = coalesce(() => reread(["alert"]), { quietMs: 4000, longestMs: 10_000 });

  function reread(queryKey: QueryKey): void {
    void queryClient.invalidateQueries({ queryKey });
  }

  function changed(data: AlertData): void {
    waiting.push(data);
    changedIds.add(data.id);
    applySoon.call();
    rereadSoon.call();
    tracesLater.call();
  }

  return {
    events: { "alert.fired": changed, "alert.resolved": changed, "alert.acknowledged": changed, "alert.suppressed": changed },
    reread() {
      reread(["alerts"]);
      reread(["alert"]);
    },
    cancel() {
      for (const pending of [applySoon, rereadSoon, tracesLater]) pending.cancel();
    },
  };
}
