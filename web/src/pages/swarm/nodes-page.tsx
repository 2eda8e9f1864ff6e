import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { NodeRecord } from "../../../../src/monitoring/swarm/answers.ts";
import { swarmNodesQuery } from "../../api/swarm.ts";
import { hostId } from "../../app/host-id.ts";
import { useTitle } from "../../app/use-title.ts";
import { countOf, formatCount } from "../../format/number.ts";
import { asObserved, nodeStatus, observedBy } from "../../format/service-status.ts";
import { GridTable } from "../../lists/grid-table.tsx";
import { Changed } from "../../ui/changed.tsx";
import { classNames } from "../../ui/class-names.ts";
import { EntityLink } from "../../ui/entity-link.tsx";
import { Name } from "../../ui/name.tsx";
import { StatusWord } from "../../ui/status-word.tsx";
import { SwarmFrame } from "./swarm-frame.tsx";
import { useRowKeys } from "../../lists/use-row-keys.ts";

const route = getRouteApi("/swarm/nodes");

const COLUMNS =
  "grid items-center gap-x-4 md:grid-cols-[minmax(0,1.2fr)_minmax(0,1.6fr)_112px_56px] xl:grid-cols-[minmax(0,1.2fr)_minmax(0,1.6fr)_96px_120px_144px_112px_56px]";
const TITLES = [
  "Node",
  "Status",
  "Role",
  ["Address", "max-xl:hidden"],
  ["Engine", "max-xl:hidden"],
  ["Containers", "max-xl:hidden"],
  ["Tasks", "text-right"],
] as const;

/** The nodes of swarms: which of them lead, take tasks and are reached. */
export function NodesPage() {
  useRowKeys();
  const { node: chosen } = route.useSearch();
  const { data, error, isPending, refetch } = useQuery(swarmNodesQuery);
  const isObserved = observedBy(data?.clusters ?? []);
  useTitle(data === undefined ? "Swarm nodes" : `Swarm nodes (${formatCount(data.nodes.length)})`);
  return (
    <SwarmFrame
      note={data && `${countOf(data.total, "node")}, ${countOf(data.nodes.filter(({ role }) => role === "manager").length, "manager")}`}
      clusters={data?.clusters}
      error={error}
      isPending={isPending}
      onRetry={() => void refetch()}
    >
      {data !== undefined && (
        <GridTable label="Nodes" columns={COLUMNS} titles={TITLES} sticks className="mt-3">
          {data.nodes.map((node) => (
            <NodeRow key={node.id} node={node} isObserved={isObserved(node)} isChosen={node.id === chosen} />
          ))}
        </GridTable>
      )}
    </SwarmFrame>
  );
}

function NodeRow({ node, isObserved, isChosen }: { node: NodeRecord; isObserved: boolean; isChosen: boolean }) {
  const status = asObserved(nodeStatus(node), isObserved);
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: "center" });
  }, [isChosen]);
  const role = node.leader ? "Leader" : node.role === "manager" ? "Manager" : "Worker";
  return (
    <div
      role="row"
      ref={row}
      aria-current={isChosen || undefined}
      className={classNames(
        COLUMNS,
        isChosen && "bg-sunken",
        "relative h-(--row-narrow) grid-cols-[minmax(0,1fr)_auto] border-t border-line max-md:-mx-4 max-md:content-center max-md:gap-y-0.5 max-md:px-4 md:h-(--row) md:px-2.5",
      )}
    >
      <div role="cell" className="min-w-0 font-[550]">
        <Name>{node.hostname}</Name>
      </div>
      <div role="cell" className="min-w-0 max-md:order-3 max-md:text-sm">
        <Changed value={`${status.word} ${status.cause}`} className="flex min-w-0">
          <StatusWord status={status} />
        </Changed>
      </div>
      <div role="cell" className="text-ink-2">
        <Changed value={role}>{role}</Changed>
      </div>
      <div role="cell" className="truncate text-ink-2 tabular-nums max-xl:hidden">
        {node.address ?? "–"}
      </div>
      <div role="cell" className="truncate text-ink-2 tabular-nums max-xl:hidden" title={node.engine_version ?? undefined}>
        {node.engine_version ?? "–"}
      </div>
      <div role="cell" className="text-ink-2 max-xl:hidden">
        {node.watched ? (
          <EntityLink type="host" id={hostId(node)} className="underline underline-offset-2 hover:text-ink">
            Monitored
          </EntityLink>
        ) : (
          "Not monitored"
        )}
      </div>
      <div role="cell" className="text-right tabular-nums max-md:order-4 max-md:text-xs max-md:text-ink-2">
        <Changed value={node.tasks}>
          {node.tasks}
          <span className="md:hidden"> {node.tasks === 1 ? "task" : "tasks"}</span>
        </Changed>
      </div>
    </div>
  );
}
