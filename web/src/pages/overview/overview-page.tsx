import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, type ReactNode } from "react";
import type { ContainerList } from "../../../../src/monitoring/containers/api.ts";
import { isApiError } from "../../api/client.ts";
import { containersQuery } from "../../api/queries.ts";
import { useChosenHost } from "../../app/hosts.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { RuntimeNotice, useIsStale } from "../../app/runtime-notice.tsx";
import { useTitle } from "../../app/use-title.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton, SkeletonRows } from "../../ui/skeleton.tsx";
import { applyFilter } from "../containers/filter.ts";
import { FirstContainer } from "../containers/no-containers.tsx";
import { TopConsumers } from "../resources/top-consumers.tsx";
import { attentionList, tellState } from "./attention.ts";
import { AttentionRows } from "./attention-rows.tsx";
import { GroupTable } from "./group-table.tsx";
import { HostTable } from "./host-table.tsx";
import { LatestChanges } from "./latest-changes.tsx";
import { Welcome } from "./welcome.tsx";

const SHOWN_CONSUMERS = 5;

/** Is everything all right, and if not: what, since when, why? */
export function OverviewPage() {
  const host = useChosenHost();
  const { data, error, refetch } = useQuery(containersQuery());
  // While the server is out of reach, the notice above the page tells.
  const hasFailed = error !== null && (data === undefined || !isApiError(error, "unreachable"));
  const groups = useMemo(() => applyFilter(data?.groups ?? [], { host }), [data, host]);
  return (
    <Page>
      {data !== undefined && <Known groups={groups} />}
      {data === undefined && error === null && <Reading />}
      {hasFailed && (
        <ErrorNote what="The containers could not be read." error={error} onRetry={() => void refetch()}>
          Your containers are not affected.{data !== undefined && " What is shown above was read before."}
        </ErrorNote>
      )}
    </Page>
  );
}

function Known({ groups }: { groups: ContainerList["groups"] }) {
  const containers = useMemo(() => groups.flatMap((group) => group.containers), [groups]);
  const attention = useMemo(() => attentionList(containers), [containers]);
  const { headline, rest } = tellState(containers);
  const stale = useIsStale();
  useTitle(attention.length === 0 ? "Overview" : headline);

  if (containers.length === 0) {
    return (
      <>
        <PageHeader title={stale ? "Nothing is known of this host yet" : "No containers yet"} />
        <RuntimeNotice />
        {!stale && (
          <div className="mt-3 flex max-w-[68ch] flex-col items-start gap-3 text-ink-2">
            <FirstContainer />
          </div>
        )}
        <Section title="Hosts">
          <HostTable />
        </Section>
      </>
    );
  }
  return (
    <>
      <PageHeader title={stale ? `When last seen: ${lowerFirst(headline)}` : headline} />
      <p className="mt-1 min-h-5 text-ink-2">{rest}</p>
      <RuntimeNotice />
      <AttentionRows list={attention} />
      <Welcome groups={groups} />
      <Section title="Groups" aside={<More to="/containers">All containers</More>}>
        <GroupTable groups={groups} />
      </Section>
      <Section title="Latest changes">
        <LatestChanges containers={containers} />
      </Section>
      <Section title="Hosts">
        <HostTable />
      </Section>
      <Section title="Top consumers" aside={<More to="/resources">All resources</More>}>
        <TopConsumers shown={SHOWN_CONSUMERS} />
      </Section>
    </>
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function More({ to, children }: { to: "/containers" | "/resources"; children: ReactNode }) {
  return (
    <Link to={to} className="hover:text-ink hover:underline">
      {children}
    </Link>
  );
}

function Reading() {
  useTitle("Overview");
  return (
    <>
      <Skeleton className="h-7 w-80 max-w-full" />
      <Skeleton className="mt-2 h-4 w-64" />
      <div className="mt-8">
        <SkeletonRows count={6} label="Reading the containers" />
      </div>
    </>
  );
}
