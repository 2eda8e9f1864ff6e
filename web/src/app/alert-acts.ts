import type { QueryClient } from "@tanstack/react-query";
import { createContext, useCallback, useContext, useMemo, useSyncExternalStore } from "react";
import type { ActiveAlerts, ShownAlert } from "../../../src/alerting/alerts/answers.ts";
import { acceptedOf, createAlertActs, pauseOf, withActs, type Act, type AlertAct, type AlertActs } from "../api/alert-acts.ts";
import { acknowledgeAlert, activeAlertsQuery, alertQuery, resolveAlert, silenceAlert } from "../api/alert-queries.ts";
import { putActive } from "../api/apply-alert.ts";
import { coalesce } from "../api/coalesce.ts";

/** The deeds of the reader, applied to what is known of alerts once the server has them. */
export function startAlertActs(queryClient: QueryClient): AlertActs {
  // Read once for many that are sent together: each reading counts for the server's rate limit too.
  const alertsSoon = coalesce(() => void queryClient.invalidateQueries({ queryKey: ["alerts"] }), { quietMs: 100, longestMs: 1000 });
  const acts = createAlertActs({
    send,
    onSent(record, act) {
      queryClient.setQueryData(alertQuery(record.id).queryKey, record);
      queryClient.setQueryData(
        activeAlertsQuery.queryKey,
        (active): ActiveAlerts | undefined => active && putActive(active, ...alsoSilenced(active, act, record), record),
      );
      void queryClient.invalidateQueries({ queryKey: ["alert", record.id] });
      alertsSoon.call();
    },
    now: Date.now,
    later(run, delayMs) {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
  });
  window.addEventListener("pagehide", acts.flush);
  // A phone that is locked, or shows another app, may end the page without a further event.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") acts.flush();
  });
  return acts;
}

/** The other alerts that are silenced with one, until they are read again. */
function alsoSilenced({ alerts }: ActiveAlerts, { covers }: AlertAct, record: ShownAlert): ShownAlert[] {
  if (covers !== "entity") return [];
  return alerts
    .filter(({ entity_type: type, entity_id: id }) => type === record.entity_type && id === record.entity_id)
    .map((alert) => ({ ...alert, silenced_until: record.silenced_until }));
}

async function send({ kind, alert, by, note, until, covers }: AlertAct): Promise<ShownAlert> {
  switch (kind) {
    case "resolve":
      return resolveAlert(alert.id, { resolved_by: by });
    case "acknowledge":
      return acknowledgeAlert(alert.id, { acknowledged_by: by, ...(note !== undefined && { note }) });
    case "silence": {
      const { ends_at: silenced_until } = await silenceAlert(alert, { by, until: until ?? "", covers });
      return { ...alert, silenced_until };
    }
  }
}

export const AlertActsContext = createContext<AlertActs | undefined>(undefined);

export function useAlertActs(): AlertActs {
  const acts = useContext(AlertActsContext);
  if (acts === undefined) throw new Error("useAlertActs needs an AlertActsContext around it");
  return acts;
}

export function useActs(): readonly Act[] {
  const acts = useAlertActs();
  return useSyncExternalStore(acts.subscribe, acts.list);
}

/** Whether a monitor will be paused once what was done about it has arrived; undefined when nothing was done. */
export function usePauseOf(type: "endpoint" | "heartbeat"): (id: number) => boolean | undefined {
  const acts = useActs();
  return useCallback((id: number) => pauseOf(acts, type, id), [acts, type]);
}

/** The findings that will be acknowledged once what was done has arrived, by their keys. */
export function useAccepted(): ReadonlySet<string> {
  const acts = useActs();
  return useMemo(() => acceptedOf(acts), [acts]);
}

/** Shows alerts as they will be once what was done about them has arrived. */
export function useAlertOverlay(): (record: ShownAlert) => ShownAlert {
  const acts = useActs();
  return useCallback((record: ShownAlert) => withActs(record, acts), [acts]);
}
