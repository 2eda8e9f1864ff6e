import { existsSync, readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { cpus, hostname, loadavg, release, totalmem, type as systemType, uptime } from "node:os";
import { join } from "node:path";
import type { HostReading } from "../observations.ts";
import type { Clock } from "../platform/clock.ts";
import { cleanName } from "../platform/text.ts";
import type { RuntimeStatus } from "./containers.ts";
import {
  type CpuTimes,
  busyPercent,
  readCpuCount,
  readCpuTimes,
  readLoad,
  readMemory,
  readOsName,
  readUptimeSeconds,
} from "./host-files.ts";
import { LONGEST_GAP_MS } from "./usage-delta.ts";

/** Where the root of the host is usually mounted into a container. */
const MOUNTED_ROOT = "/host";

export interface HostReaderOptions {
  clock: Clock;
  /** Where /proc of the host is. */
  procPath: string;
  /** Where the root of the host is; absent: /host when it is mounted there, else /. */
  rootPath?: string | undefined;
  /** What the runtime says of its host, which knows its name from inside a container too. */
  runtime: () => Pick<RuntimeStatus, "address" | "hostname" | "operatingSystem">;
}

/**
 * Reads what this host uses: from its /proc, which a container sees too unless it is hidden from it, and for the disk from the file system
 * of its root (in a container without the host's root at /host: of the engine's data). Elsewhere than on Linux, from what Node reports of the system.
 */
export interface HostReader {
  /** The CPU usage is that since the reading before; null at the first, and after a longer gap. */
  read(): Promise<HostReading>;
}

export function createHostReader({ clock, procPath, rootPath, runtime }: HostReaderOptions): HostReader {
  const root = rootPath ?? (existsSync(`${MOUNTED_ROOT}/etc`) ? MOUNTED_ROOT : "/");
  let before: { times: CpuTimes | null; atMs: number } | undefined;

  function cpuPercent(times: CpuTimes | null): number | null {
    const atMs = clock.monotonicMs();
    const recent = before !== undefined && atMs - before.atMs <= LONGEST_GAP_MS ? before.times : null;
    before = { times, atMs };
    return busyPercent(times, recent);
  }

  function names(): Pick<HostReading, "hostname" | "os"> {
    const engine = runtime();
    const local = isBesideUs(engine.address) ? engine : undefined;
    return {
      hostname: cleanName(local?.hostname || hostname()),
      os: cleanName(local?.operatingSystem || systemName(root)) || null,
    };
  }

  return {
    async read() {
      const disk = await diskOf(root);
      const { cpuTimes, ...rest } = readProc(procPath) ?? readSystem();
      return { ...names(), cpuPercent: cpuPercent(cpuTimes), ...rest, ...disk };
    },
  };
}

type Usage = Omit<HostReading, "hostname" | "os" | "cpuPercent" | "diskBytes" | "diskTotalBytes"> & { cpuTimes: CpuTimes | null };

/** Undefined where there is no /proc. */
function readProc(path: string): Usage | undefined {
  const stat = textOf(`${path}/stat`);
  if (stat === "") return undefined;
  const { usedBytes, totalBytes } = readMemory(textOf(`${path}/meminfo`));
  return {
    cpuCount: readCpuCount(stat) ?? cpus().length,
    cpuTimes: readCpuTimes(stat),
    memoryBytes: usedBytes,
    memoryTotalBytes: totalBytes,
    load: readLoad(textOf(`${path}/loadavg`)),
    uptimeSeconds: readUptimeSeconds(textOf(`${path}/uptime`)),
  };
}

/** What Node reports of any system; its free memory leaves out what is merely cached, so memory use is left out. */
function readSystem(): Usage {
  const times = cpus().map((cpu) => cpu.times);
  const total = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  const idle = times.reduce((sum, cpu) => sum + cpu.idle, 0);
  const [one = 0, five = 0, fifteen = 0] = loadavg();
  return {
    cpuCount: times.length,
    cpuTimes: times.length === 0 ? null : { busy: total - idle, total },
    memoryBytes: null,
    memoryTotalBytes: totalmem(),
    load: process.platform === "win32" ? null : [one, five, fifteen],
    uptimeSeconds: Math.floor(uptime()),
  };
}

async function diskOf(root: string): Promise<Pick<HostReading, "diskBytes" | "diskTotalBytes">> {
  try {
    const { bsize, blocks, bfree } = await statfs(root);
    return { diskBytes: (blocks - bfree) * bsize, diskTotalBytes: blocks * bsize };
  } catch {
    return { diskBytes: null, diskTotalBytes: null };
  }
}

function systemName(root: string): string {
  const name = readOsName(textOf(join(root, "etc/os-release")));
  return name ?? (process.platform === "linux" ? "" : `${systemType()} ${release()}`);
}

/** Empty when it cannot be read. Read at once: the kernel answers from memory, and a thread for each step of it costs a hundred wake-ups a minute. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** A socket is on this host; so is an address of this machine, and most likely a name without a dot: a proxy in the same network of containers. */
function isBesideUs(address: string): boolean {
  const [, host] = /^[a-z]+:\/\/(\[[^\]]*\]|[^:/]*)(?::\d+)?$/.exec(address) ?? [];
  return address.startsWith("unix://") || (host !== undefined && /^(?:127(?:\.\d+){3}|\[::1\]|[^.[\]]+)$/.test(host));
}
