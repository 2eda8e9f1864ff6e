import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { PodRecord } from "../../../../src/monitoring/kubernetes/answers.ts";
import { formatBytes } from "../../format/bytes.ts";
import { formatCores } from "../../format/cores.ts";
import { podStatus } from "../../format/kubernetes-status.ts";
import { Age } from "../../ui/age.tsx";
import { Changed } from "../../ui/changed.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Name } from "../../ui/name.tsx";
import { StatusWord } from "../../ui/status-word.tsx";
import { ROW_CLASS } from "../../lists/row-class.ts";

/** The columns of the list, more of them the wider the screen; on a phone a row has two lines instead. */
export const COLUMNS =
  "grid items-center gap-x-4 md:grid-cols-[minmax(0,1.3fr)_minmax(0,1.4fr)_56px_72px] lg:grid-cols-[minmax(0,1.4fr)_minmax(0,0.7fr)_minmax(0,1.4fr)_56px_minmax(0,0.7fr)_72px] xl:grid-cols-[minmax(0,1.5fr)_minmax(0,0.6fr)_minmax(0,2fr)_48px_60px_minmax(0,0.6fr)_48px_72px_72px]";

export const POD_TITLES = [
  "Pod",
  ["Namespace", "max-lg:hidden"],
  "Status",
  ["Ready", "text-right"],
  ["Restarts", "text-right max-xl:hidden"],
  ["Node", "max-lg:hidden"],
  ["CPU", "text-right max-xl:hidden"],
  ["Memory", "text-right max-xl:hidden"],
  ["Age", "text-right"],
] as const;

/** One pod; it leads to its workload. It renders again only when its record is another one. */
export const PodRow = memo(function PodRow({ pod, index }: { pod: PodRecord; index: number }) {
  const status = podStatus(pod);
  const { name, namespace, workload_id: workloadId, restarts, usage, created_at: createdAt } = pod;
  const ready = `${pod.containers_ready} / ${pod.containers_total}`;
  return (
    <div role="row" aria-rowindex={index + 2} className={classNames(COLUMNS, ROW_CLASS)}>
      <div role="cell" className="min-w-0">
        {workloadId === null ? (
          <span className="font-[550]">
            <Name>{name}</Name>
          </span>
        ) : (
          <Link
            to="/kubernetes/workloads/$id"
            params={{ id: workloadId }}
            search={{}}
            data-row={index}
            className="block min-w-0 font-[550] outline-none after:absolute after:inset-0"
          >
            <Name>{name}</Name>
          </Link>
        )}
      </div>
      <div role="cell" className="min-w-0 text-ink-2 max-lg:hidden">
        <Name>{namespace}</Name>
      </div>
      <div role="cell" className="min-w-0 max-md:order-3 max-md:text-sm">
        <Changed value={`${status.word} ${status.cause}`} className="flex min-w-0">
          <StatusWord status={status} />
        </Changed>
      </div>
      <div role="cell" className="text-right tabular-nums">
        <Changed value={ready}>{ready}</Changed>
      </div>
      <div role="cell" className="text-right text-ink-2 tabular-nums max-xl:hidden">
        <Changed value={restarts}>{restarts}</Changed>
      </div>
      <div role="cell" className="min-w-0 text-ink-2 max-lg:hidden">
        <Name>{pod.node_name ?? "–"}</Name>
      </div>
      <div role="cell" className="text-right text-ink-2 tabular-nums max-xl:hidden">
        {formatCores(usage?.cpu_cores ?? null)}
      </div>
      <div role="cell" className="text-right text-ink-2 tabular-nums max-xl:hidden">
        {formatBytes(usage?.memory_bytes ?? null)}
      </div>
      <div role="cell" className="text-right text-ink-2 max-md:order-4 max-md:text-xs">
        {createdAt !== null && <Age at={createdAt} />}
      </div>
    </div>
  );
});
