import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { RuntimeStatusRecord } from "../../../../src/app/meta/answers.ts";
import type { AgentRecord } from "../../../../src/fleet/agents/answers.ts";
import type { HostRecord } from "../../../../src/monitoring/resources/answers.ts";
import { hostId, hostLabel } from "../../app/host-id.ts";
import { formatCount } from "../../format/number.ts";
import { runtimeName } from "../../format/runtime-name.ts";
import { Name } from "../../ui/name.tsx";
import { HostMeterCells } from "../../entities/hosts/host-cells.tsx";
import { hostState, isHostStale } from "../../entities/hosts/host-state.ts";
import { HostWord } from "../../entities/hosts/host-word.tsx";
import { HostMarks } from "./host-marks.tsx";
import { formatEventRate } from "./words.ts";

/** The columns of the list on a wide screen; on others a row is a small block. */
export const COLUMNS = "xl:grid xl:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)_repeat(3,140px)_56px_88px_56px] xl:gap-x-4";

interface Properties {
  host: HostRecord;
  /** Of the local host only. */
  runtime: RuntimeStatusRecord | undefined;
  /** Of any other. */
  agent: AgentRecord | undefined;
  /** What runs there: the version of this program. */
  version: string | undefined;
  index: number;
}

/** One host: how it is reached, what it has in use, what comes of it. It renders again only when there is news of it. */
export const HostRow = memo(function HostRow({ host, runtime, agent, version, index }: Properties) {
  const software = host.runtime ?? agent?.runtime;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-stale={isHostStale(host, agent) || undefined}
      className={`${COLUMNS} relative border-t border-line py-2.5 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent max-xl:grid max-xl:grid-cols-3 max-xl:gap-x-5 max-xl:gap-y-2.5 max-md:-mx-4 max-md:px-4 md:px-2.5`}
    >
      <div role="cell" className="min-w-0 max-xl:col-span-2">
        <Link
          to="/hosts/$id"
          params={{ id: hostId(host) }}
          search={{}}
          className="block min-w-0 font-[550] outline-none after:absolute after:inset-0"
        >
          <Name>{hostLabel(host)}</Name>
        </Link>
        <p className="min-h-4 truncate text-xs text-ink-3" title={describe(host, agent)}>
          {describe(host, agent)}
        </p>
        {agent !== undefined && <HostMarks agent={agent} className="mt-1 xl:hidden" />}
      </div>
      <div role="cell" className="min-w-0 max-xl:justify-self-end">
        <HostWord state={hostState(host, { runtime, agent })} />
        {agent !== undefined && <HostMarks agent={agent} className="max-xl:hidden xl:pl-5" />}
      </div>
      <HostMeterCells host={host} withAmounts />
      <div
        role="cell"
        className="text-right tabular-nums max-xl:order-1 max-xl:text-left max-xl:text-xs max-xl:text-ink-2 [[data-stale]_&]:text-ink-3"
      >
        {formatCount(host.running_containers)}
        <span className="xl:hidden"> running</span>
      </div>
      <div role="cell" className="min-w-0 max-xl:order-1 max-xl:text-xs max-xl:text-ink-2 xl:pl-3">
        <p className="flex min-w-0 gap-1">
          <span className="xl:hidden">Version</span>
          <Name>{version ?? "–"}</Name>
        </p>
        <p className="truncate text-xs text-ink-3 max-xl:hidden">{software != null && runtimeName(software)}</p>
      </div>
      <div role="cell" className="text-right tabular-nums max-xl:order-1 max-xl:text-xs max-xl:text-ink-2" title="Events a second">
        {agent === undefined ? <span className="text-ink-3 max-xl:hidden">–</span> : formatEventRate(agent.events_per_second)}
        {agent !== undefined && <span className="xl:hidden"> events/s</span>}
      </div>
    </div>
  );
});

/** `local · nas · Debian GNU/Linux 12`. */
function describe({ agent_id, label, hostname, os }: HostRecord, agent: AgentRecord | undefined): string {
  const name = agent?.hostname ?? hostname;
  return [agent_id === null ? "local" : null, name === label ? null : name, agent?.os ?? os]
    .filter((part) => part !== null && part !== "")
    .join(" · ");
}
