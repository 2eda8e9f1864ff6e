import { cpus, totalmem } from "node:os";
import type { Bench, Figure } from "./figure.ts";

/** The page docs/benchmarks.md of one run. */
export function benchmarksPage(runs: readonly (readonly [Bench, readonly Figure[]])[]): string {
  const processors = cpus();
  const machine = `${processors.length} cores (${processors[0]?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 1024 ** 3)} GiB, Node ${process.versions.node}`;
  return [
    "# Benchmarks",
    "",
    "<!-- Written by `npm run bench -- --record`. -->",
    "",
    `Measured on ${new Date().toISOString().slice(0, 10)} on a shared machine with ${machine}.`,
    "Absolute figures drift by a factor of three between runs on such a machine. Where a bar is a ratio, the baseline was measured in",
    "the same run: the simplest program that could do the same.",
    ...runs.flatMap(([{ name, about }, figures]) => [
      "",
      `## ${name}`,
      "",
      `${about[0]?.toUpperCase()}${about.slice(1)}.`,
      "",
      "| figure | value | baseline | ratio | bar | holds |",
      "|---|---|---|---|---|---|",
      ...figures.map(figureRow),
    ]),
    "",
  ].join("\n");
}

function figureRow({ name, value, unit, baseline, ratio, bar, ok }: Figure): string {
  const number = (each: number): string => (each >= 100 ? each.toFixed(0) : each.toFixed(2));
  const cells = [
    name,
    `${number(value)} ${unit}`,
    baseline === null ? "" : `${number(baseline)} ${unit}`,
    ratio === null ? "" : ratio.toFixed(2),
    bar,
    ok ? "yes" : "no",
  ];
  return `| ${cells.join(" | ")} |`;
}
