import type { ResourceMetric } from "../../../../../src/contract/thresholds.ts";
import { useMemo, useState, type ReactNode } from "react";
import type { History } from "../../../../../src/monitoring/resources/answers.ts";
import { useMedia } from "../../../app/use-media.ts";
import { Chart, type Figure } from "../../../charts/chart.tsx";
import { createCrosshair, type Crosshair } from "../../../charts/crosshair.ts";
import type { Mark, Span } from "../../../charts/draw-markers.ts";
import type { Drawing, LineLook } from "../../../charts/plot.ts";
import { extentOf, peakOf, type Column, type Points } from "../../../charts/points.ts";
import { SPANS_MS } from "../../../../../src/contract/ranges.ts";
import { ThresholdLine } from "../../../charts/threshold-line.tsx";
import { bytesScale, memoryScale, PERCENT_SCALE, type YScale } from "../../../charts/y-scale.ts";
import { formatBytes, formatRate, formatRoundBytes } from "../../../format/bytes.ts";
import { formatShare } from "../../../format/usage.ts";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { useNow } from "../../../ui/ticker.tsx";
import { cpuFigures, diskFigures, memoryFigures, networkFigures, summarise, type Now } from "./metrics-figures.ts";
import { CHART_GRID } from "./metrics-loading.tsx";
import { spansOf } from "./metrics-marks.ts";
import { longName } from "./metrics-range.tsx";
import { breachOf, percentOf } from "../../../entities/thresholds/draft.ts";
import { BreachWords } from "./threshold-form.tsx";
import { ticksOf } from "../../../charts/ticks.ts";
import type { ThresholdEditing } from "./use-thresholds.ts";

interface Properties {
  /** How the container is connected, as its runtime calls it. */
  networkMode: string | null;
  history: History;
  points: Points;
  marks: readonly Mark[];
  now: Now;
  /** What the figures are of while nothing is pointed at: `now`. */
  rest: string;
  editing: ThresholdEditing | undefined;
}

const BAND: readonly LineLook[] = ["top", "solid"];
const BAND_AND_LIMIT: readonly LineLook[] = ["top", "solid", "limit"];
const PAIR: readonly LineLook[] = ["filled", "dashed"];
const NO_SPANS: readonly Span[] = [];

/** CPU, memory, network and disk over the same time, under one crosshair. */
export function MetricsCharts({ networkMode, history, points, marks, now, rest, editing }: Properties) {
  const [crosshair] = useState(createCrosshair);
  const common = { ...useTimeAxis(history, points), marks, times: points.times };
  const range = longName(history.range);
  const shared = { crosshair, rest, stepMs: points.stepMs };
  return (
    <div className={CHART_GRID}>
      <CpuChart {...{ history, points, now, editing, common, shared, range }} />
      <MemoryChart {...{ history, points, now, editing, common, shared, range }} />
      <RateChart
        title="Network"
        note="bytes per second"
        absent={noNetworkNote(networkMode)}
        figures={networkFigures(points, now)}
        columns={[points.network_rx_bytes_per_second, points.network_tx_bytes_per_second]}
        {...{ common, shared, range }}
      />
      <RateChart
        title="Disk"
        note="bytes per second"
        absent="No disk data from this host"
        figures={diskFigures(points, now)}
        columns={[points.disk_read_bytes_per_second, points.disk_write_bytes_per_second]}
        {...{ common, shared, range }}
      />
    </div>
  );
}

type TimeAxis = Pick<Drawing, "from" | "until" | "ticks">;
type Common = TimeAxis & Pick<Drawing, "marks" | "times">;
interface ChartProperties {
  common: Common;
  shared: { crosshair: Crosshair; rest: string; stepMs: number };
  range: string;
}
type UsageProperties = ChartProperties & Pick<Properties, "history" | "points" | "now" | "editing">;

/** From the beginning of the range until now; it moves on with every step. */
function useTimeAxis({ range }: History, { times, stepMs }: Points): TimeAxis {
  const isNarrow = useMedia("(max-width: 639px)");
  const step = useNow((nowMs) => Math.floor(nowMs / stepMs) * stepMs);
  const until = Math.max(step, times.at(-1) ?? 0);
  return useMemo(() => {
    const from = until - SPANS_MS[range];
    return { from, until, ticks: ticksOf(from, until, isNarrow ? 4 : 7) };
  }, [until, range, isNarrow]);
}

