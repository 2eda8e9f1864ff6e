import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ShownAlert } from "../../../../../src/alerting/alerts/answers.ts";
import { alertQuery } from "../../../api/alert-queries.ts";
import { isApiError } from "../../../api/client.ts";
import { useAlertOverlay } from "../../../app/alert-acts.ts";
import { NoSuchThing } from "../../../app/no-such-thing.tsx";
import { Page } from "../../../app/page.tsx";
import { useTitle } from "../../../app/use-title.ts";
import { useRowKeys } from "../../../lists/use-row-keys.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { AlertFacts } from "./alert-facts.tsx";
import { AlertHeader } from "./alert-header.tsx";
import { CaseSection } from "./case-section.tsx";
import { DeliveriesSection } from "./deliveries-section.tsx";
import { EscalationSection } from "./escalation-section.tsx";
import { TimelineSection } from "./timeline-section.tsx";
import { TraceSection } from "./trace-section.tsx";

const route = getRouteApi("/alerts/$id");

/** One alert: what is wrong, since when and why, what changed before, and who was notified. */
export function AlertPage() {
  useRowKeys();
  const { id } = route.useParams();
  const isId = Number.isSafeInteger(id);
  const { data, error, refetch } = useQuery({ ...alertQuery(id), enabled: isId });
  useTitle(data === undefined ? `Alert ${id}` : data.message);

  if (!isId || isApiError(error, "not_found") || isApiError(error, "invalid_request")) return <NoSuchAlert />;
  if (data !== undefined) return <Known key={id} record={data} />;
  return (
    <Page>
      {error === null ? (
        <div role="status" aria-label="Loading alert">
          <Skeleton className="h-4 w-20" />
          <Skeleton className="mt-2 h-6 w-96 max-w-full" />
          <Skeleton className="mt-3 h-4 w-80 max-w-full" />
          <Skeleton className="mt-8 h-48 w-full" />
        </div>
      ) : (
        <ErrorNote what="Could not load the alert." error={error} onRetry={() => void refetch()}>
          Alerting continues.
        </ErrorNote>
      )}
    </Page>
  );
}

function Known({ record }: { record: ShownAlert }) {
  const alert = useAlertOverlay()(record);
  return (
    <Page>
      <AlertHeader alert={alert} />
      <CaseSection alert={alert} />
      <DeliveriesSection alert={alert} />
      <EscalationSection alert={alert} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <TimelineSection alert={alert} />
        <AlertFacts alert={alert} />
      </div>
      <TraceSection alert={alert} />
    </Page>
  );
}

function NoSuchAlert() {
  return (
    <NoSuchThing kind="Alert" to="/alerts" list="alerts">
      It may have been removed after its retention period.
    </NoSuchThing>
  );
}
