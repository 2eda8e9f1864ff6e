import { useEffect, useRef, type ReactNode } from "react";
import type { ClusterRecord } from "../../../../src/monitoring/kubernetes/answers.ts";
import { ApiError, isApiError } from "../../api/client.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { CommandLine } from "../../ui/command-line.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Tab, Tabs } from "../../ui/tabs.tsx";
import { ClusterNotice } from "./cluster-notice.tsx";
import type { ListPath } from "./use-filter.ts";

interface Properties {
  path: ListPath;
  note: ReactNode;
  clusters: readonly ClusterRecord[] | undefined;
  error: Error | null;
  isPending: boolean;
  onRetry: () => void;
  /** What narrows the list. */
  filter?: ReactNode;
  children: ReactNode;
}

const TABS = [
  ["/kubernetes", "Workloads"],
  ["/kubernetes/pods", "Pods"],
  ["/kubernetes/nodes", "Nodes"],
  ["/kubernetes/events", "Events"],
  ["/kubernetes/network", "Network"],
  ["/kubernetes/storage", "Storage"],
] as const satisfies readonly (readonly [ListPath, string])[];

/** What each list shows. */
const SHOWS: Readonly<Record<ListPath, readonly ClusterRecord["unseen"][number]["kind"][]>> = {
  "/kubernetes": ["workloads"],
  "/kubernetes/pods": ["pods"],
  "/kubernetes/nodes": ["nodes"],
  "/kubernetes/events": ["events"],
  "/kubernetes/network": ["services", "routes", "certificates"],
  "/kubernetes/storage": ["claims"],
};

/** What the lists of Kubernetes have in common: heading and tabs, what is not seen of a cluster, and why none is. */
export function KubernetesFrame({ path, note, clusters, error, isPending, onRetry, filter, children }: Properties) {
  const tabs = useRef<HTMLDivElement>(null);
  // On a phone not all of them fit. Every list has its own frame.
  useEffect(() => {
    const current = tabs.current?.querySelector<HTMLElement>("[aria-current]");
    current?.parentElement?.scrollTo({ left: current.offsetLeft - 64 });
  }, []);
  const isNone = isApiError(error, "conflict");
  const hasFailed = error !== null && !isNone && (clusters === undefined || !isApiError(error, "unreachable"));
  return (
    <Page>
      <PageHeader title="Kubernetes" note={isNone ? undefined : note}>
        {!isNone && (filter || <span className="h-8" />)}
      </PageHeader>
      {!isNone && (
        <div ref={tabs} className="relative mt-3">
          <Tabs label="Kubernetes">
            {TABS.map(([to, label]) => (
              // The page decides which tab is current: the first address begins all others.
              <Tab key={to} to={to} search={{}} activeOptions={{ exact: true, includeSearch: false }} current={to === path}>
                {label}
              </Tab>
            ))}
          </Tabs>
        </div>
      )}
      {!isNone &&
        clusters?.map((cluster) => <ClusterNotice key={cluster.id} cluster={cluster} withName={clusters.length > 1} shows={SHOWS[path]} />)}
      {hasFailed && (
        <ErrorNote what="Could not load the cluster." error={error} onRetry={onRetry}>
          Your workloads are not affected.{clusters !== undefined && " The data below may be out of date."}
        </ErrorNote>
      )}
      {isPending && (
        <div className="mt-11">
          <SkeletonRows count={10} label="Loading the cluster" />
        </div>
      )}
      {isNone ? <NoCluster error={error} /> : children}
    </Page>
  );
}

function NoCluster({ error }: { error: Error }) {
  return (
    <EmptyState title="No cluster">
      <p>{error instanceof ApiError ? error.message : "No host watches a Kubernetes cluster."}</p>
      <p>To check what an agent in the cluster may see:</p>
      <CommandLine command="kubectl auth can-i --list --as=system:serviceaccount:binnacle:binnacle" />
    </EmptyState>
  );
}
