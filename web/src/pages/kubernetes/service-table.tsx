import type { ServiceRecord } from "../../../../src/monitoring/kubernetes/api.ts";
import { GridTable } from "../../lists/grid-table.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Name } from "../../ui/name.tsx";
import { portText } from "./network-filter.ts";
import { useFirst } from "./show-more.tsx";
import { WorkloadLinks } from "./workload-links.tsx";

const FIRST = 200;
const COLUMNS =
  "grid gap-x-4 gap-y-0.5 grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[minmax(0,1.2fr)_112px_minmax(0,1.2fr)_minmax(0,0.8fr)_minmax(0,0.8fr)] md:items-center";
const TITLES = ["Service", "Type", "Ports", "External address", "Leads to"];

/** Services with their ports, and the workloads whose pods they select. */
export function ServiceTable({ services }: { services: readonly ServiceRecord[] }) {
  const { shown, more } = useFirst(services, FIRST, "service");
  return (
    <>
      <GridTable label="Services" columns={COLUMNS} titles={TITLES}>
        {shown.map(({ id, name, namespace, type, ports, external_addresses: addresses, workloads }) => (
          <div key={id} role="row" className={classNames(COLUMNS, "min-h-9 border-t border-line py-1.5")}>
            <div role="cell" className="min-w-0 font-[550]">
              <Name>{`${namespace}/${name}`}</Name>
            </div>
            <div role="cell" className="text-ink-2">
              {type}
            </div>
            <div role="cell" className="min-w-0 wrap-anywhere text-ink-2 tabular-nums max-md:order-3 max-md:col-span-2 max-md:text-sm">
              {ports.map(portText).join("; ") || "–"}
            </div>
            <div
              role="cell"
              className={classNames("min-w-0 text-ink-2 max-md:order-4 max-md:text-sm", addresses.length === 0 && "max-md:hidden")}
            >
              <Name>{addresses.join(", ") || "–"}</Name>
            </div>
            <div role="cell" className="min-w-0 max-md:order-5 max-md:col-span-2 max-md:text-sm">
              <WorkloadLinks workloads={workloads} />
            </div>
          </div>
        ))}
      </GridTable>
      {more}
    </>
  );
}
