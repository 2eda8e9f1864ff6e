/**
 * `npm run bench -- NAME...` measures and prints a table; `--json` prints one JSON line a figure, `--quick` takes seconds,
 * `--record` keeps the figures of this run in docs/benchmarks.md, beside those of the benches that did not run.
 * Without a name all run. The exit code is 1 when a bar is broken; a quick run forgives a factor of two, and of four for bare times and rates, since neighbours make noise.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { build } from "../build.ts";
import { LICENSES, makePair } from "../license.ts";
import { installMissing, ISOLATION, PARTS } from "../test-parts.ts";
import { continueIsolated } from "../testing/isolation.ts";
import { checks } from "./checks.ts";
import { collect } from "./collect.ts";
import { fanout } from "./fanout.ts";
import type { Bench, Figure } from "./figure.ts";
import { ingest } from "./ingest.ts";
import { list } from "./list.ts";
import { mcp } from "./mcp.ts";
import { benchmarksPage } from "./page.ts";
import { pings } from "./pings.ts";
import { react } from "./react.ts";
import { seriesRead } from "./series-read.ts";
import { seriesWrite } from "./series-write.ts";
import { start } from "./start.ts";
import { status } from "./status.ts";
import { storm } from "./storm.ts";
import { updates } from "./updates.ts";
import { web } from "./web.ts";

/** What benches need of the machine. */
const MACHINE = ["test/support/engine.ts", "test/support/browser.ts"];
const BENCHES: readonly Bench[] = [
  start,
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

installMissing([ISOLATION, ...PARTS.filter(({ support }) => MACHINE.includes(support))]);
await continueIsolated();
makePair(LICENSES);
await build({ ifStale: true });
let broken = 0;
const recorded: [Bench, Figure[]][] = [];
for (const bench of BENCHES) {
  if (positionals.length > 0 && !positionals.includes(bench.name)) continue;
  if (!values.json) console.log(`\n${bench.name}: ${bench.about}`);
  const figures = await bench.run({ quick: values.quick });
  recorded.push([bench, figures]);
  for (const figure of figures) {
    console.log(values.json ? JSON.stringify(figure) : row(figure));
    if (!(values.quick ? figure.ok || nearlyOk(figure) : figure.ok)) broken += 1;
  }
}
if (values.record) {
  const page = new URL("../../docs/benchmarks.md", import.meta.url);
  const names = BENCHES.map(({ name }) => name);
  writeFileSync(page, benchmarksPage(names, recorded, readFileSync(page, "utf8")));
}
if (!values.json) console.log(broken === 0 ? "\nall bars hold" : `\n${broken} broken`);
process.exit(broken === 0 ? 0 : 1);

/** Within twice what the bar allows; four times of a time or a rate without a baseline, since the machine itself may be half as fast. */
function nearlyOk({ value, ratio, bar, unit }: Figure): boolean {
  const [, relation, limit] = /^(<=|>=) ([\d.]+)/.exec(bar) ?? [];
  const measured = ratio ?? value;
  const factor = ratio === null && ["us", "ms", "s", "1/s"].includes(unit) ? 4 : 2;
  return relation === "<=" ? measured <= Number(limit) * factor : measured >= Number(limit) / factor;
}

function row({ name, value, unit, baseline, ratio, bar, ok }: Figure): string {
  const number = (each: number): string => (each >= 100 ? each.toFixed(0) : each.toFixed(2));
  const against = baseline === null || ratio === null ? "" : `baseline ${number(baseline)} ${unit}, ratio ${ratio.toFixed(2)}`;
  return `  ${ok ? "ok    " : "BROKEN"}  ${name.padEnd(30)} ${`${number(value)} ${unit}`.padStart(16)}   ${against.padEnd(38)} ${bar}`;
}
