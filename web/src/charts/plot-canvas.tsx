import { useLayoutEffect, useRef } from "react";
import { FRAME } from "./geometry.ts";
import { createPlot, type Drawing, type LineLook, type Plot } from "./plot.ts";

/** A drawing, made again when it changes. It says nothing to screen readers. `looks` never change. */
export function PlotCanvas({ looks, drawing }: { looks: readonly LineLook[]; drawing: Drawing }) {
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
