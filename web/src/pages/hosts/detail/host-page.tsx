import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { AgentRecord } from "../../../../../src/fleet/agents/answers.ts";
import type { HostRecord } from "../../../../../src/monitoring/resources/answers.ts";
import { runtimeStatusQuery } from "../../../api/queries.ts";
import { hostId, hostLabel } from "../../../app/host-id.ts";
import { NoSuchThing } from "../../../app/no-such-thing.tsx";
import { Page } from "../../../app/page.tsx";
import { useTitle } from "../../../app/use-title.ts";
import { hostMeters } from "../../../entities/hosts/host-meters.ts";
import { formatAge } from "../../../format/time.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { MeterBar, MeterFigure } from "../../../ui/meter.tsx";
import { Section } from "../../../ui/section.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { attentionList } from "../../../entities/attention/attention-list.ts";
import { AttentionRows } from "../../../entities/attention/attention-rows.tsx";
import { useWatched } from "../../../entities/attention/use-watched.ts";
import { useAgentList } from "../use-agent-list.ts";
import { hostState, isHostStale } from "../../../entities/hosts/host-state.ts";
import { MissingRights } from "../../../entities/hosts/missing-rights.tsx";
import { TopConsumers } from "../../../entities/hosts/top-consumers.tsx";
import { useHostRecords } from "../../../entities/hosts/use-host-records.ts";
import { useRowKeys } from "../../../lists/use-row-keys.ts";
import { AgentFacts, LocalFacts } from "./host-facts.tsx";
import { HostHeader } from "./host-header.tsx";
import { WatchedThere } from "./watched-there.tsx";

const route = getRouteApi("/hosts/$id");
const SHOWN_CONSUMERS = 5;

/** One host: how it is reached, what is wrong on it, what it uses, and what its agent says of itself. */
export function HostPage() {
  useRowKeys();
  const { id } = route.useParams();
  const { data, error, refetch } = useHostRecords();
  const { data: list, isLoading } = useAgentList();
  const host = data?.hosts.find((each) => hostId(each) === id);
  const agent = list?.agents.find((each) => each.id === id);
  useTitle(host === undefined ? "Host" : hostLabel(host));

  if (host !== undefined && !isLoading) return <Known key={id} host={host} agent={agent} />;
  if (data !== undefined && !isLoading) return <NoSuchHost />;
  return (
    <Page>
      {error === null ? (
        <div role="status" aria-label="Loading host">
          <Skeleton className="h-4 w-24" />
          <Skeleton className="mt-2 h-6 w-56" />
          <Skeleton className="mt-3 h-4 w-80 max-w-full" />
          <Skeleton className="mt-8 h-48 w-full" />
        </div>
      ) : (
        <ErrorNote what="Could not load the host." error={error} onRetry={() => void refetch()}>
          Monitoring continues.
        </ErrorNote>
      )}
    </Page>
  );
}

function Known({ host, agent }: { host: HostRecord; agent: AgentRecord | undefined }) {
  const id = hostId(host);
  const isLocal = host.agent_id === null;
  const { data: runtime } = useQuery({ ...runtimeStatusQuery, enabled: isLocal });
  const { watched, alerts, failed } = useWatched(id);
  return (
    <Page>
      <HostHeader host={host} agent={agent} runtime={runtime} state={hostState(host, { runtime, agent })} />
      {isLocal && <MissingRights />}
      {failed !== undefined && <ErrorNote what="Could not load everything on this host." error={failed.error} onRetry={failed.retry} />}
      {watched !== undefined && <AttentionRows list={attentionList(watched, alerts)} />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 lg:grid-cols-2">
        <div>
          <Section title="In use">
            <HostUsage host={host} isStale={isHostStale(host, agent)} />
          </Section>
          <Section title="On this host">
            <WatchedThere id={id} watched={watched} alerts={alerts} />
          </Section>
        </div>
        <Section title={isLocal ? "Facts" : "Agent"}>
          {isLocal || agent === undefined ? <LocalFacts host={host} runtime={runtime} /> : <AgentFacts agent={agent} />}
        </Section>
      </div>
      <Section title="Top consumers">
        <TopConsumers shown={SHOWN_CONSUMERS} host={id} />
      </Section>
    </Page>
  );
}

function NoSuchHost() {
  return (
    <NoSuchThing kind="Host" to="/hosts" list="hosts">
      It was deleted with all its data.
    </NoSuchThing>
  );
}

/** What a host has of CPU, memory and disk, and how much of that is in use; last known where nothing comes any more. */
function HostUsage({ host, isStale }: { host: HostRecord; isStale: boolean }) {
  return (
    <dl className="grid grid-cols-3 gap-x-5 gap-y-4 pt-4" data-stale={isStale || undefined}>
      {hostMeters(host).map(({ name, percent, amount }) => (
        <div key={name} className="min-w-0 [[data-stale]_&]:grayscale [[data-stale]_&_*]:text-ink-3">
          <dt className="text-xs text-ink-2">{name}</dt>
          <dd className="mt-0.5">
            <MeterFigure percent={percent} className="text-lg font-[550]" />
            <MeterBar percent={percent} className="mt-1" />
            <p className="mt-1 min-h-4 truncate text-xs text-ink-3 tabular-nums">{amount}</p>
          </dd>
        </div>
      ))}
      <div className="min-w-0 max-sm:col-span-2">
        <dt className="text-xs text-ink-2" title="1, 5 and 15 minute averages">
          Load 1, 5, 15 min
        </dt>
        <dd className="mt-0.5 [word-spacing:0.4em] tabular-nums [[data-stale]_&]:text-ink-3">
          {host.load === null ? "–" : host.load.map((value) => value.toFixed(2)).join(" ")}
        </dd>
      </div>
      <div className="min-w-0">
        <dt className="text-xs text-ink-2">Up</dt>
        <dd className="mt-0.5 tabular-nums [[data-stale]_&]:text-ink-3">
          {host.uptime_seconds === null ? "–" : formatAge(host.uptime_seconds * 1000)}
        </dd>
      </div>
    </dl>
  );
}
