import { useMemo } from "react";
import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/answers.ts";
import { useNamesHosts } from "../../app/hosts.ts";
import { SelectAllBox } from "../../lists/select-box.tsx";
import type { Selection } from "../../lists/use-selection.ts";
import { VirtualTable } from "../../lists/virtual-table.tsx";
import { COLUMNS, HeartbeatRow } from "./heartbeat-row.tsx";

interface Properties {
  heartbeats: readonly HeartbeatRecord[];
  selection: Selection<HeartbeatRecord>;
}

/** The list of heartbeats. */
export function HeartbeatTable({ heartbeats, selection }: Properties) {
  const withHost = useNamesHosts();
  const items = useMemo(() => heartbeats.map((record) => ({ kind: "row" as const, key: String(record.id), record })), [heartbeats]);
  return (
    <VirtualTable
      label="Heartbeats"
      items={items}
      columns={COLUMNS}
      isSelecting={selection.isOn}
      head={
        <>
          <span role="columnheader" aria-label="Name">
            <SelectAllBox isAny={selection.rows.length > 0} areAll={selection.areAll} onToggle={selection.toggleAll} />
            Name
          </span>
          <span role="columnheader">State</span>
          <span role="columnheader" className="max-md:hidden">
            Schedule
          </span>
          <span role="columnheader" className="max-xl:hidden">
            Next expected
          </span>
          <span role="columnheader" className="text-right max-xl:hidden">
            Took
          </span>
          <span role="columnheader">Last 20 runs</span>
          <span role="columnheader" className="text-right">
            Last ping
          </span>
        </>
      }
      render={({ record }, index) => (
        <HeartbeatRow record={record} index={index} withHost={withHost} isSelected={selection.has(record.id)} onSelect={selection.toggle} />
      )}
    />
  );
}
