import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ServiceDetail } from "../../../../../src/monitoring/swarm/answers.ts";
import { isApiError } from "../../../api/client.ts";
import { swarmServiceQuery } from "../../../api/swarm.ts";
import { NoSuchThing } from "../../../app/no-such-thing.tsx";
import { Page } from "../../../app/page.tsx";
import { useTitle } from "../../../app/use-title.ts";
import { countOf } from "../../../format/number.ts";
import { asObserved, replicasText, serviceStatus, type SwarmStatus } from "../../../format/service-status.ts";
import { useRowKeys } from "../../../lists/use-row-keys.ts";
import { Changed } from "../../../ui/changed.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Section } from "../../../ui/section.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Tab, Tabs } from "../../../ui/tabs.tsx";
import { ClusterNotice } from "../swarm-frame.tsx";
import { LogsTab } from "./logs-tab.tsx";
import { ServiceFacts } from "./service-facts.tsx";
import { ServiceLog } from "./service-log.tsx";
import { TaskTable } from "./task-table.tsx";

const route = getRouteApi("/swarm/services/$id");

/** One service: how it is and why, its tasks, and what its slots had before. */
export function ServicePage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(swarmServiceQuery(id));
  // It was read before, so it was there.
  const isRemoved = data !== undefined && isApiError(error, "not_found");
  useTitle(data === undefined ? "Swarm service" : `${data.name}: ${isRemoved ? "removed" : statusOf(data).word.toLowerCase()}`);
  if (isRemoved) return <Known service={data} isRemoved />;
  if (isApiError(error, "not_found") || isApiError(error, "conflict") || isApiError(error, "invalid_request")) return <NoSuchService />;
  if (data !== undefined) return <Known service={data} />;
  return (
    <Page>
      {error === null ? (
        <div role="status" aria-label="Loading service">
          <Skeleton className="h-4 w-32" />
          <Skeleton className="mt-2 h-6 w-56" />
          <Skeleton className="mt-8 h-48 w-full" />
        </div>
      ) : (
        <ErrorNote what="Could not load the service." error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function statusOf(service: ServiceDetail): SwarmStatus {
  return asObserved(serviceStatus(service), service.cluster.observed);
}

function Known({ service, isRemoved = false }: { service: ServiceDetail; isRemoved?: boolean }) {
  const { tab } = route.useSearch();
  const { status, word, cause } = isRemoved ? REMOVED : statusOf(service);
  // The page decides which tab is current: an address without a tab matches both.
  const link = { to: "/swarm/services/$id", params: { id: service.id }, activeOptions: { exact: true } } as const;
  return (
    <Page>
      <header>
        <nav aria-label="Breadcrumb" className="text-xs text-ink-2">
          <Link to="/swarm" className="hover:text-ink hover:underline">
            Swarm
          </Link>
          {service.stack !== null && <bdi> · {service.stack}</bdi>}
        </nav>
        <div className="mt-1 flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <h1 className="min-w-0 text-[19px] leading-[26px] font-[620] tracking-[-0.012em] wrap-anywhere sm:text-xl">
            <bdi>{service.name}</bdi>
          </h1>
          <Changed value={word} className="inline-flex items-center gap-2">
            <StatusIcon status={status} />
            {word}
          </Changed>
          {!isRemoved && (
            <Changed value={replicasText(service)} className="text-ink-2 tabular-nums">
              {replicasText(service)} {service.completed === null && "tasks"}
            </Changed>
          )}
        </div>
        <p role="status" dir="auto" className="mt-1.5 min-h-5 max-w-[100ch] wrap-anywhere">
          {(isRemoved ? undefined : service.problems[0]?.message) ?? cause ?? ""}
        </p>
      </header>
      <ClusterNotice cluster={service.cluster} />
      <LabelErrors service={service} />
      <div className="mt-4">
        <Tabs label="Service">
          <Tab {...link} search={{}} current={tab === undefined}>
            Overview
          </Tab>
          <Tab {...link} search={{ tab: "logs" }} current={tab === "logs"}>
            Logs
          </Tab>
        </Tabs>
      </div>
      {tab === "logs" ? <LogsTab key={service.id} service={service} /> : <Overview service={service} />}
    </Page>
  );
}

function Overview({ service }: { service: ServiceDetail }) {
  useRowKeys();
  const current = service.tasks.filter(({ is_current: isCurrent }) => isCurrent);
  const over = service.tasks.filter(({ is_current: isCurrent }) => !isCurrent);
  return (
    <>
      <Section title="Tasks" aside={countOf(current.length, "task")}>
        {current.length === 0 ? (
          <p className="py-4 text-ink-2">No tasks: it is scaled to none.</p>
        ) : (
          <TaskTable tasks={current} label="Tasks" isObserved={service.cluster.observed} />
        )}
      </Section>
      {over.length > 0 && (
        <Section title="Previous tasks" aside="As far as the swarm keeps them">
          <TaskTable tasks={over} label="Previous tasks" />
        </Section>
      )}
      <ServiceLog service={service} />
      <Section title="Facts">
        <ServiceFacts service={service} />
      </Section>
    </>
  );
}

const REMOVED = {
  status: "idle",
  word: "Removed",
  cause: "This service was removed from its swarm. The page shows it as it was last seen.",
} as const;

/** Invalid labels: what is wrong with each. */
function LabelErrors({ service: { label_errors: errors } }: { service: ServiceDetail }) {
  if (errors.length === 0) return null;
  return (
    <section aria-label="Invalid labels" className="mt-4 border-l-2 border-degraded bg-degraded-soft px-3 py-2.5">
      <p className="font-[550]">{countOf(errors.length, "invalid label")}: defaults are used instead</p>
      {errors.map(({ label, message }) => (
        <p key={label} dir="auto" className="wrap-anywhere text-ink-2">
          {message}
        </p>
      ))}
    </section>
  );
}

function NoSuchService() {
  return (
    <NoSuchThing kind="Service" to="/swarm" list="services">
      It was removed from its swarm, or no manager of the swarm is monitored.
    </NoSuchThing>
  );
}
