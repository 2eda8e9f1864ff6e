/**
 * `npm run soak [-- --hours 2 | --minutes 5] [--database-url URL] [--out FOLDER]`: runs the built program under an even load with restarts,
 * draws what it uses over time, and fails when a line goes straight upward. With `--rest` there is no load: 30 containers that idle, and one open page.
 * See CONTRIBUTING.md.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { build } from "./build.ts";
import { LICENSES, makePair } from "./license.ts";
import { startAtRest } from "./soak/at-rest.ts";
import { drawChart } from "./soak/chart.ts";
import { judge, type Judgement, type Series } from "./soak/judge.ts";
import { createLatencies } from "./soak/latencies.ts";
import { type Load, startLoad } from "./soak/load.ts";
import { planRestarts, type Restart } from "./soak/plan.ts";
import { createRecorder, type Recorder } from "./soak/recorder.ts";
import { percentile } from "./soak/trend.ts";
import { startWorld, type World } from "./soak/world.ts";
import { installFor } from "./test-parts.ts";
import { continueIsolated } from "./testing/isolation.ts";

/** So many measurements in all, and never more than one in so long. */
const MEASUREMENTS = 720;
const LEAST_STEP_MS = 2000;

const { values } = parseArgs({
  options: {
    hours: { type: "string" },
    minutes: { type: "string" },
    rest: { type: "boolean", default: false },
    "database-url": { type: "string" },
    out: { type: "string" },
  },
});
const wholeMs = values.minutes === undefined ? Number(values.hours ?? 2) * 3_600_000 : Number(values.minutes) * 60_000;
const STEP_MS = Math.max(LEAST_STEP_MS, wholeMs / MEASUREMENTS);
const out = values.out ?? mkdtempSync(join(tmpdir(), "binnacle-soak-"));
process.exitCode = await main();

async function main(): Promise<number> {
  if (!(wholeMs > 0)) throw new Error("--hours and --minutes are numbers above 0");
  makePair(LICENSES);
  await build({ ifStale: true });
  return values.rest ? soakAtRest() : soakUnderLoad();
}

async function soakAtRest(): Promise<number> {
  installFor(["test/support/engine.ts", "test/support/browser.ts"]);
  await continueIsolated();
  const resting = await startAtRest();
  const stopping = untilInterrupted();
  try {
    await atEvenSteps((atMs) => resting.record(atMs), stopping);
    return report(resting.series) ? 0 : 1;
  } finally {
    await resting.stop();
  }
}

async function soakUnderLoad(): Promise<number> {
  const latencies = createLatencies();
  const world = await startWorld(values["database-url"]);
  const stopping = untilInterrupted();
  let load: Load | undefined;
  try {
    load = await startLoad(world.url, latencies);
    const recorder = createRecorder(world, latencies);
    await run(world, load, recorder, stopping);
    const isFlat = report(recorder.series);
    return reportLoad(load, latencies.all()) && isFlat ? 0 : 1;
  } finally {
    await load?.stop();
    await world.stop();
  }
}

function untilInterrupted(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
  return stopping.signal;
}

/** Until the time is over or somebody interrupts. */
async function atEvenSteps(measure: (atMs: number) => Promise<void>, signal: AbortSignal): Promise<void> {
  const startedMs = performance.now();
  const atMs = (): number => performance.now() - startedMs;
  console.log(`${(wholeMs / 60_000).toFixed(0)} minutes, a measurement every ${(STEP_MS / 1000).toFixed(0)} s`);
  for (let next = 0; atMs() < wholeMs && !signal.aborted; next += STEP_MS) {
    await wait(Math.max(0, next - atMs()), undefined, { signal }).catch(() => undefined);
    await measure(atMs());
  }
}

/** Measures, and restarts as planned. */
async function run(world: World, load: Load, recorder: Recorder, signal: AbortSignal): Promise<void> {
  const restarts = planRestarts(wholeMs);
  console.log(`${restarts.length} restarts`);
  await atEvenSteps(async (atMs) => {
    const due = restarts[0];
    if (due !== undefined && atMs >= due.atMs) {
      restarts.shift();
      await restart(due, world, load, recorder);
      console.log(`${(atMs / 60_000).toFixed(1)} min: the ${due.what} started again`);
    }
    await recorder.record(atMs);
  }, signal);
}

async function restart({ what }: Restart, world: World, load: Load, recorder: Recorder): Promise<void> {
  recorder.beginLife(what);
  if (what === "agents") return world.restartAgents();
  load.pause();
  await world.restartServer();
  load.resume();
}

/** Writes the chart, prints the summary; whether nothing goes straight upward. */
function report(all: readonly Series[]): boolean {
  const panels = all.map((series) => ({ series, judgements: judge(series) }));
  mkdirSync(out, { recursive: true });
  const file = join(out, "soak.html");
  writeFileSync(file, drawChart(`Soak of ${(wholeMs / 60_000).toFixed(0)} minutes, ${new Date().toISOString()}`, panels));

  for (const { series, judgements } of panels) {
    const ends = series.lives.flatMap((life) =>
      life.at(-1) === undefined ? [] : [`${life[0]?.value.toFixed(1)} -> ${life.at(-1)?.value.toFixed(1)}`],
    );
    console.log(`${judgements.some(isFailure) ? "FAIL" : "ok  "}  ${series.name}: ${ends.join(", ")} ${series.unit}`);
    for (const { over, failure } of judgements.filter(isFailure)) console.log(`        ${over}: ${failure ?? ""}`);
  }
  console.log(`\nchart: ${file}`);
  return !panels.some(({ judgements }) => judgements.some(isFailure));
}

/** Prints what was asked; whether all of it was answered well. */
function reportLoad(load: Load, all: ReadonlyMap<string, readonly number[]>): boolean {
  for (const [name, ms] of all)
    console.log(`      ${name}: ${ms.length} measured, p50 ${percentile(ms, 50).toFixed(1)} ms, p99 ${percentile(ms, 99).toFixed(1)} ms`);
  const { requests, events, messages, faults } = load.counts();
  console.log(`      ${requests} requests, ${events} events to viewers, ${messages} messages to the receiver`);
  for (const fault of faults.slice(0, 10)) console.log(`FAIL  ${fault}`);
  if (faults.length > 0) console.log(`FAIL  ${faults.length} requests were not answered well`);
  return faults.length === 0;
}

function isFailure({ failure }: Judgement): boolean {
  return failure !== undefined;
}
