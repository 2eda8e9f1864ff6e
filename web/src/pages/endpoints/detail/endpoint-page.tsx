import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { KEPT_DAYS } from "../../../../../src/contract/retention.ts";
import type { EndpointDetail } from "../../../../../src/monitoring/endpoints/answers.ts";
import { isApiError } from "../../../api/client.ts";
import { endpointQuery, endpointUptimeQuery } from "../../../api/endpoint-queries.ts";
import { NoSuchThing } from "../../../app/no-such-thing.tsx";
import { Page } from "../../../app/page.tsx";
import { useTitle } from "../../../app/use-title.ts";
import { endpointStatus, isUnobserved } from "../../../format/endpoint-status.ts";
import { useRowKeys } from "../../../lists/use-row-keys.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { spanFigures, UptimeSection } from "../../../ui/uptime-section.tsx";
import { CheckList } from "./check-list.tsx";
import { ConfigSection } from "./config-section.tsx";
import { EndpointHeader } from "./endpoint-header.tsx";
import { ResponseChart } from "./response-chart.tsx";

const route = getRouteApi("/endpoints/$id");
const EndpointDialog = lazy(() => import("./endpoint-dialog.tsx").then((module) => ({ default: module.EndpointDialog })));

/** One endpoint: its status and why, its response times, the results of its checks. */
export function EndpointPage() {
  useRowKeys();
  const { id } = route.useParams();
  const isId = Number.isSafeInteger(id);
  const { data: endpoint, error, refetch } = useQuery({ ...endpointQuery(id), enabled: isId });
  useTitle(endpoint === undefined ? `Endpoint ${id}` : titleOf(endpoint));

  if (!isId || isApiError(error, "not_found") || isApiError(error, "invalid_request")) return <NoSuchEndpoint />;
  if (endpoint !== undefined) return <Known key={id} endpoint={endpoint} />;
  return (
    <Page>
      {error === null ? (
        <div role="status" aria-label="Loading endpoint">
          <Skeleton className="h-4 w-32" />
          <Skeleton className="mt-2 h-6 w-56" />
          <Skeleton className="mt-3 h-4 w-80 max-w-full" />
          <Skeleton className="mt-8 h-48 w-full" />
        </div>
      ) : (
        <ErrorNote what="Could not load the endpoint." error={error} onRetry={() => void refetch()}>
          Its history is kept; monitoring continues.
        </ErrorNote>
      )}
    </Page>
  );
}

function titleOf(endpoint: EndpointDetail): string {
  if (isUnobserved(endpoint)) return `${endpoint.name}: not seen`;
  const { word, cause, status } = endpointStatus(endpoint);
  return status === "ok" ? endpoint.name : `${endpoint.name}: ${word.toLowerCase()}${cause === undefined ? "" : `, ${cause}`}`;
}

function Known({ endpoint }: { endpoint: EndpointDetail }) {
  const { edit } = route.useSearch();
  const navigate = route.useNavigate();
  const close = (): void => void navigate({ search: (search) => ({ ...search, edit: undefined }), replace: true, resetScroll: false });
  return (
    <Page>
      <EndpointHeader endpoint={endpoint} />
      <ResponseChart endpoint={endpoint} />
      <EndpointUptime endpoint={endpoint} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <CheckList endpoint={endpoint} />
        <ConfigSection endpoint={endpoint} />
      </div>
      {edit !== undefined && endpoint.source === "standalone" && (
        <Suspense>
          <EndpointDialog endpoint={endpoint} onClose={close} onSaved={close} />
        </Suspense>
      )}
    </Page>
  );
}

function NoSuchEndpoint() {
  return (
    <NoSuchThing kind="Endpoint" to="/endpoints" list="endpoints">
      It was deleted, or its label was removed more than {KEPT_DAYS.inactiveEndpoints} days ago.
    </NoSuchThing>
  );
}

/** How much of the observed time it answered. */
function EndpointUptime({ endpoint }: { endpoint: EndpointDetail }) {
  const { data, error, refetch } = useQuery(endpointUptimeQuery(endpoint.id));
  return (
    <UptimeSection
      aside="Responding, of monitored time"
      figures={spanFigures(endpoint.uptime)}
      days={data?.days}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}
