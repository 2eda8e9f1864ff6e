import { useQuery } from "@tanstack/react-query";
import { memo } from "react";
import type { RuntimeStatusRecord } from "../../../../src/app/meta/answers.ts";
import type { AgentRecord } from "../../../../src/fleet/agents/answers.ts";
import type { HostRecord } from "../../../../src/monitoring/resources/answers.ts";
import { runtimeStatusQuery } from "../../api/queries.ts";
import { useAgents } from "../../app/agents.ts";
import { formatCount } from "../../format/number.ts";
import { formatAge } from "../../format/time.ts";
import { ColumnHeads } from "../../lists/grid-table.tsx";
import { HostMeterCells } from "../../entities/hosts/host-cells.tsx";
import { hostState, isHostStale } from "../../entities/hosts/host-state.ts";
import { HostLink } from "../../entities/hosts/host-link.tsx";
import { HostWord } from "../../entities/hosts/host-word.tsx";

const COLUMNS = "xl:grid xl:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)_repeat(3,144px)_132px_56px] xl:gap-x-4";
const TITLES = ["Host", "State", "CPU", "Memory", "Disk", ["Load 1, 5, 15 min", "text-right"], ["Running", "text-right"]] as const;

/** Every host at length: how it is reached, what it has of CPU, memory and disk, and how much of that is in use. */
export function HostList({ hosts }: { hosts: readonly HostRecord[] }) {
  const { data: runtime } = useQuery(runtimeStatusQuery);
  const agents = useAgents();
  return (
    <div role="table" aria-label="Hosts">
      <div role="row" className={`${COLUMNS} h-8 items-center text-xs font-medium text-ink-3 max-xl:sr-only`}>
        <ColumnHeads titles={TITLES} />
      </div>
      {hosts.map((host) => (
        <HostRow
          key={host.agent_id}
          host={host}
          runtime={host.agent_id === null ? runtime : undefined}
          agent={host.agent_id === null ? undefined : agents.get(host.agent_id)}
        />
      ))}
    </div>
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
      className={`${COLUMNS} border-t border-line py-2.5 max-xl:grid max-xl:grid-cols-3 max-xl:gap-x-5 max-xl:gap-y-2.5 max-xl:first:border-t-0`}
    >
      <div role="cell" className="min-w-0 max-xl:col-span-2">
        <HostLink host={host} />
        <Second>{describe(host)}</Second>
      </div>
      <div role="cell" className="min-w-0 max-xl:justify-self-end">
        <HostWord state={hostState(host, { runtime, agent })} />
        <Second className="max-xl:text-right xl:pl-5">
          {host.available && host.uptime_seconds !== null && `up ${formatAge(host.uptime_seconds * 1000)}`}
        </Second>
      </div>
      <HostMeterCells host={host} withAmounts />
      <div
        role="cell"
        className="text-right text-sm tabular-nums max-xl:order-1 max-xl:col-span-2 max-xl:text-left max-xl:text-xs max-xl:text-ink-2 [[data-stale]_&]:text-ink-3"
      >
        <span className="xl:hidden">Load </span>
        <span title="1, 5 and 15 minute averages" className="[word-spacing:0.4em]">
          {host.load === null ? "–" : host.load.map((value) => value.toFixed(2)).join(" ")}
        </span>
      </div>
      <div role="cell" className="text-right tabular-nums max-xl:order-1 max-xl:text-xs max-xl:text-ink-2 [[data-stale]_&]:text-ink-3">
        {formatCount(host.running_containers)}
        <span className="xl:hidden"> running</span>
      </div>
    </div>
  );
});

/** `local · nas · Debian GNU/Linux 12`. */
function describe({ agent_id, label, hostname, os }: HostRecord): string {
  return [agent_id === null ? "local" : null, hostname === label ? null : hostname, os].filter((part) => part !== null).join(" · ");
}

/** The second line of a cell. It keeps its place when there is nothing to say. */
function Second({ children, className = "" }: { children: string | false; className?: string }) {
  return (
    <p className={`min-h-4 truncate text-xs text-ink-3 ${className}`} title={children === false ? undefined : children}>
      {children}
    </p>
  );
}
