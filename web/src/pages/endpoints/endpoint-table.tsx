import { useMemo } from "react";
import type { EndpointRecord, Sparklines } from "../../../../src/monitoring/endpoints/answers.ts";
import { useNamesHosts } from "../../app/hosts.ts";
import { useMedia } from "../../app/use-media.ts";
import { COLUMN_CLASSES } from "../../entities/endpoints/columns.ts";
import { COLUMNS, EndpointRow } from "../../entities/endpoints/endpoint-row.tsx";
import type { EndpointColumn } from "../../entities/endpoints/search.ts";
import type { ColumnAttributes } from "../../lists/columns.ts";
import { SelectAllBox } from "../../lists/select-box.tsx";
import type { Selection } from "../../lists/use-selection.ts";
import { VirtualTable } from "../../lists/virtual-table.tsx";
import { classNames } from "../../ui/class-names.ts";

interface Properties {
  label: string;
  endpoints: readonly EndpointRecord[];
  lines: Sparklines["endpoints"] | undefined;
  /** Which columns are shown; undefined: as many as fit. */
  chosen: readonly EndpointColumn[] | undefined;
  attributes: ColumnAttributes;
  /** Undefined where there is nothing to select for. */
  selection: Selection<EndpointRecord> | undefined;
}

/** The list of endpoints. */
export function EndpointTable({ label, endpoints, lines, chosen, attributes, selection }: Properties) {
  const isWide = useMedia("(min-width: 1280px)");
  const isWidest = useMedia("(min-width: 90rem)");
  const withBars = chosen === undefined ? isWidest : isWide && chosen.includes("days");
  const withHost = useNamesHosts();
  const items = useMemo(() => endpoints.map((endpoint) => ({ kind: "row" as const, key: String(endpoint.id), endpoint })), [endpoints]);
  return (
    <VirtualTable
      label={label}
      items={items}
      columns={COLUMNS}
      attributes={attributes}
      isSelecting={selection?.isOn === true}
      head={
        <>
          <span role="columnheader" aria-label="Name">
            {selection !== undefined && (
              <SelectAllBox isAny={selection.rows.length > 0} areAll={selection.areAll} onToggle={selection.toggleAll} />
            )}
            Name
          </span>
          <span role="columnheader" className={COLUMN_CLASSES.target}>
            Target
          </span>
          <span role="columnheader">Status</span>
          <span role="columnheader" className={classNames("text-right", COLUMN_CLASSES.response)}>
            Response
          </span>
          <span role="columnheader" className={classNames("text-right", COLUMN_CLASSES.uptime)}>
            Uptime 24 h
          </span>
          {withBars && <span role="columnheader">Uptime 90 days</span>}
          <span role="columnheader" className={classNames("text-right", COLUMN_CLASSES.since)}>
            Since
          </span>
        </>
      }
      render={({ endpoint }, index) => (
        <EndpointRow
          endpoint={endpoint}
          index={index}
          withHost={withHost}
          points={lines?.[endpoint.id]?.points}
          withBars={withBars}
          isSelected={selection?.has(endpoint.id) === true}
          onSelect={selection?.toggle}
        />
      )}
    />
  );
}
