import { cpus, totalmem } from "node:os";
import type { Bench, Figure } from "./figure.ts";

/** The page docs/benchmarks.md: what ran now, and of what did not the section that the page had before, as of those that no bench writes. */
export function benchmarksPage(names: readonly string[], runs: readonly (readonly [Bench, readonly Figure[]])[], before: string): string {
  const processors = cpus();
  const machine = `${processors.length} cores (${processors[0]?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 1024 ** 3)} GiB, Node ${process.versions.node}`;
  const sections = new Map(before.split(/^(?=## )/m).map((section) => [/^## (\S+)/.exec(section)?.[1] ?? "", section.trimEnd()]));
  for (const [bench, figures] of runs) sections.set(bench.name, sectionOf(bench, figures));
  const others = [...sections.keys()].filter((name) => name !== "" && !names.includes(name));
  return [
    "# Benchmarks",
    "",
    "<!-- Written by `npm run bench -- --record`. -->",
    "",
    `Measured on a shared machine with ${machine}.`,
    "Absolute figures drift by a factor of three between runs on such a machine. Where a bar is a ratio, the baseline was measured in",
    "the same run: the simplest program that could do the same.",
    ...[...names, ...others].flatMap((name) => ["", ...(sections.get(name)?.split("\n") ?? [])]),
    "",
  ].join("\n");
}

function sectionOf({ name, about }: Bench, figures: readonly Figure[]): string {
  return [
    `## ${name}`,
    "",
    `${about[0]?.toUpperCase()}${about.slice(1)}. Measured on ${new Date().toISOString().slice(0, 10)}.`,
    "",
    "| figure | value | baseline | ratio | bar | holds |",
    "|---|---|---|---|---|---|",
    ...figures.map(figureRow),
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
