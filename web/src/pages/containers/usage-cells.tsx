import type { ContainerRecord } from "../../../../src/monitoring/containers/api.ts";
import type { SparkLine } from "../../api/spark-series.ts";
import { Sparkline } from "../../charts/sparkline.tsx";
import { formatBytes } from "../../format/bytes.ts";
import { formatShare } from "../../format/usage.ts";
import { classNames } from "../../ui/class-names.ts";
import { COLUMN_CLASSES } from "./columns.ts";

/** What reaches the top of a sparkline: the first of these that leaves room above the highest value, so that calm looks calm. */
const CPU_TOPS = [10, 25, 50, 100];
const MEMORY_TOPS = [1, 5, 10, 25, 50, 100];
const MOST_OF_HEIGHT = 0.85;
const NO_VALUES: readonly null[] = [];

interface Properties {
  container: ContainerRecord;
  /** Its last hour; undefined while that is not read, or not shown. */
  line: SparkLine | undefined;
}

/** The CPU it uses now, after the line of its last hour. */
export function CpuCell({ container, line }: Properties) {
  const percent = container.resources?.cpu_percent ?? null;
  return (
    <UsageCell
      values={line?.cpu}
      tops={CPU_TOPS}
      className={COLUMN_CLASSES.cpu}
      figureClass="w-10"
      title={percent === null ? whyNot(container) : "Of allocated CPU"}
    >
      {formatShare(percent)}
    </UsageCell>
  );
}

/** The memory it uses now, after the line of its last hour. */
export function MemoryCell({ container, line }: Properties) {
  const { memory_bytes: bytes, memory_percent: percent } = container.resources ?? { memory_bytes: null, memory_percent: null };
  const title = percent === null ? undefined : `${formatShare(percent)} of allocated memory`;
  return (
    <UsageCell
      values={line?.memory}
      tops={MEMORY_TOPS}
      className={COLUMN_CLASSES.memory}
      figureClass="w-16"
      title={bytes === null ? whyNot(container) : title}
    >
      {formatBytes(bytes)}
    </UsageCell>
  );
}

/** CPU and memory in a few words, for where there is no column: `0.4 % · 38.2 MiB`; nothing where nothing is known. */
export function UsageWords({ container: { resources } }: { container: ContainerRecord }) {
  if (resources === null) return null;
  const { cpu_percent: cpu, memory_bytes: memory } = resources;
  return (
    <span className="whitespace-nowrap tabular-nums">
      <span className="sr-only">CPU </span>
      {formatShare(cpu)} · <span className="sr-only">memory </span>
      {formatBytes(memory)}
    </span>
  );
}

// Figures that change every ten seconds are not tinted: where all change, a change says nothing.
function UsageCell({
  values,
  tops,
  title,
  className,
  figureClass,
  children,
}: {
  values: readonly (number | null)[] | undefined;
  tops: readonly number[];
  title: string | undefined;
  className: string;
  figureClass: string;
  children: string;
}) {
  return (
    <div role="cell" className={classNames("flex items-center justify-end gap-2 max-md:hidden [[data-stale]_&]:opacity-80", className)}>
      <span className="max-xl:hidden [&>svg]:text-ink-3">
        <Sparkline values={values ?? NO_VALUES} max={topOf(values ?? NO_VALUES, tops)} width={48} height={20} />
      </span>
      <span title={title} className={`${figureClass} text-right whitespace-nowrap tabular-nums`}>
        {children}
      </span>
    </div>
  );
}

function topOf(values: readonly (number | null)[], tops: readonly number[]): number {
  const highest = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  return tops.find((top) => highest <= top * MOST_OF_HEIGHT) ?? 100;
}

/** Why there is no figure. */
function whyNot({ state, archived_at, resources }: ContainerRecord): string {
  if (archived_at !== null) return "Removed";
  if (state !== "running") return "Not running";
  return resources === null ? "No data yet. Metrics arrive every 10 seconds if the host provides them" : "Not provided by the host";
}
