import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CDPSession } from "playwright-core";

const MB = 1024 ** 2;

/** What the kernel knows of a process: resident memory, and files and sockets that are open. Undefined when it is gone. */
export function measureProcess(pid: number): { residentMb: number; handles: number } | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : { residentMb: Number(kilobytes) / 1024, handles: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return undefined;
  }
}

/** Of all files below a folder. One that vanishes meanwhile counts for nothing. */
export function measureFolder(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return paths.reduce((sum, path) => sum + (statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0), 0) / MB;
}

/** The heap in use, of the program's own metrics. Undefined while it does not answer. */
export async function measureHeap(url: string): Promise<number | undefined> {
  const text = await fetch(`${url}/metrics`).then(
    (answer) => answer.text(),
    () => "",
  );
  const [, bytes] = /^nodejs_heap_size_used_bytes (\S+)/m.exec(text) ?? [];
  return bytes === undefined ? undefined : Number(bytes) / MB;
}

/** What a page that was left open holds once its garbage is collected. Needs `Performance.enable` first. */
export async function measurePage(devtools: CDPSession): Promise<{ heapBytes: number; nodes: number }> {
  await devtools.send("HeapProfiler.collectGarbage");
  const { metrics } = await devtools.send("Performance.getMetrics");
  const valueOf = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? 0;
  return { heapBytes: valueOf("JSHeapUsedSize"), nodes: valueOf("Nodes") };
}
