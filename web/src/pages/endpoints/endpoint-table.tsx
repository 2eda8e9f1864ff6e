import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";
import type { EndpointRecord, Sparklines } from "../../../../src/monitoring/endpoints/api.ts";
import { useNamesHosts } from "../../app/hosts.ts";
import { useHotkeys } from "../../app/hotkeys.ts";
import { useMedia } from "../../app/use-media.ts";
import { classNames } from "../../ui/class-names.ts";
import { COLUMNS, EndpointRow } from "../../entities/endpoints/endpoint-row.tsx";

/** Heights that are known beforehand need no measuring, and nothing jumps. */
const ROW_PX = { wide: 36, narrow: 58 };

interface Properties {
  label: string;
  endpoints: readonly EndpointRecord[];
  lines: Sparklines["endpoints"] | undefined;
}

/** The list itself: only the rows near the window are in the page. */
export function EndpointTable({ label, endpoints, lines }: Properties) {
  const wide = useMedia("(min-width: 768px)");
  const withBars = useMedia("(min-width: 90rem)");
  const body = useRef<HTMLDivElement>(null);
  const withHost = useNamesHosts();
  const [top, setTop] = useState(0);

  useLayoutEffect(() => {
    const offset = body.current === null ? 0 : body.current.getBoundingClientRect().top + window.scrollY;
    setTop(Math.round(offset));
  }, [wide]);

  const virtualizer = useWindowVirtualizer({
    count: endpoints.length,
    estimateSize: () => ROW_PX[wide ? "wide" : "narrow"],
    getItemKey: (index) => endpoints[index]?.id ?? index,
    overscan: 8,
    scrollMargin: top,
    scrollPaddingStart: 96,
    scrollPaddingEnd: 96,
  });

  useLayoutEffect(() => virtualizer.measure(), [virtualizer, wide]);

  function move(step: 1 | -1): void {
    const focused = document.activeElement?.getAttribute("data-row");
    const from = focused === null || focused === undefined ? (step === 1 ? -1 : endpoints.length) : Number(focused);
    const index = Math.min(Math.max(from + step, 0), endpoints.length - 1);
    virtualizer.scrollToIndex(index, { align: "auto" });
    // The row may only now come into the page.
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-row="${index}"]`)?.focus({ preventScroll: true }));
  }

  useHotkeys({ j: () => move(1), k: () => move(-1) });

  return (
    <div role="table" aria-label={label} aria-rowcount={endpoints.length + 1} className="mt-3">
      <div className="sticky top-13 z-10 bg-bg max-md:sr-only" role="rowgroup">
        <div role="row" aria-rowindex={1} className={classNames(COLUMNS, "h-8 px-2.5 text-xs font-medium text-ink-3")}>
          <span role="columnheader">Name</span>
          <span role="columnheader" className="max-xl:hidden">
            Target
          </span>
          <span role="columnheader">Status</span>
          <span role="columnheader" className="text-right">
            Response
          </span>
          <span role="columnheader" className="text-right">
            24 h
          </span>
          {withBars && <span role="columnheader">90 days</span>}
          <span role="columnheader" className="text-right">
            Since
          </span>
        </div>
      </div>
      <div role="rowgroup" ref={body} className="relative border-b border-line" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start, size }) => {
          const endpoint = endpoints[index];
          if (endpoint === undefined) return null;
          return (
            <div
              key={key}
              role="presentation"
              className="absolute inset-x-0 top-0 w-full"
              style={{ height: size, transform: `translateY(${start - top}px)` }}
            >
              <EndpointRow
                endpoint={endpoint}
                index={index}
                withHost={withHost}
                points={lines?.[endpoint.id]?.points}
                withBars={withBars}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}
