/** Runs jobs in several lanes beside each other (lane.ts), and reports them as one run. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spec } from "node:test/reporters";
import { costLines, type JobCost } from "./costs.ts";
import { addUp, type Counts, summaryLines, type TestEvent, unpackEvent } from "./events.ts";
import { canIsolate, isIsolated, isolated } from "./isolation.ts";
import type { Job } from "./jobs.ts";
import type { JobEnd, Message, Order } from "./lane.ts";

interface Options {
  jobs: readonly Job[];
  /** How many jobs run at the same time. */
  lanes: number;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

export interface Outcome {
  success: boolean;
  /** The lines with which the report ended. */
  summary: string[];
  costs: JobCost[];
}

const LANE = join(import.meta.dirname, "lane.ts");
const STOP_WITHIN_MS = 60_000;
const SLOWEST_SHOWN = 10;

/** Reports a job while it runs when those taken before it are over, else afterwards. */
export async function runLanes({ jobs, lanes, env, signal }: Options): Promise<Outcome> {
  const startedMs = performance.now();
  const folder = mkdtempSync(join(tmpdir(), "bt-"));
  // PostgreSQL runs as a separate user.
  chmodSync(folder, 0o711);
  const command = !isIsolated() && canIsolate() ? isolated : (...own: string[]): string[] => own;
  const report = createReport();
  const waiting = jobs.map((job, index) => ({ job, index }));
  const all: (Counts | null)[] = [];
  const costs: JobCost[] = [];

  async function runLane(_: unknown, number: number): Promise<void> {
    const own = join(folder, String(number));
    mkdirSync(own);
    const lane = startLane({ command, folder: own, env });
    const stop = (): void => lane.order("end");
    signal.addEventListener("abort", stop);
    for (let next = takeJob(); next !== undefined; next = takeJob()) {
      const { job, index } = next;
      const { counts, cpuSeconds } = await lane.run(job, (event) => report.write(index, event));
      if (counts === null) console.error(`did not run to its end: ${job.files.join(", ")}`);
      all.push(counts);
      if (cpuSeconds !== undefined) costs.push({ files: job.files, cpuSeconds });
      report.end(index);
    }
    await lane.stop();
    signal.removeEventListener("abort", stop);
  }
  const takeJob = (): (typeof waiting)[number] | undefined => (signal.aborted ? undefined : waiting.shift());

  try {
    await Promise.all(Array.from({ length: Math.min(lanes, jobs.length) }, runLane));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
  const counts = addUp(all.filter((each) => each !== null));
  const success = waiting.length === 0 && !all.includes(null) && counts.failed === 0 && counts.cancelled === 0;
  const durationMs = performance.now() - startedMs;
  const summary = [...costLines(costs), ...report.slowest(), ...summaryLines(counts, durationMs)];
  await report.close(summary, { success, counts, duration_ms: durationMs, file: undefined });
  return { success, summary, costs };
}

/** Node's own report, given the events of many jobs in the order in which the jobs began. It reports failures at its end; this one reports them at once. */
function createReport(): {
  write(job: number, event: TestEvent): void;
  end(job: number): void;
  slowest(): string[];
  close(summary: readonly string[], total: Extract<TestEvent, { type: "test:summary" }>["data"]): Promise<void>;
} {
  const output = new spec();
  output.pipe(process.stdout, { end: false });
  const ended = once(output, "end");
  const kept = new Map<number, TestEvent[]>();
  const over = new Set<number>();
  const files: { name: string; ms: number }[] = [];
  let shown = 0;
  return {
    write(job, event) {
      if (event.type === "test:complete" && event.data.details.type === "suite" && event.data.nesting === 0)
        files.push({ name: event.data.name, ms: event.data.details.duration_ms });
      if (event.type === "test:fail" && reasonOf(event) !== "subtestsFailed")
        console.error(`failed: ${event.data.name}\n`, event.data.details.error);
      if (job === shown) output.write(event);
      else kept.set(job, [...(kept.get(job) ?? []), event]);
    },
    end(job) {
      over.add(job);
      while (over.has(shown)) {
        shown += 1;
        for (const event of kept.get(shown) ?? []) output.write(event);
        kept.delete(shown);
      }
    },
    slowest: () =>
      files
        .toSorted((a, b) => b.ms - a.ms)
        .slice(0, SLOWEST_SHOWN)
        .map(({ name, ms }) => `slowest ${(ms / 1000).toFixed(1)} s ${name}`),
    async close(summary, total) {
      for (const message of summary) output.write({ type: "test:diagnostic", data: { nesting: 0, message, level: "info" } });
      output.end({ type: "test:summary", data: total });
      await ended;
    },
  };
}

function reasonOf({ data }: Extract<TestEvent, { type: "test:fail" }>): unknown {
  return (data.details.error as { failureType?: unknown }).failureType;
}

interface Lane {
  order(order: Order): void;
  /** Resolves when the job is over, or the lane. */
  run(job: Job, onEvent: (event: TestEvent) => void): Promise<JobEnd>;
  stop(): Promise<void>;
}

function startLane({ command, folder, env }: { command: (...own: string[]) => string[]; folder: string; env: NodeJS.ProcessEnv }): Lane {
  const [file = "", ...args] = command(process.execPath, LANE);
  const child: ChildProcess = spawn(file, args, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    serialization: "advanced",
    env: { ...env, TMPDIR: folder },
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()).once("error", () => resolve()));
  const order = (what: Order): void => {
    if (child.connected) child.send(what);
  };
  return {
    order,
    async run(job, onEvent) {
      const finished = new Promise<JobEnd>((resolve) => {
        const take = (message: Message): void => {
          if ("event" in message) return onEvent(unpackEvent(message.event));
          child.off("message", take);
          resolve(message);
        };
        child.on("message", take);
      });
      order(job);
      return Promise.race([finished, exited.then(() => ({ counts: null, cpuSeconds: undefined }))]);
    },
    async stop() {
      order("end");
      const giveUp = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
      await exited;
      clearTimeout(giveUp);
    },
  };
}
