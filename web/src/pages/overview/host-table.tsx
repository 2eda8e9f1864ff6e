import { useQuery } from "@tanstack/react-query";
import { memo } from "react";
import type { RuntimeStatusRecord } from "../../../../src/app/meta/answers.ts";
import type { AgentRecord } from "../../../../src/fleet/agents/answers.ts";
import type { HostRecord } from "../../../../src/monitoring/resources/answers.ts";
import { runtimeStatusQuery } from "../../api/queries.ts";
import { useAgents } from "../../app/agents.ts";
import { localRuntimeLoss, useChosenHost } from "../../app/hosts.ts";
import { formatCount } from "../../format/number.ts";
import { runtimeText } from "../../format/runtime-name.ts";
import { ColumnHeads } from "../../lists/grid-table.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { HostMeterCells } from "../../entities/hosts/host-cells.tsx";
import { hostState, isHostStale, ofHost } from "../../entities/hosts/host-state.ts";
import { HostLink } from "../../entities/hosts/host-link.tsx";
import { HostWord } from "../../entities/hosts/host-word.tsx";
import { MissingRights } from "../../entities/hosts/missing-rights.tsx";
import { useHostRecords } from "../../entities/hosts/use-host-records.ts";

const COLUMNS = "xl:grid xl:grid-cols-[minmax(0,1.3fr)_minmax(0,1.2fr)_repeat(3,144px)_64px] xl:gap-x-5";
const TITLES = ["Host", "State", "CPU", "Memory", "Disk", ["Running", "text-right"]] as const;

/** The hosts: how their runtimes are reached, and what is in use of them. */
export function HostTable() {
  const { data: runtime } = useQuery(runtimeStatusQuery);
  const agents = useAgents();
  const chosen = useChosenHost();
  const { data, error, refetch } = useHostRecords();
  return (
    <>
      {error !== null && data === undefined && <ErrorNote what="Could not load hosts." error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonRows count={1} label="Loading hosts" />}
      {data !== undefined && (
        <div role="table" aria-label="Hosts">
          <div role="row" className={`${COLUMNS} h-8 items-center text-xs font-medium text-ink-3 max-xl:sr-only`}>
            <ColumnHeads titles={TITLES} />
          </div>
          {ofHost(data.hosts, chosen).map((host) => (
            <HostRow
              key={host.agent_id}
              host={host}
              runtime={host.agent_id === null ? runtime : undefined}
              agent={host.agent_id === null ? undefined : agents.get(host.agent_id)}
            />
          ))}
        </div>
      )}
      <MissingRights />
    </>
  );
}

interface RowProperties {
  host: HostRecord;
  runtime: RuntimeStatusRecord | undefined;
  agent: AgentRecord | undefined;
}

/** One host. It renders again only when there is news of it. */
const HostRow = memo(function HostRow({ host, runtime, agent }: RowProperties) {
  return (
    <div
      role="row"
      data-stale={isHostStale(host, agent) || undefined}
      className={`${COLUMNS} min-h-(--row) items-center border-t border-line max-xl:grid max-xl:grid-cols-3 max-xl:gap-x-5 max-xl:gap-y-2 max-xl:py-2.5`}
    >
      <div role="cell" className="min-w-0 max-xl:col-span-2">
        <HostLink host={host} />
      </div>
      <div role="cell" title={runtime && runtimeWords(runtime)} className="min-w-0 max-xl:justify-self-end">
        <HostWord state={hostState(host, { runtime, agent })} />
      </div>
      <HostMeterCells host={host} />
      <div role="cell" className="text-right tabular-nums max-xl:hidden [[data-stale]_&]:text-ink-3">
        {host.agent_id === null && host.running_containers === 0 && runtime !== undefined && localRuntimeLoss(runtime) !== undefined
          ? "–"
          : formatCount(host.running_containers)}
      </div>
    </div>
  );
});

function runtimeWords({ runtime, version, api_version }: RuntimeStatusRecord): string {
  return [runtimeText(runtime, version), api_version === null ? null : `API ${api_version}`].filter((part) => part !== null).join(" · ");
}
