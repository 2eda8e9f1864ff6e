import { DESKTOP, startBrowser } from "../../test/support/browser.ts";
import { startEngine } from "../../test/support/engine.ts";
import { runContainers } from "../bench/containers.ts";
import { memoryOf, startBuilt, untilShown } from "../bench/programs.ts";
import type { Series } from "./judge.ts";
import { measureHeap, measurePage, measureProcess } from "./measure.ts";
import { WARM_UP_AT_REST_MS } from "./rules.ts";

/** They idle, as most do. */
const CONTAINERS = 30;
const MB = 1024 ** 2;

/** The built program at rest: so many idle containers, and one page that somebody left open. */
export interface AtRest {
  series: readonly Series[];
  record(atMs: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startAtRest(): Promise<AtRest> {
  const engine = await startEngine();
  const ids = await runContainers(engine, CONTAINERS);
  const program = await startBuilt([], { SERVICE_DOCKER_HOST: engine.host });
  await untilShown(program, CONTAINERS);
  const browser = await startBrowser({ optimizes: true });
  const page = await browser.newPage({ viewport: DESKTOP });
  await page.goto(program.url);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");

  const memory = { unit: "MB", kind: "memory", warmUpMs: WARM_UP_AT_REST_MS } as const;
  const anonymous: Series = { name: "server: anonymous memory", ...memory, lives: [[]] };
  const resident: Series = { name: "server: resident memory", ...memory, lives: [[]] };
  const heap: Series = { name: "server: heap in use", ...memory, lives: [[]] };
  const handles: Series = { name: "server: open files and sockets", unit: "", kind: "handles", lives: [[]] };
  const pageHeap: Series = { name: "page: heap in use", unit: "MB", kind: "memory", lives: [[]] };
  const pageNodes: Series = { name: "page: nodes", unit: "", kind: "drawn only", lives: [[]] };
  return {
    series: [anonymous, resident, heap, handles, pageHeap, pageNodes],
    async record(atMs) {
      const add = ({ lives }: Series, value: number | undefined): void => {
        if (value !== undefined) lives[0]?.push({ atMs, value });
      };
      const measured = memoryOf(program.pid);
      add(anonymous, measured.anonymous / MB);
      add(resident, measured.resident / MB);
      add(heap, await measureHeap(program.url));
      add(handles, measureProcess(program.pid)?.handles);
      const left = await measurePage(devtools);
      add(pageHeap, left.heapBytes / MB);
      add(pageNodes, left.nodes);
    },
    async stop() {
      await browser.close();
      await program.stop();
      await engine.docker("rm", "-f", ...ids);
      await engine.stop();
    },
  };
}
