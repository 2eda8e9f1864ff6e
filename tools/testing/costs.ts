import type { Job } from "./jobs.ts";

/** What a job cost. */
export interface JobCost {
  files: Job["files"];
  cpuSeconds: number;
}

const DEAREST_SHOWN = 10;

/** Lines for the summary: the CPU seconds of all jobs, and of those that took most. None where nothing was measured. */
export function costLines(costs: readonly JobCost[]): string[] {
  if (costs.length === 0) return [];
  const total = costs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  const dearest = costs.toSorted((a, b) => b.cpuSeconds - a.cpuSeconds).slice(0, DEAREST_SHOWN);
  return [
    `CPU of all files ${total.toFixed(1)} s`,
    ...dearest.map(({ files, cpuSeconds }) => `CPU ${cpuSeconds.toFixed(1)} s ${nameOf(files)}`),
  ];
}

/** One line a job, the dearest first: its CPU seconds and its files. */
export function costTable(costs: readonly JobCost[]): string {
  return costs
    .toSorted((a, b) => b.cpuSeconds - a.cpuSeconds)
    .map(({ files, cpuSeconds }) => `${cpuSeconds.toFixed(1)} ${files.join(" ")}\n`)
    .join("");
}

function nameOf([first = "", ...others]: Job["files"]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
