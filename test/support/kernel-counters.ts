import { existsSync, globSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { TestEngine } from "./engine.ts";

/** What the kernel itself counts of a container, read by other ways than the program's. */
export interface KernelCounters {
  cpuNanoseconds(): number;
  /** undefined while the kernel says nothing of any disk. */
  disk(): { readBytes: number; writeBytes: number } | undefined;
  network(): Promise<{ rxBytes: number; txBytes: number }>;
}

export function kernelCounters(engine: TestEngine, id: string): KernelCounters {
  const paths = new Map<string, string | undefined>();
  const read = (file: string): string | undefined => {
    if (!paths.has(file)) paths.set(file, globSync(`/sys/fs/cgroup/{,*/,*/*/,*/*/*/}*${id}*/${file}`)[0]);
    const path = paths.get(file);
    return path === undefined ? undefined : readFileSync(path, "utf8");
  };
  return {
    cpuNanoseconds() {
      const version1 = read("cpuacct.usage");
      return version1 === undefined ? Number(/usage_usec (\d+)/.exec(read("cpu.stat") ?? "")?.[1]) * 1000 : Number(version1);
    },
    disk() {
      const text = read("blkio.throttle.io_service_bytes_recursive") ?? read("io.stat") ?? "";
      const sum = (pattern: RegExp): number => [...text.matchAll(pattern)].reduce((total, [, bytes]) => total + Number(bytes), 0);
      if (!/^\d+:\d+ /m.test(text)) return undefined;
      return { readBytes: sum(/(?: Read |rbytes=)(\d+)/g), writeBytes: sum(/(?: Write |wbytes=)(\d+)/g) };
    },
    async network() {
      const rows = (await engine.docker("exec", id, "cat", "/proc/net/dev")).split("\n").slice(2);
      const fields = rows.map((row) => row.replace(":", " ").trim().split(/\s+/)).filter(([name]) => name !== "lo");
      const sum = (column: number): number => fields.reduce((total, row) => total + Number(row[column]), 0);
      return { rxBytes: sum(1), txBytes: sum(9) };
    },
  };
}

/**
 * Flags of `docker run` that make the kernel count what a container moves to and from the disk under the engine: on version 1
 * recent kernels only do so once a limit is set on it. None where no disk is found.
 */
export async function countDisk(engine: TestEngine): Promise<string[]> {
  const { dev } = statSync(await engine.docker("info", "-f", "{{.DockerRootDir}}"));
  const [major, minor] = [Math.floor(dev / 256) % 4096, dev % 256];
  const link = `/sys/dev/block/${major}:${minor}`;
  if (!existsSync(link)) return [];
  const path = realpathSync(link);
  const disk = `/dev/${basename(existsSync(`${path}/partition`) ? dirname(path) : path)}`;
  return existsSync(disk) ? ["--device-read-bps", `${disk}:10gb`, "--device-write-bps", `${disk}:10gb`] : [];
}
