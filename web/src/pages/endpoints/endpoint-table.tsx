import { useMemo } from "react";
import type { EndpointRecord, Sparklines } from "../../../../src/monitoring/endpoints/answers.ts";
import { useNamesHosts } from "../../app/hosts.ts";
import { useMedia } from "../../app/use-media.ts";
import { COLUMNS, EndpointRow } from "../../entities/endpoints/endpoint-row.tsx";
import { VirtualTable } from "../../lists/virtual-table.tsx";

interface Properties {
  label: string;
  endpoints: readonly EndpointRecord[];
  lines: Sparklines["endpoints"] | undefined;
}

/** The list of endpoints. */
export function EndpointTable({ label, endpoints, lines }: Properties) {
  const withBars = useMedia("(min-width: 90rem)");
  const withHost = useNamesHosts();
  const items = useMemo(() => endpoints.map((endpoint) => ({ kind: "row" as const, key: String(endpoint.id), endpoint })), [endpoints]);
  return (
    <VirtualTable
      label={label}
      items={items}
      columns={COLUMNS}
      head={
        <>
          <span role="columnheader">Name</span>
          <span role="columnheader" className="max-xl:hidden">
            Target
          </span>
          <span role="columnheader">Status</span>
          <span role="columnheader" className="text-right">
            Response
          </span>
          <span role="columnheader" className="text-right">
            24 h
          </span>
          {withBars && <span role="columnheader">90 days</span>}
          <span role="columnheader" className="text-right">
            Since
          </span>
        </>
      }
      render={({ endpoint }, index) => (
        <EndpointRow endpoint={endpoint} index={index} withHost={withHost} points={lines?.[endpoint.id]?.points} withBars={withBars} />
      )}
    />
  );
}
