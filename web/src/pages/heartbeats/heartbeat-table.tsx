import { useMemo } from "react";
import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/answers.ts";
import { useNamesHosts } from "../../app/hosts.ts";
import { ColumnHeads } from "../../lists/grid-table.tsx";
import { SelectAllBox } from "../../lists/select-box.tsx";
import type { Selection } from "../../lists/use-selection.ts";
import { VirtualTable } from "../../lists/virtual-table.tsx";
import { COLUMNS, HeartbeatRow } from "./heartbeat-row.tsx";

/** Beside that of the first, in which all rows are selected. */
const OTHER_TITLES = [
  "State",
  ["Schedule", "max-md:hidden"],
  ["Next expected", "max-xl:hidden"],
  ["Took", "text-right max-xl:hidden"],
  "Last 20 runs",
  ["Last ping", "text-right"],
] as const;

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
          <ColumnHeads titles={OTHER_TITLES} />
        </>
      }
      render={({ record }, index) => (
        <HeartbeatRow record={record} index={index} withHost={withHost} isSelected={selection.has(record.id)} onSelect={selection.toggle} />
      )}
    />
  );
}
