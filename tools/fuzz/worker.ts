/** The thread of `npm run fuzz`: draws inputs, runs them, and keeps those that reach something new. Ends when its time is over. */
import { parentPort, workerData } from "node:worker_threads";
import { createChance } from "../../test/support/chance.ts";
import { keptFolder, readCorpus, replaceKept, saveInput, smallestCover, type Reaching, workFolder } from "./corpus.ts";
import { startCoverage } from "./coverage.ts";
import { mutated } from "./mutate.ts";
import { fault, processorMs, type Target } from "./target.ts";

/** What the thread is started with. */
export interface Job {
  name: string;
  seed: number;
  seconds: number;
  /** Whether the kept inputs are replaced at the end. */
  keep: boolean;
  /** The number of inputs that were run, then the length of the present one. */
  state: SharedArrayBuffer;
  /** The present input, for when it never ends. */
  input: SharedArrayBuffer;
}

/** What the thread sends. */
export type Message =
  | { kind: "progress"; runs: number; reached: number; pool: number }
  | { kind: "finding"; input: Uint8Array; what: string }
  | { kind: "over"; runs: number; reached: number; kept: number };

const PULSE_MS = 5_000;
const MOST_FINDINGS = 20;
const MOST_POOL = 4_000;

const job = workerData as Job;
const state = new Int32Array(job.state);
const current = new Uint8Array(job.input);
const send = (message: Message): void => parentPort?.postMessage(message);

const coverage = startCoverage();
// What is imported after coverage began is instrumented.
const { TARGETS } = await import("./targets.ts");
await fuzz(TARGETS.find(({ name }) => name === job.name) as Target);

async function fuzz(target: Target): Promise<void> {
  const chance = createChance(job.seed);
  const pool: Reaching[] = [];
  const reached = new Set<number>();
  const known = new Set<string>();
  let runs = 0;

  async function run(input: Buffer, isKept: boolean): Promise<void> {
    current.set(input);
    Atomics.store(state, 1, input.length);
    Atomics.store(state, 0, ++runs);
    coverage.clear();
    const startedMs = performance.now();
    const error = await fault(target, input);
    const tookMs = performance.now() - startedMs;
    const features = coverage.features();
    if (error !== undefined) found(input, describe(error));
    else if (tookMs > target.maxMs) {
      const leastMs = await processorMs(target, input);
      if (leastMs > target.maxMs) found(input, `took ${Math.round(leastMs)} ms of processor time; ${target.maxMs} are allowed`);
    }
    if (!isKept && features.every((feature) => reached.has(feature))) return;
    for (const feature of features) reached.add(feature);
    pool.push({ bytes: Buffer.from(input), features });
    if (!isKept) saveInput(workFolder(target.name), input);
  }

  function found(input: Buffer, what: string): void {
    const sameness = what.startsWith("took") ? "took" : what;
    if (known.has(sameness)) return;
    known.add(sameness);
    send({ kind: "finding", input: Uint8Array.from(input), what });
  }

  for (const folder of [keptFolder(target.name), workFolder(target.name)])
    for (const { bytes } of readCorpus(folder)) if (bytes.length <= target.maxBytes) await run(bytes, true);
  if (pool.length === 0) await run(Buffer.from("0"), true);
  const words = coverage.words().map((word) => Buffer.from(word));
  const endMs = performance.now() + job.seconds * 1000;
  let pulseMs = performance.now();
  while (performance.now() < endMs && known.size < MOST_FINDINGS && pool.length < MOST_POOL) {
    // What was found last leads on more often.
    const from = chance.below(2) === 0 ? chance.below(pool.length) : pool.length - 1 - chance.below(Math.min(pool.length, 16));
    const material = { chance, pool: pool.map(({ bytes }) => bytes), words, maxBytes: target.maxBytes };
    for (let times = 0; times < 64; times += 1) await run(mutated(pool[from]?.bytes ?? Buffer.alloc(0), material), false);
    if (performance.now() - pulseMs < PULSE_MS) continue;
    pulseMs = performance.now();
    send({ kind: "progress", runs, reached: reached.size, pool: pool.length });
  }
  const cover = job.keep ? smallestCover(pool) : [];
  if (job.keep) replaceKept(target.name, cover);
  send({ kind: "over", runs, reached: reached.size, kept: cover.length });
}

/** An error and where it was thrown, so that one defect is reported once. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const frame = /\n\s+at (?!.*node:internal)(.*)/.exec(error.stack ?? "")?.[1] ?? "";
  return `${error.name}: ${error.message.slice(0, 200)} (${frame})`;
}
