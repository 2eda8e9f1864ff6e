import { useState } from "react";
import { Chart } from "../src/charts/chart.tsx";
import { createCrosshair } from "../src/charts/crosshair.ts";
import type { Drawing, LineLook } from "../src/charts/plot.ts";
import { Sparkline } from "../src/charts/sparkline.tsx";
import { Swatch } from "../src/charts/swatch.tsx";
import { ThresholdLine } from "../src/charts/threshold-line.tsx";
import { bytesScale } from "../src/charts/y-scale.ts";
import { Wall } from "../src/entities/wall/wall.tsx";
import { StripPicture } from "../src/entities/wall/strip-picture.tsx";
import { drawStrip } from "../src/entities/wall/draw-strip.ts";
import { STATUSES } from "../src/format/status.ts";
import { ignore, LONG, minutesAgo, RIGHT_TO_LEFT, wave } from "./samples.ts";
import { Row, Shelf, Specimen } from "./specimen.tsx";

const POINTS = 120;
const UNTIL = Date.parse(minutesAgo(0));
const FROM = UNTIL - POINTS * 60_000;
const LOOKS: readonly LineLook[] = ["filled", "dashed", "limit"];
const formatMebibytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MiB`;
const MEBIBYTE = 1024 ** 2;

function drawingOf(count: number): Drawing {
  return {
    times: Array.from({ length: count }, (_, index) => FROM + index * 60_000),
    from: FROM,
    until: UNTIL,
    ticks: [0.25, 0.5, 0.75].map((share) => ({
      at: FROM + share * (UNTIL - FROM),
      label: new Date(FROM + share * (UNTIL - FROM)).toISOString().slice(11, 16),
    })),
    scale: bytesScale(count === 0 ? null : 400 * MEBIBYTE, formatMebibytes),
    lines: [
      wave(count, { from: 80 * MEBIBYTE, to: 380 * MEBIBYTE }).map((value, index) => (index > 60 && index < 72 ? null : value)),
      wave(count, { from: 40 * MEBIBYTE, to: 120 * MEBIBYTE }),
      Array.from({ length: count }, () => 390 * MEBIBYTE),
    ],
    marks: count === 0 ? [] : [{ at: FROM + 40 * 60_000, status: "down", words: "OOM killed (exit 137)" }],
    spans: count === 0 ? [] : [{ from: FROM + 80 * 60_000, until: null, words: "Above the threshold" }],
  };
}

const FULL = drawingOf(POINTS);
const NOTHING = drawingOf(0);
const FIGURES = [
  {
    name: "used",
    look: "filled" as const,
    room: 8,
    textAt: (index?: number) => formatMebibytes(FULL.lines[0]?.[index ?? POINTS - 1] ?? 0),
  },
  {
    name: "cache",
    look: "dashed" as const,
    room: 8,
    textAt: (index?: number) => formatMebibytes(FULL.lines[1]?.[index ?? POINTS - 1] ?? 0),
  },
  { name: "limit", look: "limit" as const, room: 8, textAt: () => "390 MiB" },
];
const NO_FIGURES = FIGURES.map((figure) => ({ ...figure, textAt: () => "–" }));
const crosshair = createCrosshair();

const DAY_STRIP = drawStrip(
  [
    { state: "up", steps: 40 },
    { state: "down", steps: 4 },
    { state: "degraded", steps: 12 },
    { state: "unknown", steps: 10 },
    { state: "stopped", steps: 10 },
    { state: "up", steps: 20 },
  ] as never,
  { fromMs: UNTIL - 96 * 900_000, stepMs: 900_000, nowMs: UNTIL },
);

/** What is drawn. */
export function ChartShelves() {
  const [percent, setPercent] = useState(70);
  return (
    <>
      <Shelf title="Charts">
        <div className="grid gap-6 lg:grid-cols-2">
          <Chart
            title="Memory"
            note="With a limit, a gap, a mark and a span"
            looks={LOOKS}
            drawing={FULL}
            stepMs={60_000}
            figures={FIGURES}
            rest="now"
            summary="Memory between 80 and 380 MiB."
            crosshair={crosshair}
          >
            <ThresholdLine
              label="Threshold"
              percent={percent}
              fractionOf={(value) => value / 100}
              percentAt={(fraction) => fraction * 100}
              onMove={setPercent}
              onSettle={ignore}
            />
          </Chart>
          <Chart
            title={LONG}
            note={RIGHT_TO_LEFT}
            looks={LOOKS}
            drawing={NOTHING}
            stepMs={60_000}
            figures={NO_FIGURES}
            rest="now"
            summary="Nothing was measured."
            crosshair={crosshair}
            absent="Nothing was measured in this time"
          />
        </div>
        <Specimen state="Swatches and sparklines: nothing, gaps, one value, many">
          <Row>
            {(["top", "solid", "filled", "dashed", "limit"] as const).map((look) => (
              <Swatch key={look} look={look} />
            ))}
            {[[], [null, 3, null, 4, 5, null], [4], wave(60, { from: 0, to: 10 })].map((values, index) => (
              <Sparkline key={index} values={values} max={10} width={80} height={20} />
            ))}
          </Row>
        </Specimen>
      </Shelf>
      <Shelf title="Strips and tiles">
        <Specimen state="The last day: known, not known">
          <StripPicture strip={DAY_STRIP} className="h-3 w-full" />
          <StripPicture strip={undefined} className="mt-2 h-3 w-full" />
        </Specimen>
        <Specimen state="Few, as panels">
          <Wall groups={[groupOf("shop", 5)]} form="panels" hasStrips strips={STRIPS} />
        </Specimen>
        <Specimen state="Many, as dots, with long and right-to-left groups">
          <Wall
            groups={[groupOf("shop", 40), groupOf(LONG, 9), groupOf(RIGHT_TO_LEFT, 9)]}
            form="dots"
            hasStrips={false}
            strips={undefined}
          />
        </Specimen>
        <Specimen state="Very many">
          <Wall groups={[groupOf("warehouse", 600)]} form="dots" hasStrips={false} strips={undefined} />
        </Specimen>
      </Shelf>
    </>
  );
}

const STRIPS = new Map([1, 2, 3].map((id) => [`container ${id}`, DAY_STRIP]));

function groupOf(name: string, count: number) {
  const nameOf = (index: number): string => (index === 1 ? LONG : index === 2 ? RIGHT_TO_LEFT : `service-${index}`);
  return {
    key: name,
    name,
    leftOut: count > 500 ? 1200 : 0,
    tiles: Array.from({ length: count }, (_, index) => ({
      type: "container" as const,
      id: index + 1,
      name: nameOf(index),
      status: STATUSES[index % 7] ?? ("ok" as const),
      words: "Running",
    })),
  };
}
