import type { HostReader } from "../collector/host.ts";
import { DAY_MS, MINUTE_MS } from "../contract/time.ts";
import type { Clock } from "../platform/clock.ts";
import { CONTAINERS, type DemoHost } from "./world/containers.ts";
import { noise, seedOf } from "./world/noise.ts";
import { createUsage } from "./world/usage.ts";

const BOOTED_DAYS = 147;

/** What a host of the demo uses: its containers, and some for itself. */
export function createDemoHostReader(host: DemoHost, { updatedMs, clock }: { updatedMs: number; clock: Clock }): HostReader {
  const usages = CONTAINERS.filter((each) => each.host === host && each.fate !== "completed" && each.fate !== "crashing").map((each) =>
    createUsage(each, { updatedMs }),
  );
  const seed = seedOf(host.hostname);
  const bootedMs = clock.now().getTime() - BOOTED_DAYS * DAY_MS - (seed % 80_000) * 1000;
  return {
    async read() {
      const atMs = clock.now().getTime();
      const used = usages.map((usage) => usage.at(atMs));
      const cores = used.reduce((sum, each) => sum + each.cores, 0.18);
      const memory = used.reduce((sum, each) => sum + each.memoryBytes, 0);
      const load = (minutes: number): number =>
        Math.round(cores * (0.9 + 0.3 * noise(seed, minutes, Math.floor(atMs / (minutes * MINUTE_MS)))) * 100) / 100;
      return {
        hostname: host.hostname,
        os: host.os,
        cpuCount: host.cpuCount,
        cpuPercent: Math.min(100, (cores / host.cpuCount) * 100),
        memoryBytes: Math.min(host.memoryBytes * 0.97, Math.round(memory * 1.05 + host.memoryBytes * 0.06)),
        memoryTotalBytes: host.memoryBytes,
        diskBytes: Math.round(host.diskBytes * (0.58 + (0.06 * (seed % 10)) / 10)),
        diskTotalBytes: host.diskBytes,
        load: [load(1), load(5), load(15)],
        uptimeSeconds: Math.floor((atMs - bootedMs) / 1000),
      };
    },
  };
}
