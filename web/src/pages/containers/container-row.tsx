import { Link } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import { lazy, memo, Suspense } from "react";
import type { ContainerRecord } from "../../../../src/monitoring/containers/api.ts";
import type { SparkLine } from "../../api/spark-series.ts";
import { containerStatus } from "../../format/container-status.ts";
import { countOf } from "../../format/number.ts";
import { formatPorts } from "../../format/ports.ts";
import { ROW_CLASS } from "../../lists/row-class.ts";
import { Age } from "../../ui/age.tsx";
import { Changed } from "../../ui/changed.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ImageName } from "../../ui/image-name.tsx";
import { Name } from "../../ui/name.tsx";
import { Percent } from "../../ui/percent.tsx";
import { StatusWord } from "../../ui/status-word.tsx";
import { COLUMN_CLASSES } from "./columns.ts";
import { CpuCell, MemoryCell, UsageWords } from "./usage-cells.tsx";

/** The columns of the list, more of them the wider the screen, or those that were chosen; on a phone a row has two lines instead. */
export const COLUMNS =
  "grid items-center gap-x-4 md:grid-cols-[var(--tracks-medium,minmax(0,1.2fr)_minmax(0,1.4fr)_44px_64px_72px_60px_72px)] xl:grid-cols-[var(--tracks-wide,minmax(0,1.45fr)_minmax(0,1.3fr)_minmax(0,1.35fr)_100px_132px_72px_60px_72px)] min-[90rem]:grid-cols-[var(--tracks-wide,minmax(0,1.45fr)_minmax(0,1.3fr)_minmax(0,1.25fr)_minmax(0,0.9fr)_100px_132px_72px_60px_72px)]";

// Few rows have any, and the tooltip's machinery is heavy.
const LabelErrors = lazy(() => import("./label-errors.tsx").then((module) => ({ default: module.LabelErrors })));

interface Properties {
  container: ContainerRecord;
  index: number;
  /** What it used over the last hour; undefined while that is not known. */
  line: SparkLine | undefined;
  /** Whether it is how it was last seen. */
  stale: boolean;
  /** Where no group head shows it. */
  withGroup: boolean;
}

/** One container. It renders again only when its record or its line is another one. */
export const ContainerRow = memo(function ContainerRow({ container, index, line, stale, withGroup }: Properties) {
  const status = containerStatus(container);
  const ports = formatPorts(container.ports).join(", ");
  return (
    <div role="row" aria-rowindex={index + 2} data-stale={stale || undefined} className={classNames("group/row", COLUMNS, ROW_CLASS)}>
      <div role="cell" className="flex min-w-0 items-center gap-2">
        <Link
          to="/containers/$id"
          params={{ id: container.id }}
          data-row={index}
          className="min-w-0 font-[550] outline-none after:absolute after:inset-0"
        >
          <Name>{container.name}</Name>
        </Link>
        <LogLink container={container} />
        {withGroup && <bdi className="truncate text-xs text-ink-3">{container.group}</bdi>}
        {container.label_errors.length > 0 && (
          <Suspense fallback={<span className="size-3.5 shrink-0" />}>
            <LabelErrors errors={container.label_errors} />
          </Suspense>
        )}
      </div>
      <div role="cell" className={classNames("text-ink-2", COLUMN_CLASSES.image)}>
        <ImageName image={container.image} />
      </div>
      <div role="cell" className="min-w-0 max-md:order-3 max-md:text-sm">
        <Changed value={`${status.word} ${status.cause}`} className="flex min-w-0 [[data-stale]_&]:opacity-80 [[data-stale]_&]:grayscale">
          <StatusWord status={status} />
        </Changed>
      </div>
      <div role="cell" className={classNames("truncate text-ink-2 tabular-nums", COLUMN_CLASSES.ports)} title={ports}>
        {ports}
      </div>
      <CpuCell container={container} line={line} />
      <MemoryCell container={container} line={line} />
      <div role="cell" className={classNames("text-right max-md:hidden", COLUMN_CLASSES.uptime)}>
        <Changed value={container.uptime_24h}>
          <Percent value={container.uptime_24h} />
        </Changed>
      </div>
      <div role="cell" className={classNames("text-right tabular-nums max-md:hidden", COLUMN_CLASSES.restarts)}>
        <Changed value={container.restart_count}>
          <Restarts container={container} />
        </Changed>
      </div>
      <div role="cell" className={classNames("text-right whitespace-nowrap text-ink-2 max-md:text-xs", COLUMN_CLASSES.since)}>
        <Age at={container.archived_at ?? container.last_state_change_at} />
      </div>
      <div role="cell" className="order-4 flex gap-2 justify-self-end text-xs text-ink-2 md:hidden">
        {container.restart_count > 0 && (
          <span>
            <Restarts container={container} /> {container.restart_count === 1 ? "restart" : "restarts"}
          </span>
        )}
        <UsageWords container={container} />
      </div>
    </div>
  );
});

/** Shown while its row is under the pointer or has the focus, so that it is no stop of Tab in every row. */
function LogLink({ container: { id, name } }: { container: ContainerRecord }) {
  return (
    <Link
      to="/containers/$id"
      params={{ id }}
      search={{ tab: "logs" }}
      data-log
      title="Log (l)"
      className="relative z-[1] hidden size-6 shrink-0 items-center justify-center rounded-[4px] text-ink-3 hover:text-ink md:group-focus-within/row:inline-flex md:group-hover/row:inline-flex"
    >
      <ScrollText size={14} aria-hidden />
      <span className="sr-only">Log of {name}</span>
    </Link>
  );
}

/** How often it was restarted; in a badge while that is a loop. */
function Restarts({ container: { restart_count: count, restart_loop: loop } }: { container: ContainerRecord }) {
  if (loop === null) return count;
  return (
    <span
      title={`Restart loop: ${countOf(loop.restarts, "unexpected restart")} within 10 minutes`}
      className={classNames(
        "rounded-lg px-1.5 py-px text-xs font-semibold tabular-nums",
        loop.severity === "critical" ? "bg-down-soft text-down" : "bg-degraded-soft text-degraded",
      )}
    >
      {count}
    </span>
  );
}
