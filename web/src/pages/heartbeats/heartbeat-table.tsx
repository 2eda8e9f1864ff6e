import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/answers.ts";
import { useNamesHosts } from "../../app/hosts.ts";
import { useRowKeys } from "../../lists/use-row-keys.ts";
import { classNames } from "../../ui/class-names.ts";
import { COLUMNS, HeartbeatRow } from "./heartbeat-row.tsx";

/** The list itself; `j` and `k` go from row to row. */
export function HeartbeatTable({ heartbeats }: { heartbeats: readonly HeartbeatRecord[] }) {
  const withHost = useNamesHosts();

  useRowKeys();

  return (
    <div role="table" aria-label="Heartbeats" aria-rowcount={heartbeats.length + 1} className="mt-3">
      <div className="sticky top-13 z-10 bg-bg max-md:sr-only">
        <div role="row" aria-rowindex={1} className={classNames(COLUMNS, "h-8 px-2.5 text-xs font-medium text-ink-3")}>
          <span role="columnheader">Name</span>
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
        </div>
      </div>
      <div role="rowgroup" className="border-b border-line">
        {heartbeats.map((record, index) => (
          <HeartbeatRow key={record.id} record={record} index={index} withHost={withHost} />
        ))}
      </div>
    </div>
  );
}
