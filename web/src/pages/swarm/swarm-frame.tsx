import { useRouterState } from "@tanstack/react-router";
import { Unplug } from "lucide-react";
import type { ReactNode } from "react";
import type { ClusterRecord } from "../../../../src/monitoring/swarm/answers.ts";
import { ApiError, isApiError } from "../../api/client.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { CommandLine } from "../../ui/command-line.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { Tab, Tabs } from "../../ui/tabs.tsx";
import { Timestamp } from "../../ui/timestamp.tsx";

interface Properties {
  note: ReactNode;
  clusters: readonly ClusterRecord[] | undefined;
  error: Error | null;
  isPending: boolean;
  onRetry: () => void;
  /** What narrows the list. */
  filter?: ReactNode;
  children: ReactNode;
}

/** What the pages of swarms have in common: heading and tabs, what is wrong with a swarm as a whole, and why none is seen. */
export function SwarmFrame({ note, clusters, error, isPending, onRetry, filter, children }: Properties) {
  const isNodes = useRouterState({ select: ({ location }) => location.pathname === "/swarm/nodes" });
  const isNone = isApiError(error, "conflict");
  const hasFailed = error !== null && !isNone && (clusters === undefined || !isApiError(error, "unreachable"));
  return (
    <Page>
      <PageHeader title="Swarm" note={isNone ? undefined : note}>
        {!isNone && (filter || <span className="h-8" />)}
      </PageHeader>
      {!isNone && (
        <div className="mt-3">
          <Tabs label="Swarm">
            <Tab to="/swarm" activeOptions={{ exact: true, includeSearch: false }} current={!isNodes}>
              Services
            </Tab>
            <Tab to="/swarm/nodes" current={isNodes}>
              Nodes
            </Tab>
          </Tabs>
        </div>
      )}
      {!isNone && clusters?.map((cluster) => <ClusterNotice key={cluster.id} cluster={cluster} />)}
      {hasFailed && (
        <ErrorNote what="Could not load the swarm." error={error} onRetry={onRetry}>
          Your services are not affected.{clusters !== undefined && " The data below may be out of date."}
        </ErrorNote>
      )}
      {isPending && (
        <div className="mt-11">
          <SkeletonRows count={8} label="Loading the swarm" />
        </div>
      )}
      {isNone ? <NoSwarm error={error} /> : children}
    </Page>
  );
}

/** That a swarm is not seen, since when and why; or what is wrong with its managers. Nothing while nothing is. */
export function ClusterNotice({ cluster }: { cluster: ClusterRecord }) {
  const { observed, observed_at: observedAt, reason, problems } = cluster;
  if (observed && problems.length === 0) return null;
  return (
    <div role="status" className="mt-4 flex gap-3 border-l-2 border-degraded bg-degraded-soft px-3 py-2.5">
      {observed ? <StatusIcon status="degraded" className="mt-1 shrink-0" /> : <Unplug size={16} aria-hidden className="mt-0.5 shrink-0" />}
      <div className="min-w-0">
        {!observed && (
          <p className="font-[550]">
            Shown as last seen <Timestamp at={observedAt} />
          </p>
        )}
        {!observed && <p className="text-ink-2">{reason}</p>}
        {problems.map(({ alert, message, cause }) => (
          <p key={alert}>
            {message} {cause !== null && <span className="text-ink-2">{cause}</span>}
          </p>
        ))}
      </div>
    </div>
  );
}

function NoSwarm({ error }: { error: Error }) {
  return (
    <EmptyState title="No swarm">
      <p>{error instanceof ApiError ? error.message : "No monitored engine is a swarm manager."}</p>
      <p>Its services, tasks and nodes then appear here. To check whether an engine is a manager:</p>
      <CommandLine command="docker node ls" />
    </EmptyState>
  );
}