function CpuChart({ history, points, now, editing, common, shared, range }: UsageProperties) {
  const { cpu_percent: mean, cpu_percent_max: highest } = points;
  const spans = useMemo(() => spansOf(history.breaches, "cpu"), [history.breaches]);
  const lines = useMemo(() => [highest, mean], [highest, mean]);
  return (
    <Chart
      title="CPU"
      note={<UsageNote metric="cpu" editing={editing} fallback="of allocated CPU" />}
      looks={BAND}
      drawing={useDrawing(common, { scale: PERCENT_SCALE, lines, spans })}
      figures={cpuFigures(points, now)}
      summary={summarise({ title: "CPU", range, lines: [{ name: "mean", column: mean, highest }], format: formatShare })}
      {...shared}
    >
      <EditableLine metric="cpu" name="CPU" editing={editing} scale={PERCENT_SCALE} whole={100} />
    </Chart>
  );
}

function MemoryChart({ history, points, now, editing, common, shared, range }: UsageProperties) {
  const { memory_bytes: mean, memory_bytes_max: highest, memory_limit_bytes: limits } = points;
  const limit = now?.memory_limit_bytes ?? extentOf(limits).latest;
  const peak = peakOf(highest);
  const highestLimit = peakOf(limits, [limit]);
  const scale = useMemo(() => memoryScale({ peak, limit: highestLimit }, formatRoundBytes), [peak, highestLimit]);
  const spans = useMemo(() => spansOf(history.breaches, "memory"), [history.breaches]);
  const lines = useMemo(() => [highest, mean, limits], [highest, mean, limits]);
  return (
    <Chart
      title="Memory"
      note={<UsageNote metric="memory" editing={editing} fallback={limit === null ? "" : <LimitNote limit={limit} />} />}
      looks={BAND_AND_LIMIT}
      drawing={useDrawing(common, { scale, lines, spans })}
      figures={memoryFigures(points, now)}
      summary={summarise({ title: "Memory", range, lines: [{ name: "used", column: mean, highest }], format: formatBytes })}
      {...shared}
    >
      {limit !== null && <EditableLine metric="memory" name="Memory" editing={editing} scale={scale} whole={limit} />}
    </Chart>
  );
}

function RateChart({
  title,
  note,
  absent,
  figures,
  columns: [one, other],
  common,
  shared,
  range,
}: ChartProperties & { title: string; note: string; absent: string; figures: readonly Figure[]; columns: readonly [Column, Column] }) {
  const peak = peakOf(one, other);
  const scale = useMemo(() => bytesScale(peak, formatRoundBytes), [peak]);
  const lines = useMemo(() => [one, other], [one, other]);
  const names = figures.map(({ name }) => name);
  return (
    <Chart
      title={title}
      note={note}
      absent={peak === null ? absent : undefined}
      looks={PAIR}
      drawing={useDrawing(common, { scale, lines, spans: NO_SPANS })}
      figures={figures}
      summary={summarise({
        title,
        range,
        lines: [one, other].map((column, index) => ({ name: names[index] ?? "", column })),
        format: formatRate,
      })}
      {...shared}
    />
  );
}

function noNetworkNote(mode: string | null): string {
  if (mode === "none") return "No network";
  return mode === "host" ? "Host network mode: not counted per container" : "No network data from this host";
}

/** The same object while nothing of it changed, so that nothing is drawn again. */
function useDrawing({ from, until, ticks, marks, times }: Common, own: Pick<Drawing, "scale" | "lines" | "spans">): Drawing {
  const { scale, lines, spans } = own;
  return useMemo(
    () => ({ from, until, ticks, marks, times, scale, lines, spans }),
    [from, until, ticks, marks, times, scale, lines, spans],
  );
}

/** That the threshold is exceeded, while it is. */
function UsageNote({ metric, editing, fallback }: { metric: ResourceMetric; editing: ThresholdEditing | undefined; fallback: ReactNode }) {
  const breach = editing === undefined ? null : breachOf(editing.thresholds, metric);
  if (breach === null) return fallback;
  return (
    <span className="inline-flex items-center gap-1.5">
      <StatusIcon status="degraded" size={10} />
      <BreachWords {...breach} />
    </span>
  );
}

function LimitNote({ limit }: { limit: number }) {
  return <span className="tabular-nums">limit {formatBytes(limit)}</span>;
}

interface LineProperties {
  metric: ResourceMetric;
  name: string;
  editing: ThresholdEditing | undefined;
  scale: YScale;
  /** What a hundred percent are. */
  whole: number;
}

function EditableLine({ metric, name, editing, scale, whole }: LineProperties) {
  const percent = editing === undefined ? undefined : percentOf(editing.draft[metric]);
  if (editing === undefined || percent === undefined) return null;
  return (
    <ThresholdLine
      label={`${name} threshold`}
      percent={percent}
      fractionOf={(each) => scale.fractionOf((each / 100) * whole)}
      percentAt={(fraction) => (scale.valueAt(fraction) / whole) * 100}
      onMove={(next) => editing.move(metric, next)}
      onSettle={(next) => editing.settle(metric, next)}
    />
  );
}
