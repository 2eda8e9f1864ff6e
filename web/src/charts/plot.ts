import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { drawMarkLines, drawShapes, drawSpans, type Area, type Mark, type Span } from "./draw-markers.ts";
import { FRAME } from "./geometry.ts";
import { readPalette, watchTheme, type Palette } from "./palette.ts";
import { lonelyIndices, type Column } from "./points.ts";
import type { YScale } from "./y-scale.ts";

/** How a line looks: `top` is not drawn itself, the space between it and the next line is shaded. */
export type LineLook = "top" | "solid" | "filled" | "dashed" | "limit";

export interface Drawing {
  times: readonly number[];
  from: number;
  until: number;
  ticks: readonly { at: number; label: string }[];
  scale: YScale;
  /** As many as there are looks, in their order. */
  lines: readonly Column[];
  marks: readonly Mark[];
  spans: readonly Span[];
}

/** A drawing on the page. All that uPlot is used for is behind this: it draws, and nothing else. */
export interface Plot {
  show(drawing: Drawing): void;
  destroy(): void;
}

/** Makes an empty plot that fills `host` in width, and follows it and the theme. */
export function createPlot(host: HTMLElement, looks: readonly LineLook[]): Plot {
  let palette = readPalette(host);
  let drawing: Drawing = NOTHING;

  /** With pixels of the canvas, as uPlot has laid it out. */
  function areaOf({ bbox, valToPos }: uPlot): Area {
    return { ...bbox, ratio: devicePixelRatio, xOf: (at) => valToPos(at, "x", true) };
  }

  function drawBeneath(plot: uPlot): void {
    const { ctx } = plot;
    const area = areaOf(plot);
    if (drawing.scale.breakAt !== undefined) drawBreak(ctx, area, { at: drawing.scale.breakAt, palette });
    drawSpans(ctx, drawing.spans, area, palette);
    drawMarkLines(ctx, inRange(drawing), area, palette);
  }

  const plot = new uPlot(
    {
      width: Math.floor(host.clientWidth),
      height: FRAME.height,
      ms: 1,
      padding: [FRAME.top, FRAME.right, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      select: { show: false, left: 0, top: 0, width: 0, height: 0 },
      scales: {
        x: { time: false, range: () => [drawing.from, drawing.until] },
        y: { range: () => [0, 1] },
      },
      axes: axesOf(),
      series: [{}, ...looks.map(seriesOf)],
      bands: looks.flatMap((look, index) => (look === "top" ? [{ series: [index + 1, index + 2], fill: () => palette.band }] : [])),
      hooks: {
        drawAxes: [drawBeneath],
        draw: [(self) => drawShapes(self.ctx, inRange(drawing), areaOf(self), palette)],
      },
    },
    [[], ...looks.map(() => [])],
    host,
  );

  function axesOf(): uPlot.Axis[] {
    const common = {
      font: `11px ${getComputedStyle(host).fontFamily}`,
      stroke: () => palette.axis,
      ticks: { show: false },
    };
    return [
      {
        ...common,
        size: FRAME.bottom,
        gap: 6,
        grid: { stroke: () => palette.grid, width: 1 },
        splits: () => drawing.ticks.map(({ at }) => at),
        values: (self) => drawing.ticks.map(({ at, label }) => (roomAfter(self, at) < HALF_LABEL ? "" : label)),
      },
      {
        ...common,
        size: FRAME.left,
        gap: 8,
        grid: { stroke: () => palette.grid, width: 1 },
        splits: () => drawing.scale.ticks.map(({ fraction }) => fraction),
        values: () => drawing.scale.ticks.map(({ label }) => label),
      },
    ];
  }

  /** From a time to the end of the canvas, in px. */
  function roomAfter({ bbox }: uPlot, at: number): number {
    return ((drawing.until - at) / (drawing.until - drawing.from)) * (bbox.width / devicePixelRatio) + FRAME.right;
  }

  function seriesOf(look: LineLook): uPlot.Series {
    const stroke = (): string => palette[STROKES[look]];
    return {
      stroke: look === "top" ? "transparent" : stroke,
      width: look === "limit" ? 1 : 1.5,
      ...(DASHES[look] !== undefined && { dash: DASHES[look] }),
      ...(look === "filled" && { fill: () => palette.accentFaint }),
      points: {
        show: false,
        size: 3,
        width: 0,
        fill: stroke,
        filter: (self, index) => (look === "top" ? null : lonelyIndices(self.data[index] ?? [])),
      },
    };
  }

  const resizes = new ResizeObserver(() => {
    const width = Math.floor(host.clientWidth);
    if (width > 0 && width !== plot.width) plot.setSize({ width, height: FRAME.height });
  });
  resizes.observe(host);
  const stopWatching = watchTheme(() => {
    palette = readPalette(host);
    plot.redraw(false);
  });
  // A canvas keeps the font it was drawn with.
  let isThere = true;
  void document.fonts.ready.then(() => isThere && plot.redraw(false, true));

  return {
    show(next) {
      drawing = next;
      const { fractionOf } = next.scale;
      const lines = next.lines.map((values) => values.map((value) => (value === null ? null : fractionOf(value))));
      plot.setData([[...next.times], ...lines]);
    },
    destroy() {
      isThere = false;
      stopWatching();
      resizes.disconnect();
      plot.destroy();
    },
  };
}

const NOTHING: Drawing = {
  ...{ times: [], from: 0, until: 1, ticks: [], lines: [], marks: [], spans: [] },
  scale: { fractionOf: () => 0, valueAt: () => 0, ticks: [] },
};

/** A label wider than the room it has would be cut off. */
const HALF_LABEL = 18;

const STROKES: Record<LineLook, keyof Palette> = { top: "accent", solid: "accent", filled: "accent", dashed: "second", limit: "limit" };
const DASHES: Partial<Record<LineLook, number[]>> = { dashed: [5, 3], limit: [2, 3] };

function inRange({ marks, from, until }: Drawing): readonly Mark[] {
  return marks.filter(({ at }) => at >= from && at <= until);
}

/** Where the axis is compressed the ground is another one, and begins with a jagged line. */
function drawBreak(context: CanvasRenderingContext2D, area: Area, { at, palette }: { at: number; palette: Palette }): void {
  const y = Math.round(area.top + area.height * (1 - at));
  const tooth = 4 * area.ratio;
  context.fillStyle = palette.sunken;
  context.fillRect(area.left, area.top, area.width, y - area.top);
  context.beginPath();
  context.moveTo(area.left, y);
  for (let index = 1; index * tooth < area.width + tooth; index += 1) {
    context.lineTo(area.left + Math.min(index * tooth, area.width), y - (index % 2 === 1 ? tooth / 2 : 0));
  }
  context.strokeStyle = palette.break;
  context.lineWidth = area.ratio;
  context.stroke();
}
