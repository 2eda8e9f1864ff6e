import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { WorkloadRecord } from "../../../../src/monitoring/kubernetes/answers.ts";
import { replicasText, workloadStatus } from "../../format/kubernetes-status.ts";
import { Age } from "../../ui/age.tsx";
import { Changed } from "../../ui/changed.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ImageName } from "../../ui/image-name.tsx";
import { Name } from "../../ui/name.tsx";
import { StatusWord } from "../../ui/status-word.tsx";
import { ROW_CLASS } from "../../lists/row-class.ts";

/** The columns of the list, more of them the wider the screen; on a phone a row has two lines instead. */
export const COLUMNS =
  "grid items-center gap-x-4 md:grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)_76px_72px] xl:grid-cols-[minmax(0,1fr)_96px_minmax(0,2.2fr)_76px_minmax(0,0.9fr)_64px_72px]";

export const WORKLOAD_TITLES = [
  "Workload",
  ["Kind", "max-xl:hidden"],
  "Status",
  ["Ready", "text-right"],
  ["Image", "max-xl:hidden"],
  ["Restarts", "text-right max-xl:hidden"],
  ["Age", "text-right"],
] as const;

/** One workload. It renders again only when its record is another one. */
export const WorkloadRow = memo(function WorkloadRow({ workload, index }: { workload: WorkloadRecord; index: number }) {
  const status = workloadStatus(workload);
  const { name, kind, restarts, created_at: createdAt } = workload;
  const [image, ...others] = workload.containers.filter((container) => container.kind === "app").map((container) => container.image);
  const replicas = replicasText(workload);
  return (
    <div role="row" aria-rowindex={index + 2} className={classNames(COLUMNS, ROW_CLASS)}>
      <div role="cell" className="min-w-0">
        <Link
          to="/kubernetes/workloads/$id"
          params={{ id: workload.id }}
          search={{}}
          data-row={index}
          className="block min-w-0 font-[550] outline-none after:absolute after:inset-0"
        >
          <Name>{name}</Name>
        </Link>
      </div>
      <div role="cell" className="truncate text-ink-2 max-xl:hidden" title={kind}>
        {kind}
      </div>
      <div role="cell" className="min-w-0 max-md:order-3 max-md:text-sm">
        <Changed value={`${status.word} ${status.cause}`} className="flex min-w-0">
          <StatusWord status={status} />
        </Changed>
      </div>
      <div role="cell" className="truncate text-right tabular-nums" title={replicas}>
        <Changed value={replicas}>{replicas}</Changed>
      </div>
      <div role="cell" className="flex min-w-0 gap-1.5 text-ink-2 max-xl:hidden">
        {image !== undefined && <ImageName image={image} />}
        {others.length > 0 && (
          <span className="shrink-0 text-ink-3" title={others.join("\n")}>
            +{others.length}
          </span>
        )}
      </div>
      <div role="cell" className="text-right text-ink-2 tabular-nums max-xl:hidden">
        <Changed value={restarts}>{restarts}</Changed>
      </div>
      <div role="cell" className="text-right text-ink-2 max-md:order-4 max-md:text-xs">
        {createdAt !== null && <Age at={createdAt} />}
      </div>
    </div>
  );
});
