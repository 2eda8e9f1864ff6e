import type { Figure } from "./figure.ts";

/** What neighbours on the machine cannot change by themselves: numbers of things, and sizes. */
const STEADY_UNITS = new Set(["alerts", "bytes", "changes", "checks", "events", "kB", "MB", "requests", "streams", "times", "wake-ups/s"]);
const CPU_TIME = /\bCPU\b/;
/** How far a figure may miss its bar in a quick run, unless it says otherwise. */
const MARGIN = 3;

/**
 * Whether a figure of a quick run is bad enough to fail the gate: a count, a size, or CPU time against a baseline of the same run, and beyond three times
 * its bar or what it says itself. Times and percentiles never are: they are printed to be read.
 */
export function failsGate({ name, value, unit, ratio, bar, ok, margin = MARGIN }: Figure): boolean {
  const isJudged = STEADY_UNITS.has(unit) || (ratio !== null && CPU_TIME.test(name));
  if (ok || !isJudged) return false;
  const [, relation, limit] = /^(<=|>=) ([\d.]+)/.exec(bar) ?? [];
  const measured = ratio ?? value;
  const isNear = relation === "<=" ? measured <= Number(limit) * margin : measured >= Number(limit) / margin;
  return !isNear;
}
