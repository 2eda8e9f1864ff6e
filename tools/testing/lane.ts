/**
 * A lane of the test run: a process, in separate namespaces where the machine allows, that runs one job after another and has one of each real part.
 * A part starts with the first job that needs it and stops with the lane. Jobs and events are messages from and to the parent (lanes.ts).
 */
import { join, resolve } from "node:path";
import { run } from "node:test";
import { PARTS } from "../test-parts.ts";
import { cpuSeconds } from "./cpu-time.ts";
import { type Counts, isRunTotal, packEvent, type TestEvent } from "./events.ts";
import type { Job } from "./jobs.ts";
import { startNameServer } from "./name-server.ts";

/** What a lane is sent: a job, or the word to end. */
export type Order = Job | "end";
/** What a lane sends: what happens in the job, then how it ended. */
export type Message = { event: TestEvent } | JobEnd;
export interface JobEnd {
  /** Null: it was given up. */
  counts: Counts | null;
  /** CPU seconds of all processes of the lane, where it has its own namespaces. */
  cpuSeconds: number | undefined;
}

const ROOT = join(import.meta.dirname, "../..");
const PACK = join(import.meta.dirname, "pack.ts");
const UNHOOKED = join(import.meta.dirname, "unhooked.ts");
/** Of a test; those that repeat for long get more. */
const TIMEOUT_MS = (process.env["BINNACLE_TEST_LONG"] === "1" ? 90 : 15) * 60_000;

const started = new Map<string, { variable: string; value: string; stop(): Promise<void> }>();
const ending = new AbortController();
let working: Promise<void> = Promise.resolve();

startNameServer();
// The terminal sends Ctrl-C to every process of the run: the parent decides.
process.on("SIGINT", () => undefined);
process.on("disconnect", end);
process.on("message", (order: Order) => {
  if (order === "end") end();
  else working = work(order);
});

async function work(job: Job): Promise<void> {
  const before = cpuSeconds();
  let counts: Counts | null = null;
  try {
    const env = {
      ...process.env,
      ...(await startParts(job.parts)),
      BINNACLE_TEST_FILES: JSON.stringify(job.files.map((file) => resolve(ROOT, file))),
    };
    for await (const event of run({
      files: [PACK],
      execArgv: ["--import", UNHOOKED],
      concurrency: false,
      timeout: TIMEOUT_MS,
      env,
      signal: ending.signal,
    })) {
      if (event.type === "test:summary" && isRunTotal(event)) counts = event.data.counts;
      else if (!isRunTotal(event)) send({ event: packEvent(nameFiles(event, job)) });
    }
  } catch (error) {
    if (!ending.signal.aborted) console.error(`${job.files.join(", ")}:`, error);
  }
  const after = cpuSeconds();
  send({ counts, cpuSeconds: before === undefined || after === undefined ? undefined : after - before });
}

async function startParts(names: readonly string[]): Promise<Record<string, string>> {
  for (const part of PARTS.filter(({ name }) => names.includes(name) && !started.has(name))) {
    const running = await part.start?.();
    if (running !== undefined) started.set(part.name, running);
  }
  return Object.fromEntries([...started.values()].map(({ variable, value }) => [variable, value]));
}

/** What concerns the process as a whole, such as its crash, bears the names of its files. */
function nameFiles(event: TestEvent, { files }: Job): TestEvent {
  if (event.data !== undefined && "name" in event.data && event.data.name === PACK) event.data.name = files.join(", ");
  return event;
}

function send(message: Message): void {
  if (process.connected) process.send?.(message);
}

function end(): void {
  ending.abort();
  void working.then(async () => {
    // What a part cannot end itself ends with the namespaces.
    for (const part of [...started.values()].reverse())
      await part.stop().catch((error: unknown) => console.error("a part did not stop:", error));
    process.exit();
  });
}
