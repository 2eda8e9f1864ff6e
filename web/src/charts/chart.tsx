import { useId, type PointerEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import { MINUTE_MS } from "../../../src/contract/time.ts";
import { formatLocal } from "../format/time.ts";
import { StatusIcon } from "../ui/status-icon.tsx";
import { useCrosshair, type Crosshair } from "./crosshair.ts";
import type { Mark, Span } from "./draw-markers.ts";
import { FRAME } from "./geometry.ts";
import { type Drawing, type LineLook, createPlot, type Plot } from "./plot.ts";
import { nearestIndex } from "./points.ts";
import { Swatch } from "./swatch.tsx";
import { TimeCursor } from "./time-cursor.tsx";

/** One of the figures over a chart: what it is, how it looks in the drawing, its value at a point or, without one, at rest. */
export interface Figure {
  name: string;
  look: LineLook;
  /** How many characters its longest value has: kept free, so that nothing moves. */
  room: number;
  textAt: (index: number | undefined) => string;
}

interface Properties {
  title: string;
  /** Whether the heading above the chart says the same already. */
  isTitled?: boolean;
  /** Beside the title while nothing is pointed at. */
  note: ReactNode;
  looks: readonly LineLook[];
  drawing: Drawing;
  stepMs: number;
  figures: readonly Figure[];
  /** What the figures at rest are of: `now`. */
  rest: string;
  /** The chart in words. */
  summary: string;
  crosshair: Crosshair;
  /** Why there is nothing to be drawn; undefined when there is. */
  absent?: string | undefined;
  /** Lies over the drawing. */
  children?: ReactNode;
}

/** A drawing over time with its figures above, which follow the crosshair. */
export function Chart(properties: Properties) {
  const { title, isTitled = false, note, looks, drawing, stepMs, figures, rest, summary, crosshair, absent, children } = properties;
  const summaryId = useId();
  const { times, from, until } = drawing;

  function point(event: PointerEvent<HTMLElement>): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = nearestIndex(times, from + ((event.clientX - left) / width) * (until - from));
    crosshair.point(index === undefined ? null : (times[index] ?? null));
  }

  function pointWords(index: number): string {
    const at = times[index];
    if (at === undefined) return "";
    const values = figures.map(({ name, textAt }) => `${name} ${textAt(index)}`);
    const marker = markerAt(drawing, at);
    return [timeWords(at, stepMs, until), ...values, ...(marker === undefined ? [] : [marker.words])].join(", ");
  }

  return (
    <figure aria-label={title} className="min-w-0">
      <figcaption>
        <h2 className="flex h-5 items-baseline gap-2">
          <span className={isTitled ? "sr-only" : "truncate font-[550]"}>{title}</span>
          <Note drawing={drawing} crosshair={crosshair}>
            {note}
          </Note>
          <ReadingTime drawing={drawing} crosshair={crosshair} stepMs={stepMs} rest={rest} />
        </h2>
        <Figures figures={figures} times={times} crosshair={crosshair} />
        <p id={summaryId} className="sr-only">
          {summary}
        </p>
      </figcaption>
      <div className="relative mt-1" style={{ height: FRAME.height }}>
        <PlotCanvas looks={looks} drawing={drawing} />
        <div
          className="absolute touch-pan-y"
          style={{ left: FRAME.left, right: FRAME.right, top: FRAME.top, bottom: FRAME.bottom }}
          onPointerDown={point}
          onPointerMove={point}
          onPointerLeave={({ pointerType }) => pointerType === "mouse" && crosshair.point(null)}
        >
          <TimeCursor label={`${title} over time`} describedBy={summaryId} times={times} crosshair={crosshair} textAt={pointWords} />
          <CrosshairLines crosshair={crosshair} drawing={drawing} looks={looks} />
          {absent !== undefined && (
            <p className="pointer-events-none absolute inset-0 flex items-center justify-center text-center text-xs text-ink-2">{absent}</p>
          )}
          {children}
        </div>
      </div>
    </figure>
  );
}

interface PartProperties {
  drawing: Drawing;
  crosshair: Crosshair;
}

