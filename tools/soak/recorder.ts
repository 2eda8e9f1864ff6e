import { LATENCY_NAMES } from "./load.ts";
import type { Latencies } from "./latencies.ts";
import type { Series } from "./judge.ts";
import { measureFolder, measureHeap, measureProcess } from "./measure.ts";
import { percentile } from "./trend.ts";
import type { World } from "./world.ts";

export interface Recorder {
  series: readonly Series[];
  /** Measures everything once. */
  record(atMs: number): Promise<void>;
  /** What is measured next belongs to a new process. */
  beginLife(what: "server" | "agents"): void;
}

const OF_SERVER = "server: ";
const OF_AGENT = "agent: ";

export function createRecorder({ url, dataDir, pids }: World, latencies: Latencies): Recorder {
  const series = new Map<string, Series>();

  function add({ name, unit, kind }: Omit<Series, "lives">, atMs: number, value: number | undefined): void {
    const known = series.get(name) ?? { name, unit, kind, lives: [[]] };
    series.set(name, known);
    if (value !== undefined && Number.isFinite(value)) known.lives.at(-1)?.push({ atMs, value });
  }

  return {
    get series() {
      return [...series.values()];
    },
    async record(atMs) {
      const { server, agent } = pids();
      for (const [whose, pid] of [[OF_SERVER, server] as const, [OF_AGENT, agent] as const]) {
        const measured = measureProcess(pid);
        add({ name: `${whose}resident memory`, unit: "MB", kind: "memory" }, atMs, measured?.residentMb);
        if (whose === OF_SERVER) add({ name: `${whose}heap in use`, unit: "MB", kind: "memory" }, atMs, await measureHeap(url));
        add({ name: `${whose}open files and sockets`, unit: "", kind: "handles" }, atMs, measured?.handles);
      }
      add({ name: "data folder", unit: "MB", kind: "size" }, atMs, measureFolder(dataDir));
      for (const name of LATENCY_NAMES) {
        const taken = latencies.take(name);
        add({ name: `${name}, p50`, unit: "ms", kind: "latency" }, atMs, percentile(taken, 50));
        add({ name: `${name}, p99`, unit: "ms", kind: "drawn only" }, atMs, percentile(taken, 99));
      }
    },
    beginLife(what) {
      for (const each of series.values()) {
        const isOfAgent = each.name.startsWith(OF_AGENT);
        // The data and the answers continue; of the processes a new one begins.
        if (each.kind !== "size" && isOfAgent === (what === "agents")) each.lives.push([]);
      }
    },
  };
}
