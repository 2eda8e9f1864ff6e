import { useId } from "react";
import { useMedia } from "../../../app/use-media.ts";
import { formatLocal } from "../../../format/time.ts";
import { formatLength } from "./length.ts";
import { totalsOf, type Segment } from "./segments.ts";
import { ticksOf } from "../../../charts/ticks.ts";

const HEIGHT = 28;

interface Look {
  /** The worse, the taller: shape shows what colour shows. */
  height: number;
  fill: string;
}

const LOOKS: Record<Exclude<Segment["status"], "unknown">, Look> = {
  ok: { height: 8, fill: "fill-ok" },
  idle: { height: 4, fill: "fill-idle" },
  maintenance: { height: 4, fill: "fill-maintenance" },
  degraded: { height: 18, fill: "fill-degraded" },
  down: { height: HEIGHT, fill: "fill-down" },
};

interface Properties {
  segments: readonly Segment[];
  from: number;
  until: number;
}

/** What the container was over a stretch of time, drawn on one line, with how long it was each in words. */
export function StateStrip({ segments, from, until }: Properties) {
  const isNarrow = useMedia("(max-width: 639px)");
  const ticks = ticksOf(from, until, isNarrow ? 4 : 9);
  // A label near the end would be cut off.
  const labelled = ticks.filter((tick) => (until - tick.at) / (until - from) > (isNarrow ? 0.14 : 0.05));
  const totals = totalsOf(segments);
  const hatch = useId();
  const place = (at: number): string => `${(((at - from) / (until - from)) * 100).toFixed(3)}%`;
  return (
    <figure className="pt-4">
      <svg
        className="block h-7 w-full overflow-visible"
        role="img"
        aria-label={totals.map(({ word, lengthMs }) => `${word} ${formatLength(lengthMs)}`).join(", ")}
      >
        <Hatch id={hatch} />
        {ticks.map((tick) => (
          <line key={tick.at} x1={place(tick.at)} x2={place(tick.at)} y1={0} y2={HEIGHT} className="stroke-line" />
        ))}
        {inDrawingOrder(segments).map((segment) => (
          <SegmentBar
            key={segment.from}
            segment={segment}
            x={place(segment.from)}
            width={place(from + segment.until - segment.from)}
            hatch={hatch}
          />
        ))}
      </svg>
      <div aria-hidden className="relative mt-1.5 h-4 overflow-hidden text-xs text-ink-3 tabular-nums">
        {labelled.map((tick) => (
          <span key={tick.at} className="absolute whitespace-nowrap" style={{ left: place(tick.at) }}>
            {tick.label}
          </span>
        ))}
      </div>
      <figcaption className="mt-2.5 flex flex-wrap gap-x-5 gap-y-1 text-xs text-ink-2">
        {totals.map((total) => (
          <span key={total.word} className="inline-flex items-center gap-2 whitespace-nowrap tabular-nums">
            <Swatch status={total.status} hatch={hatch} />
            {total.word} {formatLength(total.lengthMs)}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** What is bad is drawn last and never thinner than can be seen. */
function inDrawingOrder(segments: readonly Segment[]): Segment[] {
  const rank = ({ status }: Segment): number => (status === "unknown" ? 0 : LOOKS[status].height);
  return segments.toSorted((a, b) => rank(a) - rank(b));
}

function SegmentBar({ segment, x, width, hatch }: { segment: Segment; x: string; width: string; hatch: string }) {
  const { status, word, from, until } = segment;
  const title = `${word} ${formatLength(until - from)}, ${formatLocal(new Date(from).toISOString(), until)} to ${formatLocal(new Date(until).toISOString(), until)}`;
  if (status === "unknown") {
    return (
      <rect x={x} width={width} y={HEIGHT - 20} height={20} fill={`url(#${hatch})`}>
        <title>{title}</title>
      </rect>
    );
  }
  const { height, fill } = LOOKS[status];
  return (
    <svg x={x} y={HEIGHT - height} width={width} height={height} overflow="visible" className={fill}>
      <title>{title}</title>
      <rect width="100%" height="100%" />
      {(status === "down" || status === "degraded") && <rect width={2} height="100%" />}
    </svg>
  );
}

function Swatch({ status, hatch }: { status: Segment["status"]; hatch: string }) {
  const look = status === "unknown" ? { height: 10, fill: "" } : LOOKS[status];
  const height = Math.max(2, Math.round((look.height / HEIGHT) * 12));
  return (
    <svg width={12} height={12} aria-hidden className={look.fill}>
      <rect y={12 - height} width={12} height={height} {...(status === "unknown" && { fill: `url(#${hatch})`, y: 0, height: 12 })} />
    </svg>
  );
}

function Hatch({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width={5} height={5} className="fill-sunken" />
        <rect width={1.5} height={5} className="fill-line-strong" />
      </pattern>
    </defs>
  );
}
