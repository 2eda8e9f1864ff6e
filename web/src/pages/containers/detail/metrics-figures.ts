/** What the figures over the charts say, and the charts in words. */
import type { Snapshot } from "../../../../../src/monitoring/resources/answers.ts";
import type { Figure } from "../../../charts/chart.tsx";
import { extentOf, type Column, type Points } from "../../../charts/points.ts";
import { formatBytes, formatRate } from "../../../format/bytes.ts";
import { formatShare } from "../../../format/usage.ts";

type Format = (value: number | null) => string;

/** Characters in `100 %` and in `1023 MiB`. */
const PERCENT_ROOM = 5;
const BYTES_ROOM = 8;

/** What it uses now; null while it does not run or nothing is known. */
export type Now = Snapshot | null;

export function cpuFigures(points: Points, now: Now): Figure[] {
  return [
    {
      name: "mean",
      look: "solid",
      room: PERCENT_ROOM,
      textAt: (index) => formatShare(index === undefined ? (now?.cpu_percent ?? null) : (points.cpu_percent[index] ?? null)),
    },
    highest(points.cpu_percent_max, formatShare, PERCENT_ROOM),
  ];
}

export function memoryFigures(points: Points, now: Now): Figure[] {
  const { memory_bytes: used, memory_limit_bytes: limit } = points;
  const useText = (bytes: number | null, of: number | null): string =>
    bytes === null || of === null || of === 0 ? formatBytes(bytes) : `${formatBytes(bytes)} · ${formatShare((bytes / of) * 100)}`;
  return [
    {
      name: "used",
      look: "solid",
      room: BYTES_ROOM + PERCENT_ROOM + 3,
      textAt: (index) =>
        index === undefined
          ? useText(now?.memory_bytes ?? null, now?.memory_limit_bytes ?? null)
          : useText(used[index] ?? null, limit[index] ?? null),
    },
    highest(points.memory_bytes_max, formatBytes, BYTES_ROOM),
  ];
}

export function networkFigures(points: Points, now: Now): Figure[] {
  return [
    rate("received", "filled", { column: points.network_rx_bytes_per_second, atRest: now?.network_rx_bytes_per_second ?? null }),
    rate("sent", "dashed", { column: points.network_tx_bytes_per_second, atRest: now?.network_tx_bytes_per_second ?? null }),
  ];
}

export function diskFigures(points: Points, now: Now): Figure[] {
  return [
    rate("read", "filled", { column: points.disk_read_bytes_per_second, atRest: now?.disk_read_bytes_per_second ?? null }),
    rate("written", "dashed", { column: points.disk_write_bytes_per_second, atRest: now?.disk_write_bytes_per_second ?? null }),
  ];
}

function rate(name: string, look: Figure["look"], { column, atRest }: { column: Column; atRest: number | null }): Figure {
  return { name, look, room: BYTES_ROOM + 2, textAt: (index) => formatRate(index === undefined ? atRest : (column[index] ?? null)) };
}

/** The highest of a step; at rest that of the whole range. */
function highest(column: Column, format: Format, room: number): Figure {
  const ofAll = extentOf(column).highest;
  return { name: "highest", look: "top", room, textAt: (index) => format(index === undefined ? ofAll : (column[index] ?? null)) };
}

interface SummaryParts {
  /** `CPU` */
  title: string;
  /** `the last 6 hours` */
  range: string;
  lines: readonly { name: string; column: Column; highest?: Column }[];
  format: Format;
}

/** `CPU in the last 6 hours: latest 12 %, lowest 0.1 %, highest 98 %.` */
export function summarise({ title, range, lines, format }: SummaryParts): string {
  const parts = lines.map(({ name, column, highest: top = column }) => {
    const { latest, lowest } = extentOf(column);
    const subject = lines.length > 1 ? `${name} ` : "";
    if (latest === null) return `${subject}no data`;
    return `${subject}latest ${format(latest)}, lowest ${format(lowest)}, highest ${format(extentOf(top).highest)}`;
  });
  return `${title} in ${range}: ${parts.join("; ")}.`;
}
