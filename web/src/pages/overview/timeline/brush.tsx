import { type PointerEvent, useRef, useState } from "react";

/** Shorter than this in px is a press and no stretch. */
const SHORTEST_PX = 4;

interface Properties {
  className: string;
  fromMs: number;
  toMs: number;
  onChoose: (fromMs: number, toMs: number) => void;
}

/** A stretch of time is chosen by drawing over it. For mice, pens and fingers alone: buttons beside it do the same. */
export function Brush({ className, fromMs, toMs, onChoose }: Properties) {
  const area = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<{ start: number; end: number }>();

  function placeOf(event: PointerEvent): number {
    const { left, width } = area.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    return Math.min(Math.max(event.clientX - left, 0), width);
  }

  function finish(event: PointerEvent): void {
    const width = area.current?.clientWidth ?? 1;
    setDrawn(undefined);
    if (drawn === undefined) return;
    const [low, high] = [Math.min(drawn.start, placeOf(event)), Math.max(drawn.start, placeOf(event))];
    if (high - low < SHORTEST_PX) return;
    const at = (place: number): number => fromMs + ((toMs - fromMs) * place) / width;
    onChoose(at(low), at(high));
  }

  return (
    <div
      ref={area}
      aria-hidden
      className={`${className} cursor-crosshair touch-pan-y`}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrawn({ start: placeOf(event), end: placeOf(event) });
      }}
      onPointerMove={(event) => drawn !== undefined && setDrawn({ ...drawn, end: placeOf(event) })}
      onPointerUp={finish}
      onPointerCancel={() => setDrawn(undefined)}
    >
      {drawn !== undefined && (
        <div
          className="absolute inset-y-0 border-x border-accent bg-accent/15"
          style={{ left: Math.min(drawn.start, drawn.end), width: Math.abs(drawn.end - drawn.start) }}
        />
      )}
    </div>
  );
}
