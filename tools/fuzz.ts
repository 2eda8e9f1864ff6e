/**
 * `npm run fuzz -- NAME [--seconds 60] [--seed 1] [--keep]`: feeds a parser with inputs that it never saw, guided by what of the source they reach.
 * `all` in place of a name takes one target after the other. See docs/testing.md.
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { keptFolder, saveInput } from "./fuzz/corpus.ts";
import type { Target } from "./fuzz/target.ts";
import { TARGETS } from "./fuzz/targets.ts";
import type { Job, Message } from "./fuzz/worker.ts";

/** An input that takes longer never ends. */
const LONGEST_MS = 20_000;
const HEAP_MB = 256;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string" },
    keep: { type: "boolean", default: false },
  },
});
const [asked = ""] = positionals;
const chosen = TARGETS.filter(({ name }) => asked === "all" || name === asked);
const seconds = wholeNumber("--seconds", values.seconds);
const seed = values.seed === undefined ? randomInt(2 ** 31) : wholeNumber("--seed", values.seed);
if (chosen.length === 0) stop(`Name a target, or all:\n${TARGETS.map(({ name, reads }) => `  ${name.padEnd(12)}${reads}`).join("\n")}`);
for (const target of chosen) await fuzz(target);

/** Runs one target in a thread, which can be ended wherever it is. */
async function fuzz(target: Target): Promise<void> {
  console.log(`${target.name}: seed ${seed}, ${seconds} s`);
  const state = new Int32Array(new SharedArrayBuffer(8));
  const input = new Uint8Array(new SharedArrayBuffer(target.maxBytes));
  const job: Job = { name: target.name, seed, seconds, keep: values.keep, state: state.buffer, input: input.buffer };
  const worker = new Worker(new URL("./fuzz/worker.ts", import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  const present = (): Uint8Array => input.slice(0, Atomics.load(state, 1));
  await new Promise<void>((resolve) => {
    let [lastRuns, sinceMs] = [0, performance.now()];
    const watch = setInterval(() => {
      const runs = Atomics.load(state, 0);
      if (runs !== lastRuns) [lastRuns, sinceMs] = [runs, performance.now()];
      else if (runs > 0 && performance.now() - sinceMs > LONGEST_MS) end(`did not end within ${LONGEST_MS / 1000} s`);
    }, 1000);
    function end(finding?: string): void {
      clearInterval(watch);
      if (finding !== undefined) report(target, present(), finding);
      void worker.terminate().then(() => resolve());
    }
    worker.on("message", (message: Message) => {
      if (message.kind === "progress") console.log(`  ${message.runs} runs, ${message.reached} reached, ${message.pool} inputs`);
      else if (message.kind === "finding") report(target, message.input, message.what);
      else {
        console.log(`  ${message.runs} runs, ${message.reached} reached${values.keep ? `, ${message.kept} inputs kept` : ""}`);
        end();
      }
    });
    worker.on("error", (error) => {
      const isMemory = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
      end(isMemory ? `takes more than ${HEAP_MB} MiB of heap` : `ended the thread: ${error.stack ?? error.message}`);
    });
  });
}

/** Keeps the input as a test: it is run with the kept inputs from now on. */
function report({ name }: Target, input: Uint8Array, what: string): void {
  const path = saveInput(keptFolder(name), input, "found-");
  console.log(`FOUND ${what}\n  ${path}`);
  process.exitCode = 1;
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) stop(`${option} must be a whole number, not ${text}`);
  return Number(text);
}

function stop(message: string): never {
  console.error(message);
  process.exit(2);
}
