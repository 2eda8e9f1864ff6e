import { classNames } from "../../ui/class-names.ts";
import type { DrawnStrip } from "./draw-strip.ts";

interface Properties {
  /** Undefined until it is known. */
  strip: DrawnStrip | undefined;
  steps?: number;
  className: string;
}

/** Its words stand in a title beside it. The line it stands on is seen where nothing was seen. */
export function StripPicture({ strip, steps = 96, className }: Properties) {
  return (
    <svg
      viewBox={`0 0 ${steps} 12`}
      preserveAspectRatio="none"
      aria-hidden
      className={classNames("block border-b border-line-strong", className)}
    >
      {strip !== undefined && (
        <>
          <path d={strip.up} className="fill-ok" />
          <path d={strip.stopped} className="fill-idle" />
          <path d={strip.degraded} className="fill-degraded" />
          <path d={strip.down} className="fill-down" />
        </>
      )}
    </svg>
  );
}
