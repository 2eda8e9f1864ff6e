import { useMemo } from "react";
import type { ResponseTimesAround } from "../../../../src/monitoring/endpoints/answers.ts";
import { useMedia } from "../../app/use-media.ts";
import { Chart, type Figure } from "../../charts/chart.tsx";
import type { Crosshair } from "../../charts/crosshair.ts";
import type { Mark } from "../../charts/draw-markers.ts";
import type { LineLook } from "../../charts/plot.ts";
import { peakOf } from "../../charts/points.ts";
import { ticksOf } from "../../charts/ticks.ts";
import { durationScale, failureSpans, openGaps } from "./response-points.ts";
import { formatMilliseconds } from "../../format/milliseconds.ts";
import { countOf } from "../../format/number.ts";

interface Properties {
  times: ResponseTimesAround;
  /** When it happened. */
  moment: string;
  words: string;
  status: Mark["status"];
  /** Of all charts of the case. */
  crosshair: Crosshair;
}

const LOOKS: readonly LineLook[] = ["top", "solid"];

/** How fast the endpoint answered around the moment, which is marked; failures are shaded. */
export function ResponseAround({ times, moment, words, status, crosshair }: Properties) {
  const isNarrow = useMedia("(max-width: 639px)");
  const stepMs = times.step_seconds * 1000;
  const points = useMemo(() => openGaps(times), [times]);
  const peak = peakOf(points.highest);
  const drawing = useMemo(() => {
    const at = Date.parse(moment);
    const from = Math.min(points.times[0] ?? at, at);
    const until = Math.max((points.times.at(-1) ?? at) + stepMs, at + stepMs);
    return {
      ...{ times: points.times, from, until, ticks: ticksOf(from, until, isNarrow ? 4 : 9), scale: durationScale(peak) },
      ...{ lines: [points.highest, points.mean], marks: [{ at, status, words }], spans: failureSpans(times) },
    };
  }, [points, peak, times, moment, words, status, stepMs, isNarrow]);
  const failures = times.series.failures.reduce((sum, count) => sum + count, 0);
  const slowest = peakOf(points.mean);
  const figures: Figure[] = [
    {
      ...{ name: "mean", look: "solid", room: 8 },
      textAt: (index) => formatMilliseconds(index === undefined ? slowest : (points.mean[index] ?? null)),
    },
    {
      ...{ name: "slowest", look: "top", room: 8 },
      textAt: (index) => formatMilliseconds(index === undefined ? peak : (points.highest[index] ?? null)),
    },
  ];
  return (
    <div className="mt-4">
      <Chart
        title="Response time"
        note={failures === 0 ? "" : `${countOf(failures, "failed check")}, shaded`}
        looks={LOOKS}
        drawing={drawing}
        stepMs={stepMs}
        figures={figures}
        rest="highest"
        summary={`${peak === null ? "No response" : `Slowest ${formatMilliseconds(peak)}`}, ${countOf(failures, "failed check")}.`}
        crosshair={crosshair}
        absent={peak === null ? "No response around this time" : undefined}
      />
    </div>
  );
}
