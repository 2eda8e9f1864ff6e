import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { activeAlertsQuery, channelsQuery } from "../../api/alert-queries.ts";
import { isApiError } from "../../api/client.ts";
import { useAlertOverlay } from "../../app/alert-acts.ts";
import { useChosenHost } from "../../app/hosts.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { useTitle } from "../../app/use-title.ts";
import { NobodyNotified } from "../../entities/notifications/nobody-notified.tsx";
import { isWaiting } from "../../format/alert-words.ts";
import { buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { AlertList } from "./alert-list.tsx";
import { AlertsTabs } from "./alerts-tabs.tsx";
import { groupByImpact, activeSummary } from "./groups.ts";

/** What is wrong now: what people lose first, live. Findings and updates come last, on their own. */
export function AlertsPage() {
  const host = useChosenHost();
  const { data, error, isPending: isAsked, refetch } = useQuery(activeAlertsQuery);
  const { isPending: areChannelsAsked } = useQuery(channelsQuery);
  // The line above the list comes with it.
  const isPending = isAsked || areChannelsAsked;
  const overlay = useAlertOverlay();
  // While the server is out of reach, the notice above the page says so.
  const hasFailed = error !== null && (data === undefined || !isApiError(error, "unreachable"));
  const alerts = useMemo(() => {
    const agentId = host === "local" ? null : host;
    return (data?.alerts ?? [])
      .map(overlay)
      .filter(({ status, agent_id }) => status === "active" && (agentId === undefined || agent_id === agentId));
  }, [data, overlay, host]);
  const groups = useMemo(() => groupByImpact(alerts), [alerts]);
  const waiting = alerts.filter(isWaiting).length;
  useTitle(waiting === 0 ? "Alerts" : `Alerts (${waiting} unacknowledged)`);

  return (
    <Page>
      <PageHeader title="Alerts" note={data && activeSummary(alerts)} />
      <NobodyNotified />
      <AlertsTabs />
      {hasFailed && (
        <ErrorNote what="Could not load active alerts." error={error} onRetry={() => void refetch()}>
          Monitoring and notifications continue.{data !== undefined && " The data below may be out of date."}
        </ErrorNote>
      )}
      {isPending && (
        <div className="mt-8">
          <SkeletonRows count={6} label="Loading alerts" />
        </div>
      )}
      {!isPending && groups.length > 0 && <AlertList groups={groups} />}
      {!isPending && data !== undefined && groups.length === 0 && <NoAlerts isElsewhere={data.alerts.length > 0} />}
    </Page>
  );
}

function NoAlerts({ isElsewhere }: { isElsewhere: boolean }) {
  if (isElsewhere)
    return (
      <EmptyState title="No active alerts on this host">
        <p>Other hosts have active alerts.</p>
        <Link to="/alerts" search={{ agent_id: undefined }} className={buttonClass()}>
          Show all hosts
        </Link>
      </EmptyState>
    );
  return (
    <EmptyState title="No active alerts">
      <p>
        An alert appears here when a container is down, crash-looping or unhealthy, an endpoint fails, a heartbeat is late, a certificate is
        about to expire, or a threshold is exceeded. It resolves automatically when the problem is gone.
      </p>
      <Link to="/alerts/history" className={buttonClass()}>
        Alert history
      </Link>
    </EmptyState>
  );
}
