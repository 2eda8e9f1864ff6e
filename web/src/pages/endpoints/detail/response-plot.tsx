import { useMemo, useState } from "react";
import type { ResponseTimes } from "../../../../../src/monitoring/endpoints/answers.ts";
import { useMedia } from "../../../app/use-media.ts";
import { Chart, type Figure } from "../../../charts/chart.tsx";
import { createCrosshair } from "../../../charts/crosshair.ts";
import type { Mark, Span } from "../../../charts/draw-markers.ts";
import type { LineLook } from "../../../charts/plot.ts";
import { extentOf, peakOf } from "../../../charts/points.ts";
import { SPANS_MS } from "../../../../../src/contract/ranges.ts";
import { formatMilliseconds } from "../../../format/milliseconds.ts";
import { countOf } from "../../../format/number.ts";
import { useNow } from "../../../ui/ticker.tsx";
import { durationScale, failureSpans, openGaps } from "../../../entities/endpoints/response-points.ts";
import { ticksOf } from "../../../charts/ticks.ts";

const LOOKS: readonly LineLook[] = ["top", "solid"];
const NO_MARKS: readonly Mark[] = [];
const ROOM = 8;

/** The response times drawn, with the times of failures shaded. */
export function ResponsePlot({ times: read, atRest }: { times: ResponseTimes; atRest: number | null }) {
  const [crosshair] = useState(createCrosshair);
  const isNarrow = useMedia("(max-width: 639px)");
  const stepMs = read.step_seconds * 1000;
  const points = useMemo(() => openGaps(read), [read]);
  const spans: readonly Span[] = useMemo(() => failureSpans(read), [read]);
  const peak = peakOf(points.highest);
  const scale = useMemo(() => durationScale(peak), [peak]);
  const lines = useMemo(() => [points.highest, points.mean], [points]);
  const step = useNow((nowMs) => Math.floor(nowMs / stepMs) * stepMs);
  const until = Math.max(step, points.times.at(-1) ?? 0);
  const from = until - SPANS_MS[read.range];
  const drawing = useMemo(
    () => ({ times: points.times, from, until, ticks: ticksOf(from, until, isNarrow ? 4 : 9), scale, lines, marks: NO_MARKS, spans }),
    [points, from, until, isNarrow, scale, lines, spans],
  );
  const { latest, lowest, highest } = extentOf(points.mean);
  const failures = read.series.failures.reduce((sum, count) => sum + count, 0);
  const figures: Figure[] = [
    {
      name: "mean",
      look: "solid",
      room: ROOM,
      textAt: (index) => formatMilliseconds(index === undefined ? atRest : (points.mean[index] ?? null)),
    },
    {
      name: "slowest",
      look: "top",
      room: ROOM,
      textAt: (index) => formatMilliseconds(index === undefined ? peak : (points.highest[index] ?? null)),
    },
  ];
  return (
    <Chart
      title="Response time"
      isTitled
      note={failures === 0 ? "" : `${countOf(failures, "failed check")}, shaded`}
      looks={LOOKS}
      drawing={drawing}
      stepMs={stepMs}
      figures={figures}
      rest="last response"
      summary={
        latest === null
          ? "No response in this period."
          : `Latest ${formatMilliseconds(latest)}, fastest ${formatMilliseconds(lowest)}, slowest average ${formatMilliseconds(highest)}, ${countOf(failures, "failed check")}.`
      }
      crosshair={crosshair}
      absent={peak === null ? "No response in this period" : undefined}
    />
  );
}
