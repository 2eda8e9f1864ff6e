import { useRef, type KeyboardEvent, type PointerEvent } from "react";

interface Properties {
  label: string;
  /** Whole or not, 1 to 100. */
  percent: number;
  /** Where a percentage is between the bottom and the top of the chart, and what is there. */
  fractionOf: (percent: number) => number;
  percentAt: (fraction: number) => number;
  /** While it is moved; nothing is settled yet. */
  onMove: (percent: number) => void;
  /** Let go of where it is wanted. */
  onSettle: (percent: number) => void;
}

const KEY_STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 };

/** A line across a chart that is dragged up and down: by mouse anywhere, by finger and by keys at its handle. */
export function ThresholdLine({ label, percent, fractionOf, percentAt, onMove, onSettle }: Properties) {
  const area = useRef<HTMLDivElement>(null);
  const isHeld = useRef(false);
  /** Where it was moved from and to, until it is let go of. */
  const moved = useRef<{ from: number; to: number }>(undefined);

  function grab(event: PointerEvent): void {
    const isHandle = event.target instanceof Element && event.target.closest("[role=slider]") !== null;
    // A finger on the line itself wants to scroll, or to see what is there.
    if (event.button !== 0 || (event.pointerType !== "mouse" && !isHandle)) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    isHeld.current = true;
  }

  function drag(event: PointerEvent): void {
    const box = area.current?.getBoundingClientRect();
    if (!isHeld.current || box === undefined || box.height === 0) return;
    event.stopPropagation();
    move(percentAt(1 - (event.clientY - box.top) / box.height));
  }

  function move(wanted: number): void {
    const next = Math.min(Math.max(Math.round(wanted), 1), 100);
    const { from, to } = moved.current ?? { from: percent, to: percent };
    if (next === to) return;
    moved.current = { from, to: next };
    onMove(next);
  }

  function settle(): void {
    const wanted = moved.current;
    isHeld.current = false;
    moved.current = undefined;
    if (wanted !== undefined) onSettle(wanted.to);
  }

  function cancel(): void {
    if (moved.current !== undefined) onMove(moved.current.from);
    isHeld.current = false;
    moved.current = undefined;
  }

  function handleKey(event: KeyboardEvent): void {
    if (event.key === "Escape") return cancel();
    if (event.key === "Enter") return settle();
    const next = event.key === "Home" ? 1 : event.key === "End" ? 100 : Math.round(percent) + (KEY_STEPS[event.key] ?? Number.NaN);
    if (Number.isNaN(next)) return undefined;
    event.preventDefault();
    return move(next);
  }

  return (
    <div ref={area} className="pointer-events-none absolute inset-0">
      <div
        onPointerDown={grab}
        onPointerMove={drag}
        onPointerUp={settle}
        onPointerCancel={cancel}
        className="group pointer-events-auto absolute inset-x-0 flex h-[9px] translate-y-1/2 cursor-ns-resize items-center"
        style={{ bottom: `${fractionOf(percent) * 100}%` }}
      >
        <div className="w-full border-t border-dashed border-degraded group-hover:border-solid" />
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-orientation="vertical"
          aria-valuemin={1}
          aria-valuemax={100}
          aria-valuenow={percent}
          aria-valuetext={`${percent} %`}
          onKeyDown={handleKey}
          onBlur={settle}
          className="absolute left-1 flex h-6 min-w-11 touch-none items-center justify-center rounded-[4px]"
        >
          <span className="rounded-[3px] border border-degraded bg-bg px-1 text-[11px] leading-[14px] font-[550] text-degraded tabular-nums">
            {percent} %
          </span>
        </div>
      </div>
    </div>
  );
}