/** What happened where the crosshair is; else the note of the chart. */
function Note({ drawing, crosshair, children }: PartProperties & { children: ReactNode }) {
  const at = useCrosshair(crosshair);
  const marker = at === null ? undefined : markerAt(drawing, at);
  if (marker === undefined) return <span className="min-w-0 flex-1 truncate text-xs font-normal text-ink-2">{children}</span>;
  return (
    <span title={marker.words} className="flex min-w-0 flex-1 items-center gap-1.5 text-xs font-normal">
      <StatusIcon status={"status" in marker ? marker.status : "degraded"} size={10} />
      <span className="truncate">{marker.words}</span>
    </span>
  );
}

function ReadingTime({ drawing, crosshair, stepMs, rest }: PartProperties & { stepMs: number; rest: string }) {
  const at = useCrosshair(crosshair);
  return (
    <span className="shrink-0 text-xs font-normal text-ink-2 tabular-nums">
      {at === null ? rest : timeWords(at, stepMs, drawing.until)}
    </span>
  );
}

function Figures({ figures, times, crosshair }: { figures: readonly Figure[]; times: readonly number[]; crosshair: Crosshair }) {
  const at = useCrosshair(crosshair);
  const index = at === null ? undefined : nearestIndex(times, at);
  return (
    <dl className="mt-1 flex gap-x-5 text-xs">
      {figures.map(({ name, look, room, textAt }) => (
        <div key={name} className="flex min-w-0 items-center gap-1.5 whitespace-nowrap">
          <Swatch look={look} />
          <dt className="text-ink-2">{name}</dt>
          <dd className="tabular-nums" style={{ minWidth: `${room}ch` }}>
            {textAt(index)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The mark nearest to a time, as far as one is near; else the span that it lies in. */
function markerAt({ marks, spans, from, until }: Drawing, at: number): Mark | Span | undefined {
  const tolerance = (until - from) / 100;
  const mark = marks
    .filter((each) => Math.abs(each.at - at) <= tolerance)
    .toSorted((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at))[0];
  return mark ?? spans.find((span) => span.from <= at && at <= (span.until ?? until));
}

/** When a point was measured: a moment, or from when to when where it stands for a longer time. */
function timeWords(at: number, stepMs: number, nowMs: number): string {
  const begin = new Date(at).toISOString();
  if (stepMs < MINUTE_MS) return formatLocal(begin, nowMs);
  return `${formatLocal(begin, nowMs, "minute")}–${formatLocal(new Date(at + stepMs).toISOString(), at + stepMs, "minute")}`;
}

/** A drawing, made again when it changes. It says nothing to screen readers. `looks` never change. */
function PlotCanvas({ looks, drawing }: { looks: readonly LineLook[]; drawing: Drawing }) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot>(undefined);

  useLayoutEffect(() => {
    if (host.current === null) return undefined;
    const made = createPlot(host.current, looks);
    plot.current = made;
    return () => made.destroy();
  }, [looks]);

  useLayoutEffect(() => plot.current?.show(drawing), [drawing]);

  return <div ref={host} aria-hidden style={{ height: FRAME.height }} />;
}

/** Where the crosshair is in one chart, with a dot on each line that is drawn. */
function CrosshairLines({ crosshair, drawing, looks }: { crosshair: Crosshair; drawing: Drawing; looks: readonly LineLook[] }) {
  const { times, from, until, lines, scale } = drawing;
  const at = useCrosshair(crosshair);
  const index = at === null ? undefined : nearestIndex(times, at);
  if (index === undefined) return null;
  const left = `${(((times[index] ?? from) - from) / (until - from)) * 100}%`;
  return (
    <>
      <div className="pointer-events-none absolute inset-y-0 w-px -translate-x-1/2 bg-ink" style={{ left }} />
      {lines.map((values, line) => {
        const value = values[index] ?? null;
        if (value === null || looks[line] === "top" || looks[line] === "limit") return null;
        return (
          <div
            key={line}
            className={`pointer-events-none absolute size-[7px] -translate-x-1/2 translate-y-1/2 rounded-full border border-bg ${looks[line] === "dashed" ? "bg-ink-2" : "bg-accent"}`}
            style={{ left, bottom: `${scale.fractionOf(value) * 100}%` }}
          />
        );
      })}
    </>
  );
}
