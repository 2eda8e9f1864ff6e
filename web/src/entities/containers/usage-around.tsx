import { useMemo } from "react";
import type { Around } from "../../../../src/monitoring/resources/answers.ts";
import { useMedia } from "../../app/use-media.ts";
import { Chart } from "../../charts/chart.tsx";
import type { Crosshair } from "../../charts/crosshair.ts";
import type { Mark, Span } from "../../charts/draw-markers.ts";
import type { Drawing, LineLook } from "../../charts/plot.ts";
import { extentOf, peakOf, type Column } from "../../charts/points.ts";
import { ticksOf } from "../../charts/ticks.ts";
import { memoryScale, PERCENT_SCALE, type YScale } from "../../charts/y-scale.ts";
import { formatBytes, formatRoundBytes } from "../../format/bytes.ts";
import { formatShare } from "../../format/usage.ts";

type Metrics = Pick<Around, "step_seconds" | "points">;

interface Properties {
  metrics: Metrics;
  /** When it happened. */
  moment: string;
  words: string;
  status: Mark["status"];
  /** Of all charts of the case. */
  crosshair: Crosshair;
}

const LINE: readonly LineLook[] = ["solid"];
const LINE_AND_LIMIT: readonly LineLook[] = ["solid", "limit"];
const NO_SPANS: readonly Span[] = [];

/** CPU and memory of the container around the moment, which is marked in both. */
export function UsageAround({ metrics, moment, words, status, crosshair }: Properties) {
  const isNarrow = useMedia("(max-width: 639px)");
  const stepMs = metrics.step_seconds * 1000;
  const common = useMemo(() => {
    const times = metrics.points.map(({ at }) => Date.parse(at));
    const at = Date.parse(moment);
    const from = Math.min(times[0] ?? at, at);
    const until = Math.max((times.at(-1) ?? at) + stepMs, at + stepMs);
    return { times, from, until, ticks: ticksOf(from, until, isNarrow ? 4 : 7), marks: [{ at, status, words }], spans: NO_SPANS };
  }, [metrics, moment, words, status, stepMs, isNarrow]);
  const cpu = useMemo(() => metrics.points.map(({ cpu_percent }) => cpu_percent), [metrics]);
  const memory = useMemo(() => metrics.points.map(({ memory_bytes }) => memory_bytes), [metrics]);
  const limits = useMemo(() => metrics.points.map(({ memory_limit_bytes }) => memory_limit_bytes), [metrics]);
  const memoryAxis = useMemo(() => memoryScale({ peak: peakOf(memory), limit: peakOf(limits) }, formatRoundBytes), [memory, limits]);
  const memoryLines = useMemo(() => [memory, limits], [memory, limits]);
  const cpuLines = useMemo(() => [cpu], [cpu]);
  const shared = { common, stepMs, crosshair };
  return (
    <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 lg:grid-cols-2">
      <UsageChart title="CPU" lines={cpuLines} looks={LINE} scale={PERCENT_SCALE} format={formatShare} {...shared} />
      <UsageChart title="Memory" lines={memoryLines} looks={LINE_AND_LIMIT} scale={memoryAxis} format={formatBytes} {...shared} />
    </div>
  );
}

interface ChartProperties {
  title: string;
  /** The first is what was used. */
  lines: readonly Column[];
  looks: readonly LineLook[];
  scale: YScale;
  format: (value: number | null) => string;
  common: Omit<Drawing, "lines" | "scale">;
  stepMs: number;
  crosshair: Crosshair;
}

function UsageChart({ title, lines, looks, scale, format, common, stepMs, crosshair }: ChartProperties) {
  const drawing = useMemo(() => ({ ...common, lines, scale }), [common, lines, scale]);
  const used = lines[0] ?? [];
  const { highest, latest } = extentOf(used);
  return (
    <Chart
      title={title}
      note="peak per interval"
      looks={looks}
      drawing={drawing}
      stepMs={stepMs}
      figures={[{ name: "used", look: "solid", room: 8, textAt: (index) => format(index === undefined ? highest : (used[index] ?? null)) }]}
      rest="peak"
      summary={highest === null ? "No values." : `Peak ${format(highest)}, latest ${format(latest)}.`}
      crosshair={crosshair}
      absent={highest === null ? "No values around this time" : undefined}
    />
  );
}
