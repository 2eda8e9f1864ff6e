import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import type { HostRecord, Top } from "../../../../src/monitoring/resources/answers.ts";
import { containersQuery, editionQuery } from "../../api/queries.ts";
import { useChosenHost, useHostName, useNamesHosts } from "../../app/hosts.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { RuntimeNotice } from "../../app/runtime-notice.tsx";
import { useTitle } from "../../app/use-title.ts";
import { editionName } from "../../format/edition-name.ts";
import { countOf } from "../../format/number.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { applyFilter } from "../../entities/containers/filter.ts";
import { HostList } from "./host-list.tsx";
import { RankNote, RankSwitch } from "./rank-switch.tsx";
import { ofHost } from "../../entities/hosts/host-state.ts";
import { MissingRights } from "../../entities/hosts/missing-rights.tsx";
import { ThresholdsSection } from "./thresholds-section.tsx";
import { TopConsumers } from "../../entities/hosts/top-consumers.tsx";
import { useHostRecords } from "../../entities/hosts/use-host-records.ts";
import { useRowKeys } from "../../lists/use-row-keys.ts";

const route = getRouteApi("/resources");
const SHOWN_CONSUMERS = 10;

/** What the hosts have and use, who uses the most of it, and what is watched. */
export function ResourcesPage() {
  useRowKeys();
  const chosen = useChosenHost();
  const nameOf = useHostName();
  const withHosts = useNamesHosts();
  const { data: list } = useQuery(containersQuery());
  const groups = useMemo(() => applyFilter(list?.groups ?? [], { host: chosen }), [list, chosen]);
  const { data, error, refetch } = useHostRecords();
  const { by, required, isRefused } = useRanking();
  const hosts = ofHost(data?.hosts ?? [], chosen);
  useTitle(data === undefined ? "Resources" : `Resources (${countOf(hosts.length, "host")})`);

  return (
    <Page>
      <PageHeader
        title="Resources"
        note={data && (hosts.length > 0 || chosen !== undefined) && hostsNote(hosts, chosen === undefined ? undefined : nameOf(chosen))}
      />
      <RuntimeNotice />
      <Section title="Hosts">
        {error !== null && data === undefined && <ErrorNote what="Could not load hosts." error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <SkeletonRows count={2} label="Loading hosts" />}
        {data !== undefined && hosts.length === 0 && (
          <p className="py-2 text-ink-2">{chosen === undefined ? "No hosts yet." : "No data from this host. Choose another host above."}</p>
        )}
        {hosts.length > 0 && <HostList hosts={hosts} />}
        <MissingRights />
      </Section>
      <Section title="Top consumers" aside={<RankSwitch by={by} required={required} />}>
        {isRefused && <RankNote required={required} />}
        <TopConsumers shown={SHOWN_CONSUMERS} host={chosen} by={by} />
      </Section>
      <ThresholdsSection groups={groups} withHosts={withHosts} />
    </Page>
  );
}

/** What ranks the top consumers. `isRefused`: the address asks for what only the edition `required` grants. */
function useRanking(): { by: Top["by"]; required: string | undefined; isRefused: boolean } {
  const { by = "use" } = route.useSearch();
  const { data: edition } = useQuery(editionQuery);
  const capability = edition?.capabilities.find(({ name }) => name === "history_24h");
  const required = capability === undefined || capability.granted ? undefined : editionName(capability.required_edition);
  const isRefused = required !== undefined && by === "growth";
  return { by: isRefused ? "use" : by, required, isRefused };
}

function hostsNote(hosts: readonly HostRecord[], name: string | undefined): string {
  const running = hosts.reduce((sum, host) => sum + host.running_containers, 0);
  const where = name ?? countOf(hosts.length, "host");
  return `${countOf(running, "running container")} on ${where}`;
}
