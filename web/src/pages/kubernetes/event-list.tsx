import { Link } from "@tanstack/react-router";
import type { ClusterEventRecord } from "../../../../src/monitoring/kubernetes/api.ts";
import { formatCount } from "../../format/number.ts";
import { formatExact } from "../../format/time.ts";
import { GridTable } from "../../lists/grid-table.tsx";
import { Age } from "../../ui/age.tsx";
import { classNames } from "../../ui/class-names.ts";
import { StatusIcon } from "../../ui/status-icon.tsx";

const COLUMNS =
  "grid gap-x-4 gap-y-0.5 grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[minmax(0,0.55fr)_minmax(0,0.9fr)_minmax(0,2fr)_56px_64px]";
const TITLES = ["Reason", "About", "Message", ["Times", "text-right"], ["Last", "text-right"]] as const;

/** Events of a cluster, in the order given: why, about what, the message, how often, when last. */
export function EventList({ label, events }: { label: string; events: readonly ClusterEventRecord[] }) {
  return (
    <GridTable label={label} columns={COLUMNS} titles={TITLES}>
      {events.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </GridTable>
  );
}

function EventRow({
  event: { type, reason, message, about, namespace, workload_id: workloadId, count, first_at, last_at },
}: {
  event: ClusterEventRecord;
}) {
  const name = `${about.kind} ${namespace === "" ? "" : `${namespace}/`}${about.name}`;
  return (
    <div role="row" className={classNames(COLUMNS, "border-t border-line py-2")}>
      <div role="cell" className="flex min-w-0 items-baseline gap-2">
        <StatusIcon status={type === "Warning" ? "degraded" : "idle"} />
        <span className="sr-only">{type}:</span>
        <bdi title={reason} className="truncate font-[550]">
          {reason}
        </bdi>
      </div>
      <div role="cell" className="min-w-0 text-ink-2 max-md:order-3 max-md:col-span-2 max-md:text-sm">
        {workloadId === null ? (
          <bdi title={name} className="block truncate">
            {name}
          </bdi>
        ) : (
          <Link to="/kubernetes/workloads/$id" params={{ id: workloadId }} search={{}} className="block hover:underline">
            <bdi title={name} className="block truncate">
              {name}
            </bdi>
          </Link>
        )}
      </div>
      <div role="cell" dir="auto" className="min-w-0 wrap-anywhere max-md:order-4 max-md:col-span-2">
        <span title={message} className="line-clamp-3">
          {message}
        </span>
      </div>
      <div role="cell" className="text-right text-ink-2 tabular-nums max-md:hidden" title={`First ${formatExact(first_at)}`}>
        {formatCount(count)}
      </div>
      <div role="cell" className="text-right text-ink-2 max-md:text-xs">
        {count > 1 && <span className="md:hidden">{formatCount(count)} times, </span>}
        <Age at={last_at} />
      </div>
    </div>
  );
}
