/** What stands in the kernel's files about a host. Readers answer null for what is not there or not understood. */

/** CPU time of all CPUs since the start of the machine, in units of any size. */
export interface CpuTimes {
  busy: number;
  total: number;
}

/** /proc/stat. Waiting for a disk is idleness; a guest's time is part of its host's already. */
export function readCpuTimes(text: string): CpuTimes | null {
  const [, line] = /^cpu +([\d ]+)$/m.exec(text) ?? [];
  const times = line?.trim().split(/ +/).slice(0, 8).map(Number) ?? [];
  const [, , , idle, waiting = 0] = times;
  if (idle === undefined) return null;
  const total = times.reduce((sum, time) => sum + time, 0);
  return { busy: total - idle - waiting, total };
}

/** /proc/stat: the CPUs that are online. */
export function readCpuCount(text: string): number | null {
  return text.match(/^cpu\d+ /gm)?.length ?? null;
}

/** Percent of all CPUs between two readings; null when no time has passed, or a counter was set back. */
export function busyPercent(now: CpuTimes | null, before: CpuTimes | null | undefined): number | null {
  if (now === null || before == null) return null;
  const total = now.total - before.total;
  if (!(total > 0)) return null;
  // The kernel may take back some of what it counted as waiting.
  return Math.min(Math.max(((now.busy - before.busy) / total) * 100, 0), 100);
}

/** /proc/meminfo. What the kernel would give back at once is not in use; before 3.14 it did not say how much that is. */
export function readMemory(text: string): { usedBytes: number | null; totalBytes: number | null } {
  const bytes = (name: string): number | null => {
    const [, kilobytes] = new RegExp(`^${name}: +(\\d{1,15}) kB$`, "m").exec(text) ?? [];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  };
  const totalBytes = bytes("MemTotal");
  const free = bytes("MemFree");
  const available = bytes("MemAvailable") ?? (free === null ? null : free + (bytes("Buffers") ?? 0) + (bytes("Cached") ?? 0));
  return { usedBytes: totalBytes === null || available === null ? null : Math.max(0, totalBytes - available), totalBytes };
}

/** /proc/loadavg. */
export function readLoad(text: string): [number, number, number] | null {
  const [, one, five, fifteen] = /^(\d+\.\d+) (\d+\.\d+) (\d+\.\d+) /.exec(text) ?? [];
  return fifteen === undefined ? null : [Number(one), Number(five), Number(fifteen)];
}

/** /proc/uptime. */
export function readUptimeSeconds(text: string): number | null {
  const [, seconds] = /^(\d+)(?:\.\d+)? /.exec(text) ?? [];
  return seconds === undefined ? null : Number(seconds);
}

/** The name of a system for people, from its os-release file. */
export function readOsName(text: string): string | null {
  const [, quoted, plain] = /^PRETTY_NAME=(?:"([^"\n]*)"|'?([^'"\n]*)'?)$/m.exec(text) ?? [];
  return (quoted ?? plain ?? "").trim() || null;
}
