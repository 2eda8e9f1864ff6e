/**
 * `npm run bench -- NAME...` measures and prints a table; `--json` prints one JSON line a figure, `--quick` takes seconds,
 * `--record` keeps the figures of this run in docs/benchmarks.md, beside those of the benches that did not run.
 * Without a name all run, in the quick form those that do not take long. The exit code is 1 when a bar is broken; of a quick run only by what noise cannot do (gate.ts), three times in a row.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { build } from "../build.ts";
import { LICENSES, makePair } from "../license.ts";
import { installFor } from "../test-parts.ts";
import { continueIsolated } from "../testing/isolation.ts";
import { checks } from "./checks.ts";
import { collect } from "./collect.ts";
import { fanout } from "./fanout.ts";
import { flood } from "./flood.ts";
import { failsGate } from "./gate.ts";
import type { Bench, Figure } from "./figure.ts";
import { ingest } from "./ingest.ts";
import { kubernetes } from "./kubernetes.ts";
import { list } from "./list.ts";
import { logSearch } from "./log-search.ts";
import { logs } from "./logs.ts";
import { mcp } from "./mcp.ts";
import { benchmarksPage } from "./page.ts";
import { pings } from "./pings.ts";
import { react } from "./react.ts";
import { rest } from "./rest.ts";
import { seriesRead } from "./series-read.ts";
import { seriesWrite } from "./series-write.ts";
import { start } from "./start.ts";
import { status } from "./status.ts";
import { storm } from "./storm.ts";
import { swarm } from "./swarm.ts";
import { updates } from "./updates.ts";
import { web } from "./web.ts";

/** What benches need of the machine. */
const MACHINE = ["test/support/engine.ts", "test/support/browser.ts"];
const BENCHES: readonly Bench[] = [
  start,
  rest,
  react,
  list,
  fanout,
  seriesWrite,
  seriesRead,
  collect,
  checks,
  pings,
  storm,
  status,
  updates,
  ingest,
  flood,
  logs,
  logSearch,
  kubernetes,
  swarm,
  mcp,
  web,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
  },
});
const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(
    `no such bench: ${unknown.join(", ")}. There are:\n${BENCHES.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join("\n")}`,
  );
  process.exit(2);
}

installFor(MACHINE);
await continueIsolated();
makePair(LICENSES);
await build({ ifStale: true });
let broken = 0;
const recorded: [Bench, Figure[]][] = [];
const all = BENCHES.filter(({ isLong }) => !(values.quick && isLong));
const wanted = positionals.length === 0 ? all : BENCHES.filter(({ name }) => positionals.includes(name));
for (const bench of wanted) {
  if (!values.json) console.log(`\n${bench.name}: ${bench.about}`);
  const startMs = performance.now();
  const figures = await measure(bench);
  recorded.push([bench, figures]);
  broken += values.quick ? await countFailing(bench, figures) : figures.filter(({ ok }) => !ok).length;
  if (!values.json) console.log(`  ${((performance.now() - startMs) / 1000).toFixed(0)} s`);
}
if (values.record) {
  const page = new URL("../../docs/benchmarks.md", import.meta.url);
  const names = BENCHES.map(({ name }) => name);
  writeFileSync(page, benchmarksPage(names, recorded, readFileSync(page, "utf8")));
}
if (!values.json) console.log(summary(broken));
process.exit(broken === 0 ? 0 : 1);

async function measure(bench: Bench): Promise<Figure[]> {
  const figures = await bench.run({ quick: values.quick });
  for (const figure of figures) console.log(values.json ? JSON.stringify(figure) : row(figure));
  return figures;
}

/** How many figures of a quick run fail the gate now and in each of two more runs. */
async function countFailing(bench: Bench, figures: readonly Figure[]): Promise<number> {
  let failing = figures.filter(failsGate).map(({ name }) => name);
  for (let again = 0; again < 2 && failing.length > 0; again += 1) {
    if (!values.json) console.log(`  measured again: ${failing.join(", ")}`);
    const still = new Set((await measure(bench)).filter(failsGate).map(({ name }) => name));
    failing = failing.filter((name) => still.has(name));
  }
  return failing.length;
}

function summary(count: number): string {
  if (count > 0) return `\n${count} broken`;
  return values.quick ? "\nnothing is broken that noise cannot break" : "\nall bars hold";
}

function row({ name, value, unit, baseline, ratio, bar, ok }: Figure): string {
  const number = (each: number): string => (each >= 100 ? each.toFixed(0) : each.toFixed(2));
  const against = baseline === null || ratio === null ? "" : `baseline ${number(baseline)} ${unit}, ratio ${ratio.toFixed(2)}`;
  const word = ok ? "ok    " : values.quick ? "beyond" : "BROKEN";
  return `  ${word}  ${name.padEnd(30)} ${`${number(value)} ${unit}`.padStart(16)}   ${against.padEnd(38)} ${bar}`;
}
