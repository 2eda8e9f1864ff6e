import { formatPercent } from "../format/number.ts";

/** A share of 100; a dash, explained, when nothing was observed. */
export function Percent({ value, className }: { value: number | null; className?: string }) {
  return (
    <span className={className ?? "tabular-nums"} title={value === null ? "No data" : undefined}>
      {formatPercent(value)}
    </span>
  );
}
