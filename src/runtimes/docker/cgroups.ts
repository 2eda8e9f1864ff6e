import { accessSync, constants, readFileSync } from "node:fs";
import type { Clock } from "../../platform/clock.ts";
import {
  type Transfers,
  readField,
  readIoStat,
  readNetworkDevices,
  readNumber,
  readServiceBytes,
  type CgroupPlace,
  type CgroupSearch,
  findCgroupPlace,
} from "./cgroup-files.ts";
import type { InspectedContainer } from "./container.ts";
import { type Figures, hasOwnNetwork, workingSet } from "./usage.ts";

/** Where the kernel shows control groups, and where those of the host are mounted into a container. */
const CGROUP_ROOTS = ["/sys/fs/cgroup", "/host/sys/fs/cgroup"];

/** Reads what containers use from the kernel's own files. */
export interface CgroupReader {
  /**
   * What a container uses now. "elsewhere" when it is not proven to run on this host, or its files cannot be read; "gone" when it has
   * ended since it was last known.
   */
  read(container: InspectedContainer): Figures | "elsewhere" | "gone";
  /** Forgets where the files of all others are. */
  keep(externalIds: ReadonlySet<string>): void;
}

export interface CgroupReaderOptions {
  /** /proc of the host, or where it is mounted. */
  procPath: string;
  clock: Clock;
  roots?: readonly string[];
}

/**
 * Files are read synchronously: five small ones of a container take about 0.1 ms, and asynchronously four times the CPU time.
 * Whoever reads many lets others run between.
 */
export function createCgroupReader({ procPath, clock, roots = CGROUP_ROOTS }: CgroupReaderOptions): CgroupReader {
  const search: CgroupSearch = { procPath, roots, read: readText, isReadable };
  /** Found once for each start. */
  const places = new Map<string, { start: string; place: CgroupPlace | undefined }>();

  function placeOf({ container, pid }: InspectedContainer): CgroupPlace | undefined {
    const { externalId, startedAt, networkMode } = container;
    const start = `${pid} ${startedAt?.getTime()}`;
    const known = places.get(externalId);
    if (known?.start === start) return known.place;
    const place = findCgroupPlace({ externalId, pid: pid ?? 0, hasOwnNetwork: hasOwnNetwork(networkMode) }, search);
    places.set(externalId, { start, place });
    return place;
  }

  return {
    read(inspected) {
      const place = placeOf(inspected);
      if (place === undefined) return "elsewhere";
      const cpu = attempt(place.cpu.path);
      if (cpu === undefined) {
        places.delete(inspected.container.externalId);
        return "gone";
      }
      const readAtMs = clock.monotonicMs();
      const network = place.network === undefined ? null : readNetworkDevices(attempt(place.network) ?? "");
      const disk = diskOf(place);
      return {
        readAtMs,
        cpuNanoseconds: place.cpu.version === 1 ? readNumber(cpu) : microseconds(readField(cpu, "usage_usec")),
        memoryBytes: memoryOf(place),
        networkRxBytes: network?.rxBytes ?? null,
        networkTxBytes: network?.txBytes ?? null,
        diskReadBytes: disk?.readBytes ?? null,
        diskWriteBytes: disk?.writeBytes ?? null,
      };
    },
    keep(externalIds) {
      for (const id of places.keys()) if (!externalIds.has(id)) places.delete(id);
    },
  };
}

function memoryOf({ memory }: CgroupPlace): number | null {
  const usage = memory === undefined ? undefined : attempt(memory.usage.path);
  const stat = memory === undefined ? undefined : attempt(memory.stat.path);
  if (memory === undefined || usage === undefined || stat === undefined) return null;
  return workingSet(readNumber(usage), readField(stat, memory.stat.version === 1 ? "total_inactive_file" : "inactive_file"));
}

function diskOf({ disk }: CgroupPlace): Transfers | null {
  for (const { path, version } of disk) {
    const text = attempt(path);
    const transfers = text === undefined ? null : version === 1 ? readServiceBytes(text) : readIoStat(text);
    if (transfers !== null) return transfers;
  }
  return null;
}

function microseconds(value: number | null): number | null {
  return value === null ? null : value * 1000;
}

/** A container may end between two files: what can no longer be read is missing. */
function attempt(path: string): string | undefined {
  try {
    return readText(path);
  } catch {
    return undefined;
  }
}

/** In this encoding, and no other, Node makes no buffer of 64 KiB for each file of unknown size. */
function readText(path: string): string {
  return readFileSync(path, "utf8");
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
