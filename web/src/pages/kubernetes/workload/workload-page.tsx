import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { KEPT_DAYS } from "../../../../../src/contract/retention.ts";
import { isApiError } from "../../../api/client.ts";
import { workloadQuery } from "../../../api/kubernetes.ts";
import { NoSuchThing } from "../../../app/no-such-thing.tsx";
import { Page } from "../../../app/page.tsx";
import { useTitle } from "../../../app/use-title.ts";
import { workloadStatus } from "../../../format/kubernetes-status.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { ClusterNotice } from "../cluster-notice.tsx";
import { WorkloadHeader } from "./workload-header.tsx";
import { WorkloadSections } from "./workload-sections.tsx";

const route = getRouteApi("/kubernetes/workloads/$id");
const PODS = ["pods"] as const;
/** With these there is no such workload, or no longer. */
const GONE = ["not_found", "conflict", "invalid_request"];

/** One workload: how it is and why, its pods with their containers, what leads to it, what it uses, what happened. */
export function WorkloadPage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(workloadQuery(id));
  useTitle(data === undefined ? "Kubernetes workload" : `${data.name}: ${workloadStatus(data).word.toLowerCase()}`);
  if (isApiError(error) && GONE.includes(error.code)) return <NoSuchWorkload />;
  if (data === undefined) {
    return (
      <Page>
        {error === null ? <Loading /> : <ErrorNote what="Could not load the workload." error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  return (
    <Page>
      <WorkloadHeader workload={data} />
      <ClusterNotice cluster={data.cluster} withName={false} shows={PODS} />
      <WorkloadSections workload={data} />
    </Page>
  );
}

function Loading() {
  return (
    <div role="status" aria-label="Loading workload">
      <Skeleton className="h-4 w-32" />
      <Skeleton className="mt-2 h-6 w-56" />
      <Skeleton className="mt-8 h-48 w-full" />
    </div>
  );
}

function NoSuchWorkload() {
  return (
    <NoSuchThing kind="Workload" to="/kubernetes" list="workloads">
      It was deleted from its cluster, or no host watches the cluster. Its history stays with its container for{" "}
      {KEPT_DAYS.removedContainers} days.
    </NoSuchThing>
  );
}
