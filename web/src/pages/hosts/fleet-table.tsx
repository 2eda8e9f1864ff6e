import { useQuery } from "@tanstack/react-query";
import type { AgentRecord } from "../../../../src/fleet/agents/answers.ts";
import type { HostRecord } from "../../../../src/monitoring/resources/answers.ts";
import { healthQuery, runtimeStatusQuery } from "../../api/queries.ts";
import { ColumnHeads } from "../../lists/grid-table.tsx";
import { ROWS_CLASS } from "../../lists/row-class.ts";
import { useRowKeys } from "../../lists/use-row-keys.ts";
import { COLUMNS, HostRow } from "./host-row.tsx";

const TITLES = [
  "Host",
  "State",
  "CPU",
  "Memory",
  "Disk",
  ["Running", "text-right"],
  ["Version", "pl-3"],
  ["Events/s", "text-right"],
] as const;

/** Every host, in the order given; `j` and `k` go from row to row. */
export function FleetTable({ hosts, agents }: { hosts: readonly HostRecord[]; agents: ReadonlyMap<string, AgentRecord> }) {
  const { data: runtime } = useQuery(runtimeStatusQuery);
  const version = useQuery(healthQuery).data?.version;

  useRowKeys();

  return (
    <div role="table" aria-label="Hosts" aria-rowcount={hosts.length + 1} className="mt-3">
      <div role="rowgroup" className="sticky top-13 z-10 bg-bg max-xl:sr-only">
        <div role="row" aria-rowindex={1} className={`${COLUMNS} h-8 items-center px-2.5 text-xs font-medium text-ink-3`}>
          <ColumnHeads titles={TITLES} />
        </div>
      </div>
      <div role="rowgroup" className={ROWS_CLASS}>
        {hosts.map((host, index) => {
          const agent = host.agent_id === null ? undefined : agents.get(host.agent_id);
          return (
            <HostRow
              key={host.agent_id}
              host={host}
              runtime={host.agent_id === null ? runtime : undefined}
              agent={agent}
              version={host.agent_id === null ? version : agent?.version}
              index={index}
            />
          );
        })}
      </div>
    </div>
  );
}
