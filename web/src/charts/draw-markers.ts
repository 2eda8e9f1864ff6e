import type { Status } from "../format/status.ts";
import type { Palette } from "./palette.ts";

/** Something that happened at a moment. */
export interface Mark {
  /** Milliseconds since the epoch. */
  at: number;
  status: Exclude<Status, "maintenance">;
  /** `OOM killed (exit 137)` */
  words: string;
}

/** Something that lasted. `until` null: it still does. */
export interface Span {
  from: number;
  until: number | null;
  words: string;
}

/** Where things are, in pixels of the canvas. */
export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
  /** Of the canvas to one of CSS. */
  ratio: number;
  xOf(at: number): number;
}

/** Shades spans from top to bottom, under a bar that can be seen where the shade is faint. */
export function drawSpans(context: CanvasRenderingContext2D, spans: readonly Span[], area: Area, palette: Palette): void {
  for (const { from, until } of spans) {
    const left = Math.max(area.xOf(from), area.left);
    const right = until === null ? area.left + area.width : Math.min(area.xOf(until), area.left + area.width);
    const width = Math.max(right - left, 2 * area.ratio);
    if (right < area.left || left > area.left + area.width) continue;
    context.fillStyle = palette.degradedSoft;
    context.fillRect(left, area.top, width, area.height);
    context.fillStyle = palette.degraded;
    context.fillRect(left, area.top, width, 2 * area.ratio);
  }
}

/** A thin line for each mark; its shape comes on top of everything with {@link drawShapes}. */
export function drawMarkLines(context: CanvasRenderingContext2D, marks: readonly Mark[], area: Area, palette: Palette): void {
  const width = Math.max(1, Math.round(area.ratio));
  for (const { at, status } of marks) {
    context.fillStyle = palette[status];
    const top = area.top + SHAPE * area.ratio;
    context.fillRect(Math.round(area.xOf(at) - width / 2), top, width, area.top + area.height - top);
  }
}

const SHAPE = 10;

/** The shapes of the marks, at the top. As everywhere: a dot is well, a ring is at rest, a half dot is not well, a cross is down. */
export function drawShapes(context: CanvasRenderingContext2D, marks: readonly Mark[], area: Area, palette: Palette): void {
  for (const { at, status } of marks) {
    context.save();
    context.translate(area.xOf(at), area.top + (SHAPE / 2) * area.ratio);
    context.scale(area.ratio, area.ratio);
    context.strokeStyle = palette[status];
    context.fillStyle = palette[status];
    SHAPES[status](context);
    context.restore();
  }
}

const SHAPES: Record<Mark["status"], (context: CanvasRenderingContext2D) => void> = {
  ok(context) {
    circle(context, 3.5);
    context.fill();
  },
  idle(context) {
    context.lineWidth = 1.5;
    circle(context, 3.25);
    context.stroke();
  },
  degraded(context) {
    context.lineWidth = 1.2;
    circle(context, 3.4);
    context.stroke();
    context.beginPath();
    context.arc(0, 0, 3.4, -Math.PI / 2, Math.PI / 2);
    context.fill();
  },
  down(context) {
    context.lineWidth = 2;
    context.lineCap = "round";
    context.beginPath();
    context.moveTo(-3, -3);
    context.lineTo(3, 3);
    context.moveTo(3, -3);
    context.lineTo(-3, 3);
    context.stroke();
  },
};

function circle(context: CanvasRenderingContext2D, radius: number): void {
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
}
