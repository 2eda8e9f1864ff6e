import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useMemo } from "react";
import type { AgentRecord } from "../../../../src/fleet/agents/answers.ts";
import type { HostRecord } from "../../../../src/monitoring/resources/answers.ts";
import { isApiError } from "../../api/client.ts";
import { healthQuery } from "../../api/queries.ts";
import { useCapability } from "../../app/capability.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { useTitle } from "../../app/use-title.ts";
import { countOf, formatCount } from "../../format/number.ts";
import { buttonClass } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { MissingRights } from "../../entities/hosts/missing-rights.tsx";
import { useHostRecords } from "../../entities/hosts/use-host-records.ts";
import { EditionGate } from "../../entities/updates/gate.tsx";
import { FleetTable } from "./fleet-table.tsx";
import { NoOtherHosts } from "./other-hosts.tsx";
import { TokenSection } from "./token-section.tsx";
import { useAgentList } from "./use-agent-list.ts";

const NONE: readonly AgentRecord[] = [];
const NO_HOSTS: readonly HostRecord[] = [];

/** Every host that is watched: how it is reached, what it uses, what waits on it; and how to add one. */
export function HostsPage() {
  const { data, error, refetch } = useHostRecords();
  const list = useAgentList();
  const { isGranted, isAsked, edition } = useCapability()("agents");
  const mode = useQuery(healthQuery).data?.mode;
  const agents = list.data?.agents ?? NONE;
  const byId = useMemo(() => new Map(agents.map((agent) => [agent.id, agent])), [agents]);
  const hosts = data?.hosts ?? NO_HOSTS;
  useTitle(data === undefined ? "Hosts" : `Hosts (${formatCount(hosts.length)})`);
  // While the server is out of reach, the notice above the page says so.
  const hasFailed = error !== null && (data === undefined || !isApiError(error, "unreachable"));
  const agentsFailed = list.error !== null && !isApiError(list.error, "unreachable");

  return (
    <Page>
      <PageHeader title="Hosts" note={hosts.length > 0 && countNote(hosts.length, agents)}>
        {isGranted && !isAsked && mode === "server" && (
          <Link to="/hosts/new" className={buttonClass("primary", "max-sm:w-full")}>
            <Plus size={16} aria-hidden /> Add host
          </Link>
        )}
      </PageHeader>
      {hasFailed && <ErrorNote what="Could not load hosts." error={error} onRetry={() => void refetch()} />}
      {agentsFailed && (
        <ErrorNote what="Could not load agent connections." error={list.error} onRetry={() => void list.refetch()}>
          Monitoring continues.
        </ErrorNote>
      )}
      {data === undefined && error === null && (
        <div className="mt-11">
          <SkeletonRows count={3} label="Loading hosts" />
        </div>
      )}
      {hosts.length > 0 && <FleetTable hosts={hosts} agents={byId} />}
      <MissingRights />
      {!isGranted && (
        <EditionGate edition={edition} what="Other hosts">
          an agent on each host that sends containers, endpoints, certificates and metrics to this server, with one list of alerts for all
          hosts. The local host is monitored in every edition.
        </EditionGate>
      )}
      {list.data !== undefined && agents.length === 0 && <NoOtherHosts isAlone={hosts.length === 0} />}
      <TokenSection />
    </Page>
  );
}

function countNote(count: number, agents: readonly AgentRecord[]): string {
  const lost = agents.filter(({ status, connection_state }) => status === "active" && connection_state === "disconnected").length;
  const revoked = agents.filter(({ status }) => status === "revoked").length;
  const behind = agents.filter(({ spool }) => spool.draining).length;
  return [
    countOf(count, "host"),
    lost === 0 ? "" : `${formatCount(lost)} not connected`,
    revoked === 0 ? "" : `${formatCount(revoked)} revoked`,
    behind === 0 ? "" : `${formatCount(behind)} ${behind === 1 ? "catches" : "catch"} up`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}
