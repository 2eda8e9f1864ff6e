import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef } from "react";
import { KEPT_DAYS } from "../../../../../src/contract/retention.ts";
import type { ContainerDetail } from "../../../../../src/monitoring/containers/answers.ts";
import { isApiError } from "../../../api/client.ts";
import { containerQuery } from "../../../api/queries.ts";
import { NoSuchThing } from "../../../app/no-such-thing.tsx";
import { Page } from "../../../app/page.tsx";
import { useTitle } from "../../../app/use-title.ts";
import { containerStatus } from "../../../format/container-status.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Skeleton, SkeletonRows } from "../../../ui/skeleton.tsx";
import { Tab, Tabs } from "../../../ui/tabs.tsx";
import { ContainerHeader } from "./container-header.tsx";
import { HistoryTab } from "./history-tab.tsx";
import { LogsTab } from "./logs-tab.tsx";
import { MetricsLoading } from "./metrics-loading.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import type { ContainerSearch } from "./search.ts";

const route = getRouteApi("/containers/$id");
const ChecksTab = lazy(() => import("./checks-tab.tsx").then((module) => ({ default: module.ChecksTab })));
const UpdatesTab = lazy(() => import("./updates-tab.tsx").then((module) => ({ default: module.UpdatesTab })));
const SecurityTab = lazy(() => import("./security-tab.tsx").then((module) => ({ default: module.SecurityTab })));
// What draws charts is heavy, and needed nowhere else.
const MetricsTab = lazy(() => import("./metrics-tab.tsx").then((module) => ({ default: module.MetricsTab })));

type TabName = NonNullable<ContainerSearch["tab"]>;

/** One container: what it is and does, what it says, what became of it. */
export function ContainerPage() {
  const { id } = route.useParams();
  const { tab = "overview" } = route.useSearch();
  const { data: container, error, refetch } = useQuery({ ...containerQuery(id), enabled: Number.isSafeInteger(id) });
  useTitle(container === undefined ? `Container ${id}` : titleOf(container, tab));

  if (!Number.isSafeInteger(id) || isApiError(error, "not_found") || isApiError(error, "invalid_request")) return <NoSuchContainer />;
  if (container !== undefined) return <Known key={id} container={container} tab={tab} />;
  if (error !== null) {
    return (
      <Page>
        <ErrorNote what="Could not load the container." error={error} onRetry={() => void refetch()}>
          Monitoring continues and its history is kept.
        </ErrorNote>
      </Page>
    );
  }
  return <Loading />;
}

function Known({ container, tab }: { container: ContainerDetail; tab: TabName }) {
  return (
    <Page>
      <ContainerHeader container={container} />
      <ContainerTabs tab={tab} id={container.id} />
      {tab === "overview" && <OverviewTab container={container} />}
      {tab === "logs" && <LogsTab container={container} />}
      {tab === "metrics" && (
        <Suspense fallback={<MetricsLoading />}>
          <MetricsTab container={container} />
        </Suspense>
      )}
      {tab === "history" && <HistoryTab container={container} />}
      {tab === "checks" && (
        <Suspense fallback={<TabLoading />}>
          <ChecksTab container={container} />
        </Suspense>
      )}
      {tab === "updates" && (
        <Suspense fallback={<TabLoading />}>
          <UpdatesTab container={container} />
        </Suspense>
      )}
      {tab === "security" && (
        <Suspense fallback={<TabLoading />}>
          <SecurityTab container={container} />
        </Suspense>
      )}
    </Page>
  );
}

/** While a tab's code is on its way. */
function TabLoading() {
  return (
    <div className="mt-6">
      <SkeletonRows count={8} label="Loading tab" />
    </div>
  );
}

function ContainerTabs({ tab, id }: { tab: TabName; id: number }) {
  // The page decides which tab is current: an address without a tab matches every one of them.
  const link = { to: "/containers/$id", params: { id }, activeOptions: { exact: true } } as const;
  const tabs = useRef<HTMLDivElement>(null);
  // On a phone not all of them fit.
  useEffect(() => {
    const current = tabs.current?.querySelector<HTMLElement>("[aria-current]");
    current?.parentElement?.scrollTo({ left: tab === "overview" ? 0 : current.offsetLeft - 64 });
  }, [tab]);
  return (
    <div ref={tabs} className="relative mt-4">
      <Tabs label="Container">
        <Tab {...link} search={{}} current={tab === "overview"}>
          Overview
        </Tab>
        <Tab {...link} search={{ tab: "logs" }} current={tab === "logs"}>
          Logs
        </Tab>
        <Tab {...link} search={{ tab: "metrics" }} current={tab === "metrics"}>
          Metrics
        </Tab>
        <Tab {...link} search={{ tab: "history" }} current={tab === "history"}>
          History
        </Tab>
        <Tab {...link} search={{ tab: "checks" }} current={tab === "checks"}>
          Checks
        </Tab>
        <Tab {...link} search={{ tab: "updates" }} current={tab === "updates"}>
          Updates
        </Tab>
        <Tab {...link} search={{ tab: "security" }} current={tab === "security"}>
          Security
        </Tab>
      </Tabs>
    </div>
  );
}

const TAB_WORDS: Record<TabName, string> = {
  overview: "",
  logs: "Logs of ",
  metrics: "Metrics of ",
  history: "History of ",
  checks: "Checks of ",
  updates: "Updates of ",
  security: "Security of ",
};

function titleOf(container: ContainerDetail, tab: TabName): string {
  const { word, cause, status } = containerStatus(container);
  const state = status === "ok" ? "" : `: ${word.toLowerCase()}${cause === undefined ? "" : `, ${cause}`}`;
  return `${TAB_WORDS[tab]}${container.name}${state}`;
}

function NoSuchContainer() {
  return (
    <NoSuchThing kind="Container" to="/containers" list="containers">
      It may have been removed more than {KEPT_DAYS.removedContainers} days ago. History is kept for {KEPT_DAYS.removedContainers} days
      after removal.
    </NoSuchThing>
  );
}

function Loading() {
  return (
    <Page>
      <div role="status" aria-label="Loading container">
        <Skeleton className="h-4 w-32" />
        <Skeleton className="mt-2 h-6 w-56" />
        <Skeleton className="mt-3 h-4 w-80 max-w-full" />
        <div className="mt-4 h-[37px] border-b border-line" />
        <Skeleton className="mt-8 h-40 w-full" />
      </div>
    </Page>
  );
}
