/**
 * `npm run soak [-- --hours 2 | --minutes 5] [--database-url URL] [--out FOLDER]`: runs the built program under an even load with restarts,
 * draws what it uses over time, and fails when a line goes straight upward. See CONTRIBUTING.md.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { build } from "./build.ts";
import { LICENSES, makePair } from "./license.ts";
import { drawChart } from "./soak/chart.ts";
import { judge, type Judgement } from "./soak/judge.ts";
import { createLatencies } from "./soak/latencies.ts";
import { type Load, startLoad } from "./soak/load.ts";
import { planRestarts, type Restart } from "./soak/plan.ts";
import { createRecorder, type Recorder } from "./soak/recorder.ts";
import { percentile } from "./soak/trend.ts";
import { startWorld, type World } from "./soak/world.ts";

/** So many measurements in all, and never more than one in so long. */
const MEASUREMENTS = 720;
const LEAST_STEP_MS = 2000;

const { values } = parseArgs({
  options: {
    hours: { type: "string" },
    minutes: { type: "string" },
    "database-url": { type: "string" },
    out: { type: "string" },
  },
});
const wholeMs = values.minutes === undefined ? Number(values.hours ?? 2) * 3_600_000 : Number(values.minutes) * 60_000;
const out = values.out ?? mkdtempSync(join(tmpdir(), "binnacle-soak-"));
process.exitCode = await main();

async function main(): Promise<number> {
  if (!(wholeMs > 0)) throw new Error("--hours and --minutes are numbers above 0");
  makePair(LICENSES);
  await build({ ifStale: true });
  const latencies = createLatencies();
  const world = await startWorld(values["database-url"]);
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
  let load: Load | undefined;
  try {
    load = await startLoad(world.url, latencies);
    const recorder = createRecorder(world, latencies);
    await run(world, load, recorder, stopping.signal);
    return report(recorder, load, latencies.all());
  } finally {
    await load?.stop();
    await world.stop();
  }
}

/** Measures at even steps and restarts as planned, until the time is over or somebody interrupts. */
async function run(world: World, load: Load, recorder: Recorder, signal: AbortSignal): Promise<void> {
  const startedMs = performance.now();
  const atMs = (): number => performance.now() - startedMs;
  const stepMs = Math.max(LEAST_STEP_MS, wholeMs / MEASUREMENTS);
  const restarts = planRestarts(wholeMs);
  console.log(`${(wholeMs / 60_000).toFixed(0)} minutes, a measurement every ${(stepMs / 1000).toFixed(0)} s, ${restarts.length} restarts`);
  for (let next = 0; atMs() < wholeMs && !signal.aborted; next += stepMs) {
    await wait(Math.max(0, next - atMs()), undefined, { signal }).catch(() => undefined);
    const due = restarts[0];
    if (due !== undefined && atMs() >= due.atMs) {
      restarts.shift();
      await restart(due, world, load, recorder);
      console.log(`${(atMs() / 60_000).toFixed(1)} min: the ${due.what} started again`);
    }
    await recorder.record(atMs());
  }
}

async function restart({ what }: Restart, world: World, load: Load, recorder: Recorder): Promise<void> {
  recorder.beginLife(what);
  if (what === "agents") return world.restartAgents();
  load.pause();
  await world.restartServer();
  load.resume();
}

/** Writes the chart, prints the summary; 1 when something failed. */
function report(recorder: Recorder, load: Load, all: ReadonlyMap<string, readonly number[]>): number {
  const panels = recorder.series.map((series) => ({ series, judgements: judge(series) }));
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
  for (const [name, ms] of all)
    console.log(`      ${name}: ${ms.length} measured, p50 ${percentile(ms, 50).toFixed(1)} ms, p99 ${percentile(ms, 99).toFixed(1)} ms`);
  const { requests, events, messages, faults } = load.counts();
  console.log(`      ${requests} requests, ${events} events to viewers, ${messages} messages to the receiver`);
  for (const fault of faults.slice(0, 10)) console.log(`FAIL  ${fault}`);
  if (faults.length > 0) console.log(`FAIL  ${faults.length} requests were not answered well`);
  console.log(`\nchart: ${file}`);
  return faults.length > 0 || panels.some(({ judgements }) => judgements.some(isFailure)) ? 1 : 0;
}

function isFailure({ failure }: Judgement): boolean {
  return failure !== undefined;
}
