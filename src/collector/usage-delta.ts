import type { ReadingColumn } from "../observations.ts";
import type { ContainerUsage } from "../runtimes/runtime.ts";

/** An older reading says nothing about now: two ticks may be missed, not more. */
export const LONGEST_GAP_MS = 35_000;
/** Over less time than this, rates are mostly noise. */
const SHORTEST_GAP_MS = 1_000;

/**
 * What a container uses, from its counters now and at an earlier reading. NaN is what is unknown: rates without an earlier reading
 * of use, and whatever the runtime does not say.
 */
export function readingSince(now: ContainerUsage, before: ContainerUsage | undefined): Record<ReadingColumn, number> {
  const elapsedMs = before === undefined ? Number.NaN : now.readAtMs - before.readAtMs;
  const seconds = elapsedMs >= SHORTEST_GAP_MS && elapsedMs <= LONGEST_GAP_MS ? elapsedMs / 1000 : Number.NaN;
  const perSecond = (counter: Counter): number => increase(now[counter], before?.[counter]) / seconds;
  const cores = now.cpuCores ?? perSecond("cpuNanoseconds") / 1e9;
  return {
    cpuPercent: Math.min((cores / orNaN(now.allocatedCpus)) * 100, 100),
    cpuCoresUsed: cores,
    memoryBytes: orNaN(now.memoryBytes),
    memoryLimitBytes: orNaN(now.memoryLimitBytes),
    networkRxBytes: orNaN(now.networkRxBytes),
    networkTxBytes: orNaN(now.networkTxBytes),
    diskReadBytes: orNaN(now.diskReadBytes),
    diskWriteBytes: orNaN(now.diskWriteBytes),
    networkRxBytesPerSecond: perSecond("networkRxBytes"),
    networkTxBytesPerSecond: perSecond("networkTxBytes"),
    diskReadBytesPerSecond: perSecond("diskReadBytes"),
    diskWriteBytesPerSecond: perSecond("diskWriteBytes"),
  };
}

type Counter = "cpuNanoseconds" | "networkRxBytes" | "networkTxBytes" | "diskReadBytes" | "diskWriteBytes";

/** A counter that fell began again at zero with a restart, and rose to what it is now. */
function increase(now: number | null, before: number | null | undefined): number {
  if (now === null || before == null) return Number.NaN;
  return now >= before ? now - before : now;
}

function orNaN(value: number | null): number {
  return value ?? Number.NaN;
}
