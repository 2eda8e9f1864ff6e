import type { LineLook } from "./plot.ts";

/** A line as it looks in a chart, for its legend. */
export function Swatch({ look }: { look: LineLook }) {
  return (
    <svg width={16} height={10} aria-hidden className="shrink-0">
      {SHAPES[look]}
    </svg>
  );
}

const SHAPES = {
  top: <rect y={1} width={16} height={8} rx={1} className="fill-accent opacity-30" />,
  solid: <path d="M0 5h16" strokeWidth={2} className="stroke-accent" />,
  filled: (
    <>
      <rect y={4} width={16} height={6} className="fill-accent opacity-20" />
      <path d="M0 4h16" strokeWidth={2} className="stroke-accent" />
    </>
  ),
  dashed: <path d="M0 5h16" strokeWidth={2} strokeDasharray="4 2" className="stroke-ink-2" />,
  limit: <path d="M0 5h16" strokeWidth={1.5} strokeDasharray="2 3" className="stroke-ink-3" />,
} as const;
