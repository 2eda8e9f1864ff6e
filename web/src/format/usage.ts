import { formatBytes } from "./bytes.ts";

/** What a container uses, as far as it is known. */
export interface Usage {
  cpu_percent: number | null;
  memory_bytes: number | null;
  memory_percent: number | null;
}

/** A share in use, as exact as one can read it while it changes: `0 %`, `0.4 %`, `38 %`; nothing known is a dash. */
export function formatShare(percent: number | null): string {
  if (percent === null) return "–";
  return `${percent < 0.05 || percent >= 9.95 ? percent.toFixed(0) : percent.toFixed(1)} %`;
}

/** Whether two readings look the same wherever they are shown. */
export function looksEqual(one: Usage, other: Usage): boolean {
  return (
    formatShare(one.cpu_percent) === formatShare(other.cpu_percent) &&
    formatBytes(one.memory_bytes) === formatBytes(other.memory_bytes) &&
    formatShare(one.memory_percent) === formatShare(other.memory_percent)
  );
}
